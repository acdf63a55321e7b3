/** A place as UPS prints it; in the US the ZIP has 5 or 9 digits, with or without a dash. */
export type Address = {
  /** One to three. */
  lines: readonly string[];
  city: string;
  state: string;
  zip: string;
  /** Two letters. */
  country: string;
};

export type Party = { name: string; attention?: string; phone?: string; address: Address };

/** The payer of the transport; of a third party its account, and where UPS bills it. */
export type Billing =
  | { mode: "shipper" }
  | { mode: "third_party"; account: string; zip: string; country: string };

/** @see UPS's appendix of reference number codes, such as PO */
export type Reference = { code: string; value: string };

export type ShipmentPackage = {
  lengthIn: number;
  widthIn: number;
  heightIn: number;
  weightLb: number;
  /** At most two. One of them must find the shipment again after a lost answer. */
  references: readonly Reference[];
};

/** One shipment: its labels are made all or none. */
export type Shipment = {
  shipper: Party & { account: string };
  shipTo: Party & { isResidential: boolean };
  /** Whether UPS delivers only against a signature. */
  needsSignature?: boolean;
  /** UPS's code, such as 03 for Ground. */
  service: string;
  billing: Billing;
  packages: readonly ShipmentPackage[];
  label: "GIF" | "ZPL";
};

/** Ignores the error of floating point in figures that were typed. */
const exact = (value: number) => Number(value.toFixed(4));

/** Sides in whole inches, rounded up, the longest first: UPS takes nothing else. */
export const toInches = ({ lengthIn, widthIn, heightIn }: ShipmentPackage): number[] =>
  [lengthIn, widthIn, heightIn].map((side) => Math.ceil(exact(side))).toSorted((a, b) => b - a);

/** Weight in pounds with one decimal, rounded up. */
export const toPounds = ({ weightLb }: ShipmentPackage): number => Math.ceil(exact(weightLb * 10)) / 10;

/** Lines with something on them. */
export const toLines = ({ lines }: Address): string[] => lines.map((line) => line.trim()).filter(Boolean);

/** UPS takes digits only. */
export const toDigits = (value: string): string => value.replaceAll(/\D/g, "");

export const toZip = ({ zip, country }: { zip: string; country: string }): string =>
  country === "US" ? zip.replaceAll(/[\s-]/g, "") : zip.trim();

/** In the US and in Puerto Rico references belong to packages, elsewhere to the shipment; the wrong place is refused. */
export function takesReferencesByPackage({ shipper, shipTo }: Shipment): boolean {
  const from = shipper.address.country;
  return from === shipTo.address.country && (from === "US" || from === "PR");
}

/** A signature is requested of each package within a country and between the US and Puerto Rico, elsewhere of the shipment. */
export function takesSignatureByPackage({ shipper, shipTo }: Shipment): boolean {
  const [from, to] = [shipper.address.country, shipTo.address.country];
  return from === to || [from, to].every((country) => country === "US" || country === "PR");
}

/** Every reference of the shipment, once. */
export function listReferences({ packages }: Shipment): Reference[] {
  const all = packages.flatMap(({ references }) => references);
  return [...new Map(all.map((each) => [`${each.code} ${each.value}`, each])).values()];
}
