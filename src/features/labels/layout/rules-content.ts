import { type Element } from "#formats/gs1/element-strings.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
import { labelSheet, type Field } from "#features/labels/sheet/rules-sheet.ts";
import type { SymbolSource } from "#features/labels/layout/rules-profiles.ts";

/** Where cartons come from, as it is printed. */
export type ShipFrom = {
  code: string;
  name: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postalCode: string;
};

/** Addresses by their codes; the first one, or else the company's name alone, under "". */
export function shipFromsOf(name: string, shipFroms: readonly ShipFrom[]): Record<string, ShipFrom> {
  const own = { code: "", name, address1: "", address2: "", city: "", state: "", postalCode: "" };
  return { ...Object.fromEntries(shipFroms.map((each) => [each.code, each])), "": shipFroms[0] ?? own };
}

/** One carton: the row it comes from, its place among the cartons of its order, and its number. */
export type Carton = { row: LabelRow; carton: number | null; cartonCount: number | null; sscc: string };

export type Shown = { carton: Carton; from: ShipFrom };

/** What profiles name beside the columns of the sheet. */
const OTHERS: ReadonlyMap<string, (shown: Shown) => string> = new Map(
  Object.entries({
    qty: ({ carton: { row } }) => countOf(row.qty),
    foreignCountry: ({ carton: { row } }) => (row.country === "US" ? "" : row.country),
    cartonOf: ({ carton: { carton, cartonCount } }) =>
      carton === null ? "" : cartonCount === null ? `${carton}` : `${carton} of ${cartonCount}`,
    fromName: ({ from }) => from.name,
    fromAddress1: ({ from }) => from.address1,
    fromAddress2: ({ from }) => from.address2,
    fromCity: ({ from }) => from.city,
    fromState: ({ from }) => from.state,
    fromPostalCode: ({ from }) => from.postalCode,
  } satisfies Record<string, (shown: Shown) => string>),
);

/** Whether a line can name it. */
export const isField = (field: string): boolean => OTHERS.has(field) || columnOf(field) !== null;

/** The column of the sheet that fills it; null for what the ship-from address says. */
export const columnOf = (field: string): Field | null =>
  labelSheet.names.find((name) => name === (COUNTED[field] ?? field)) ?? null;

const COUNTED: Readonly<Record<string, Field>> = { cartonOf: "cartonCount", foreignCountry: "country" };

/** What they are called. */
export const OTHER_FIELDS = {
  cartonOf: "Carton n of m",
  foreignCountry: "Country, unless it's the US",
  fromName: "Ship from: name",
  fromAddress1: "Ship from: address 1",
  fromAddress2: "Ship from: address 2",
  fromCity: "Ship from: city",
  fromState: "Ship from: state",
  fromPostalCode: "Ship from: postal code",
} as const;

const countOf = (count: number) => (count < 1000 ? String(count) : count.toLocaleString("en-US"));

/** A line of a profile, ready to be filled: texts and fields in turn. */
export type LineParts = readonly { text: string; field: string }[];

export const partsOf = (template: string): LineParts =>
  template
    .split("}")
    .map((part) => ({ text: part.split("{")[0] ?? "", field: part.split("{")[1] ?? "" }))
    .filter(({ text, field }) => text !== "" || field !== "");

/** Fields in place of their names; empty when none of them is filled. Marks between two of them need both. */
export function fillLine(parts: LineParts, shown: Shown): string {
  let line = parts.length === 1 && parts[0]?.field === "" ? parts[0].text : "";
  for (const { text, field } of parts) {
    const value = valueOf(field, shown);
    if (value !== "") line += line === "" ? value : `${text}${value}`;
  }
  return line;
}

function valueOf(field: string, shown: Shown): string {
  const other = OTHERS.get(field);
  if (other) return other(shown);
  const { row } = shown.carton;
  // What every object has is no column of it.
  const value = Object.hasOwn(row, field) ? row[field as keyof LabelRow] : null;
  return value === null || value === undefined ? "" : String(value);
}

/** What one bar code of a label holds; null where the label has nothing for it. @param ai of the profile */
export function elementOf(
  of: SymbolSource,
  ai: string | undefined,
  { row, sscc }: Pick<Carton, "row" | "sscc">,
): Element | null {
  if (of === "sscc") return { ai: "00", value: sscc };
  if (of === "postalCode") return postalElement(row);
  const value = row[of];
  return value === "" ? null : { ai: ai ?? USUAL[of], value };
}

/** A bill of lading of 17 digits is GS1's number of a shipment. */
const USUAL = { poNumber: "400", markFor: "91", bol: "402" } as const;

/** Nine digits would not fit beside the carrier: the first five lead to the same place. */
function postalElement({ country, countryNumber, postalCode }: LabelRow): Element {
  if (country === "US") return { ai: "420", value: postalCode.slice(0, 5) };
  return { ai: "421", value: `${countryNumber}${postalCode.replaceAll(" ", "")}` };
}

/** As it is printed for people: the identifier in brackets, an SSCC in its four parts. */
export function readableOf({ ai, value }: Element, prefix = ""): string {
  if (ai !== "00") return `(${ai}) ${value}`;
  const company = prefix === "" ? "" : `${prefix} `;
  return `(00) ${value.charAt(0)} ${company}${value.slice(1 + prefix.length, 17)} ${value.charAt(17)}`;
}
