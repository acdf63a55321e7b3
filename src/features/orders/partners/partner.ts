/**
 * A retailer whose orders come in. Everything that differs between retailers is data of this type: a new retailer is one file
 * beside this one, and an entry in `partners.ts`. Values that a retailer gives only to its suppliers are settings of the company.
 */
export type Partner = {
  /** Stored with each order: never rename it. */
  id: string;
  /** Senders of its X12 interchanges (ISA06) and of its XML; empty for the retailer of files that name no known sender. */
  senders: readonly string[];
  /** UPS's service codes by the retailer's. */
  services: Readonly<Record<string, string>>;
  /** UPS's service of an order that names none. */
  defaultService: string;
  /** Whether UPS bills the retailer's account, as long as the company does not say otherwise. */
  billing: "third_party" | "shipper";
  /** Reasons for which a supplier cancels: the retailer's code and its words. */
  cancelReasons: readonly { id: string; name: string }[];
  /** Qualifiers of references in its X12 orders. */
  references: { customerOrder: string; cancelAfter: string; shipBy: readonly string[] };
  /** X12 documents that it takes; null for a notice that it doesn't take. */
  notices: { cancel: "855" | "856" | null; ship: "856" | null };
  /** Actions of the CommerceHub XML that it takes about orders that came so, each null like above; null: it takes X12 about them, too. */
  xmlNotices: { cancel: "v_cancel" | null; ship: "v_ship" | null } | null;
  /** Its name in X12 notices about orders that came in otherwise, and their release. */
  x12: { qualifier: string; id: string; version: string };
  slip: {
    /** Above the address of the consumer. */
    thanks: string;
    /** Below the lines. */
    footer: string;
  };
};

/** The retailer's code of a service that an order doesn't name. */
export const findServiceCode = ({ services }: Partner, service: string): string =>
  Object.entries(services).find(([, ups]) => ups === service)?.[0] ?? service;
