import { barWidths, countModules, QUIET_MODULES, type BarCode } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import { decodeBars } from "#formats/gs1/decode.ts";
import {
  findElementFault,
  toElementString,
  type Element,
  type ElementFault,
} from "#formats/gs1/element-strings.ts";
import { moduleMm, pointsToMm, type Resolution } from "#formats/label/drawing.ts";
import type { Carton, LabelRow, SymbolSource, Zone, ZoneSymbol } from "#features/labels/types.ts";

/** A barcode that does not read back as the data it was made of. */
export class BarcodeUnreadable extends Error {
  override name = "BarcodeUnreadable";
  readonly code = "barcode_unreadable";
}

/** The usual identifiers. A bill of lading of 17 digits is GS1's number of a shipment. */
const USUAL = { poNumber: "400", markFor: "91", bol: "402" } as const;

/** Finds the data of a barcode; null where the label has none. */
export function findElement(
  { of, ai }: ZoneSymbol,
  { row, sscc }: Pick<Carton, "row" | "sscc">,
): Element | null {
  if (of === "sscc") return { ai: "00", value: sscc };
  if (of === "postalCode") {
    const { country, countryNumber, postalCode } = row;
    // Nine digits would not fit beside the carrier: the first five lead to the same place.
    if (country === "US") return { ai: "420", value: postalCode.slice(0, 5) };
    return { ai: "421", value: `${countryNumber}${postalCode.replaceAll(" ", "")}` };
  }
  const value = row[of];
  return value === "" ? null : { ai: ai ?? USUAL[of], value };
}

/**
 * Encodes a barcode, and decodes its bars again before anything is printed of them.
 * @throws BarcodeUnreadable when the bars do not hold the data
 */
export function encodeElement(element: Element): BarCode {
  const data = toElementString([element]);
  const barCode = encodeGs1(data);
  const read = decodeBars(barWidths(barCode));
  if (read?.kind !== "gs1-128" || read.data !== data)
    throw new BarcodeUnreadable(`The barcode of ${data} reads back as ${read?.data ?? "nothing"}.`);
  return barCode;
}

/** Readable text below the bars: the identifier in parentheses, an SSCC in its four parts. */
export function readableText({ ai, value }: Element, prefix: string): string {
  if (ai !== "00") return `(${ai}) ${value}`;
  const company = prefix === "" ? "" : `${prefix} `;
  return `(00) ${value.charAt(0)} ${company}${value.slice(1 + prefix.length, 17)} ${value.charAt(17)}`;
}

/** Why a barcode of a row cannot be printed: its data, and what is wrong with it. */
export type SymbolFault = { of: SymbolSource; element: Element } & (
  | { fault: ElementFault }
  | { widthMm: number; roomMm: number }
);

/** Checks that the barcode of a zone can be printed for a row. The SSCC always fits. */
export function findSymbolFault(
  { symbol, width }: Zone,
  row: LabelRow,
  { resolution, quietMm }: { resolution: Resolution; quietMm: number },
): SymbolFault | null {
  if (!symbol || symbol.of === "sscc") return null;
  const element = findElement(symbol, { row, sscc: "" });
  if (!element) return null;
  const module = moduleMm(resolution);
  const fault = findElementFault([element], module);
  if (fault) return { of: symbol.of, element, fault };
  const modules = countModules(encodeGs1(toElementString([element])));
  const widthMm = modules * module + 2 * Math.max(QUIET_MODULES * module, quietMm);
  const roomMm = pointsToMm(width);
  return widthMm > roomMm ? { of: symbol.of, element, widthMm, roomMm } : null;
}
