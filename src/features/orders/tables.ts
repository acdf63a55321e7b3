import type { Generated, JSONColumnType } from "kysely";
import type { Pieces, ShippedCarton } from "#features/orders/rules-shipped.ts";
import type { IntakeChannel, LineCancel, Order, OrderState, Trading } from "#features/orders/types.ts";

export type OrderTables = {
  retail_order: {
    realm_id: string;
    id: string;
    partner: string;
    po_number: string;
    store: Generated<string>;
    state: Generated<OrderState>;
    content: JSONColumnType<Order>;
    fingerprint: string;
    slip_file: string;
    customer_name: string;
    is_address_confirmed: Generated<boolean>;
    received_at: Date;
    document_id: string;
    trading: JSONColumnType<Trading | null, string | null, string | null>;
    cancelled_at: Date | null;
    cancelled_by: string | null;
    cancel_reason: string | null;
    cancellation_asked_at: Date | null;
    ship_confirmed_at: Date | null;
    line_cancels: JSONColumnType<readonly LineCancel[], string | undefined>;
    waiting: JSONColumnType<Order | null, string | null, string | null>;
    waiting_fingerprint: string | null;
    waiting_at: Date | null;
  };
  order_shipment: {
    realm_id: string;
    shipment_id: string;
    order_id: string;
    number: number;
    shipped_at: Date;
    service: string;
    cartons: JSONColumnType<readonly ShippedCarton[]>;
    lines: JSONColumnType<readonly Pieces[]>;
  };
  order_document: {
    realm_id: string;
    id: string;
    channel: IntakeChannel;
    file_name: string;
    content: Buffer;
    received_at: Date;
    received_by: string;
    results: JSONColumnType<readonly object[]>;
    reply: Buffer | null;
  };
};
