import { type Element } from "#formats/gs1/element-strings.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
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

/** One carton: the row it comes from, its place among the cartons of its order, and its number. */
export type Carton = { row: LabelRow; carton: number | null; cartonCount: number | null; sscc: string };

/** What a label shows, by the names that profiles use. */
export type LabelTexts = Readonly<Record<string, string>>;

export function textsOf({ row, carton, cartonCount }: Carton, from: ShipFrom): LabelTexts {
  return {
    ...(row as unknown as LabelTexts),
    qty: row.qty.toLocaleString("en-US"),
    foreignCountry: row.country === "US" ? "" : row.country,
    cartonOf: carton === null ? "" : cartonCount === null ? `${carton}` : `${carton} of ${cartonCount}`,
    fromName: from.name,
    fromAddress1: from.address1,
    fromAddress2: from.address2,
    fromCity: from.city,
    fromState: from.state,
    fromPostalCode: from.postalCode,
  };
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
  return value === "" ? null : { ai: ai ?? (of === "poNumber" ? "400" : "91"), value };
}

/** Nine digits would not fit beside the carrier: the first five lead to the same place. */
function postalElement({ country, countryNumber, postalCode }: LabelRow): Element {
  if (country === "US") return { ai: "420", value: postalCode.slice(0, 5) };
  return { ai: "421", value: `${countryNumber}${postalCode.replaceAll(" ", "")}` };
}

/** As it is printed for people: the identifier in brackets, an SSCC in its four parts. */
export function readableOf({ ai, value }: Element, prefix = ""): string {
  if (ai !== "00") return `(${ai}) ${value}`;
  const parts = [value[0], prefix, value.slice(1 + prefix.length, 17), value[17]];
  return `(00) ${parts.filter(Boolean).join(" ")}`;
}
