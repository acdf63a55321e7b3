import type { Generated, JSONColumnType } from "kysely";
import type { Carton, CarrierSettings } from "#features/labels/carrier/contract.ts";
import type { Shipment } from "#integrations/ups/shipment.ts";
import type { Cause } from "#platform/writes/evidence.ts";

export type ShipmentState = "making" | "made" | "failed" | "asked" | "voided";
export type Charge = { total: string; currency: string };

export type ShipmentTables = {
  shipment_settings: { realm_id: string; content: JSONColumnType<CarrierSettings>; changed_at: Date };
  shipment: {
    realm_id: string;
    id: string;
    order_id: string;
    request_id: string;
    seq: number;
    key: string | null;
    po_number: string;
    customer_name: string;
    state: Generated<ShipmentState>;
    cartons: JSONColumnType<readonly Carton[]>;
    body: JSONColumnType<Shipment>;
    checks_address: boolean;
    billed_to: string | null;
    requested_at: Date;
    requested_by: string;
    cause: JSONColumnType<Cause | null, string | null, string | null>;
    number: string | null;
    label_file: string | null;
    made_at: Date | null;
    charge: JSONColumnType<Charge | null, string | null, string | null>;
    voided_at: Date | null;
    voided_by: string | null;
    prints: Generated<number>;
    scan: "unscanned" | "stale" | "moving" | "delivered" | null;
    scanned_at: Date | null;
    looked_at: Date | null;
  };
  shipment_label: {
    realm_id: string;
    shipment_id: string;
    seq: number;
    tracking_number: string;
    format: "GIF" | "PNG" | "ZPL";
    bytes: Buffer;
    voided_at: Date | null;
  };
};
