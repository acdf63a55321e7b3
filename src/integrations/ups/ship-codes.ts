/** Part of a shipment that a refusal is about, so that a page can mark it. */
export type ShipField =
  | "ups_account"
  | "company_address"
  | "ship_to"
  | "warehouse"
  | "billing"
  | "third_party_account"
  | "third_party_zip"
  | "service"
  | "references"
  | "cartons"
  | "label_settings";

/** Codes, or ranges of them. @see UPS's list of Shipping errors */
const FIELDS: readonly [ShipField, string][] = [
  ["ups_account", "120100 120113 120120-120122 120415"],
  ["service", "120124 120500 121100 121210"],
  ["company_address", "120101-120119 120801 120804"],
  ["ship_to", "120200-120218 120802 120805"],
  ["warehouse", "120300-120318 120803 120806"],
  ["billing", "120400 120410 120416"],
  ["third_party_account", "120412 120413"],
  ["third_party_zip", "120430 120437"],
  ["references", "120501 120506 120541-120544 120603 120607"],
  ["cartons", "120020 120528 120529 120548 120600-120609 121030 121050 121055 121056"],
  ["label_settings", "120700-120705"],
];

/** The part of a shipment that a code of UPS's is about; null for one that is about none, or isn't known. */
export function findShipField(code: string): ShipField | null {
  if (!/^\d{6}$/.test(code)) return null;
  const found = FIELDS.find(([, codes]) =>
    codes.split(" ").some((range) => {
      const [first = "", last = first] = range.split("-");
      return first <= code && code <= last;
    }),
  );
  return found?.[0] ?? null;
}
