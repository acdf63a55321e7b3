export type NoticeKind = "cancel" | "ship";

/** The document of a notice: an X12 set, which a 997 answers, or the action of a CommerceHub confirmation, which nothing does. */
export type NoticeDocument = "855" | "856" | "v_cancel" | "v_ship";

export const isXml = (document: NoticeDocument): document is "v_cancel" | "v_ship" =>
  document === "v_cancel" || document === "v_ship";

/** Of a sent notice, "overdue" is read from its time. */
export type StoredState = "pending" | "sent" | "accepted" | "rejected" | "withdrawn";

/** Facts of a ship notice that its order doesn't have. Weights are pounds. */
export type ShipFacts = {
  /** UPS's number of the shipment. */
  shipment: string;
  /** UPS's code of the service. */
  service: string;
  cartons: readonly { trackingNumber: string; weightLb: number }[];
  shipFrom: { name: string; lines: readonly string[]; city: string; state: string; zip: string };
  /** The company's number at the retailer; empty when it has none. */
  vendorNumber: string;
};

/** The retailer's code of the reason. */
export type CancelFacts = { reason: string };
