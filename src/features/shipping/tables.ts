import type { Generated, JSONColumnType } from "kysely";
import type { Carton, CarrierSettings } from "#features/shipping/contract.ts";
import type { Fact } from "#features/shipping/rules-ours.ts";
import type { Pieces } from "#features/orders/index.ts";
import type { Shipment } from "#integrations/ups/shipment.ts";
import type { Cause } from "#platform/writes/evidence.ts";

export type ShipmentState = "making" | "made" | "failed" | "asked" | "voided";
export type Charge = { total: string; currency: string };

/** `reason` is one of the retailer's. */
export type Cancels = { lines: readonly Pieces[]; reason: string };

/** A shipment at UPS that may be a purchase's, as a user is shown it. */
export type Stranger = {
  number: string;
  numbers: readonly string[];
  /** As its label prints it. */
  ship_to: readonly string[];
  place: string;
  cartons: number | null;
  weights: readonly string[];
  service: string;
  made_at: string | null;
  differs: readonly Fact[];
};

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
    /** Pieces of the order. */
    lines: JSONColumnType<readonly Pieces[]>;
    /** Pieces to cancel once its labels are made; null for none. */
    cancels: JSONColumnType<Cancels | null, string | null, string | null>;
    part: number;
    /** `fingerprintItems` of the order. */
    items: string;
    body: JSONColumnType<Shipment>;
    /** The purchase's own reference, on its packages in addition to the PO number. */
    reference: string;
    checks_address: boolean;
    billed_to: string | null;
    requested_at: Date;
    requested_by: string;
    cause: JSONColumnType<Cause | null, string | null, string | null>;
    /** The shipment at UPS that a user is asked about, or was. */
    theirs: JSONColumnType<Stranger | null, string | null, string | null>;
    /** Numbers that UPS named in answers to its call. */
    named: Generated<string[]>;
    number: string | null;
    label_file: string | null;
    made_at: Date | null;
    charge: JSONColumnType<Charge | null, string | null, string | null>;
    /** A void that UPS was asked for and has not confirmed; `numbers` is null for all labels. */
    void_asked: JSONColumnType<
      { by: string; at: string; numbers: string[] | null } | null,
      string | null,
      string | null
    >;
    voided_at: Date | null;
    /** Null of labels that were voided at UPS's own page. */
    voided_by: string | null;
    prints: Generated<number>;
    checked_at: Date | null;
    /** When UPS was searched for a second shipment of the same call. */
    searched_at: Date | null;
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
