import { barWidths, countModules, QUIET_MODULES, type BarCode } from "#formats/gs1/bar-code.ts";
import { CODE128_TEXT, encodeCode128, encodeGs1 } from "#formats/gs1/code128.ts";
import { decodeBars, type Decoded } from "#formats/gs1/decode.ts";
import {
  findElementFault,
  toElementString,
  type Element,
  type ElementFault,
} from "#formats/gs1/element-strings.ts";
import { encodeItf14 } from "#formats/gs1/itf.ts";
import { moduleMm, pointsToMm, type Resolution } from "#formats/label/drawing.ts";
import type { Field } from "#features/labels/sheet.ts";
import type { Band, Carton, LabelRow, SymbolSource, Zone, ZoneSymbol } from "#features/labels/types.ts";

/** A barcode that does not decode to the data it was made from. */
export class BarcodeUnreadable extends Error {
  override name = "BarcodeUnreadable";
  readonly code = "barcode_unreadable";
}

/** An element and its source column; plain symbols have no identifier. */
type Part = Element & { field: Field };
export type SymbolData = { kind: Decoded["kind"]; parts: readonly Part[] };

/** Usual application identifiers. A bill of lading with 17 digits is a GS1 shipment number. */
const USUAL: Partial<Record<SymbolSource, string>> = {
  poNumber: "400",
  markFor: "91",
  bol: "402",
  gtin: "01",
  retailerData: "91",
};

/** Finds the data of a barcode; null if the label has none. */
export function findSymbolData(
  symbol: ZoneSymbol,
  { row, sscc }: Pick<Carton, "row" | "sscc">,
): SymbolData | null {
  const { of, as, ai = USUAL[of] ?? "", digits = 0 } = symbol;
  const gs1 = (parts: readonly Part[]): SymbolData | null => {
    const filled = parts.filter(({ value }) => value !== "");
    return filled.length === 0 ? null : { kind: "gs1-128", parts: filled };
  };
  if (of === "sscc") return gs1([{ field: "sscc", ai: "00", value: sscc }]);
  if (of === "postalCode") {
    const { country, countryNumber, postalCode } = row;
    // Nine digits would not fit beside the carrier; the first five are enough for routing.
    if (country === "US") return gs1([{ field: of, ai: "420", value: postalCode.slice(0, 5) }]);
    return gs1([{ field: of, ai: "421", value: `${countryNumber}${postalCode.replaceAll(" ", "")}` }]);
  }
  if (of === "contents")
    return row.gtin === ""
      ? null
      : gs1([
          { field: "gtin", ai: "02", value: row.gtin.padStart(14, "0") },
          { field: "qty", ai: "37", value: String(row.qty) },
        ]);
  if (of === "batch")
    return gs1([
      { field: "bestBefore", ai: "15", value: toGs1Date(row.bestBefore) },
      { field: "expiry", ai: "17", value: toGs1Date(row.expiry) },
      { field: "lot", ai: "10", value: row.lot },
      { field: "itemSerial", ai: "21", value: row.itemSerial },
    ]);
  const text = String(row[of]);
  const value = /^\d+$/.test(text) ? text.padStart(of === "gtin" ? 14 : digits, "0") : text;
  if (value === "") return null;
  if (as === "itf14") return { kind: "itf-14", parts: [{ field: of, ai: "", value }] };
  if (as === "code128") return { kind: "code-128", parts: [{ field: of, ai: "", value }] };
  return gs1([{ field: of, ai, value }]);
}

/** Writes 2027-11-24 as 271124. */
const toGs1Date = (date: string): string => date.replaceAll("-", "").slice(2);

const symbolText = ({ kind, parts }: SymbolData): string =>
  kind === "gs1-128" ? toElementString(parts) : (parts[0]?.value ?? "");

function encode(data: SymbolData): BarCode {
  const text = symbolText(data);
  if (data.kind === "itf-14") return encodeItf14(text);
  return data.kind === "code-128" ? encodeCode128(text) : encodeGs1(text);
}

/**
 * Encodes a barcode and decodes its bars again before they are printed.
 * @throws BarcodeUnreadable if the bars do not decode to the data
 */
export function encodeSymbol(data: SymbolData): BarCode {
  const barCode = encode(data);
  const read = decodeBars(barWidths(barCode));
  const text = symbolText(data);
  if (read?.kind !== data.kind || read.data !== text)
    throw new BarcodeUnreadable(`The barcode of ${text} reads back as ${read?.data ?? "nothing"}.`);
  return barCode;
}

/** Human-readable text below the bars: identifiers in parentheses, an SSCC in its four parts. */
export function readableText({ parts }: SymbolData, prefix: string): string {
  const company = prefix === "" ? "" : `${prefix} `;
  return parts
    .map(({ ai, value }) => {
      if (ai === "") return value;
      if (ai !== "00") return `(${ai}) ${value}`;
      return `(00) ${value.charAt(0)} ${company}${value.slice(1 + prefix.length, 17)} ${value.charAt(17)}`;
    })
    .join(" ");
}

/** Why a barcode of a row cannot be printed: the column to correct, and the fault. */
export type SymbolFault = { field: Field; ai: string; value: string; shown: string } & (
  | { fault: ElementFault }
  | { widthMm: number; roomMm: number }
);

/** Faults that only mean too long; the measured width explains that better. */
const TOO_LONG = ["too_wide", "too_many_characters"];

/** Checks that the barcodes of a row's label can be printed. The SSCC always fits. */
export function findSymbolFaults(
  bands: readonly Band[],
  row: LabelRow,
  { resolution, quietMm }: { resolution: Resolution; quietMm: number },
): SymbolFault[] {
  const zones = bands.flatMap((band) => band.zones);
  const found = zones.map(({ symbol }) => symbol && findSymbolData(symbol, { row, sscc: "0" }));
  // GS1 checks pairs of identifiers across all symbols of one carton.
  const identifiers = found.map((data) => data?.parts.map(({ ai }) => ai) ?? []);
  return zones.flatMap((zone, at) => {
    const data = found[at];
    if (!data || zone.symbol?.of === "sscc") return [];
    const onLabel = identifiers.filter((_, other) => other !== at).flat();
    return findFault(zone, data, { module: moduleMm(resolution), quietMm, onLabel }) ?? [];
  });
}

/** Lists the columns that the barcodes of a row's label have. */
export const listSymbolFields = (bands: readonly Band[], row: LabelRow): Set<Field> =>
  new Set(
    bands
      .flatMap(({ zones }) => zones)
      .flatMap(({ symbol }) => (symbol && findSymbolData(symbol, { row, sscc: "" })?.parts) ?? [])
      .map(({ field }) => field),
  );

function findFault(
  { width }: Zone,
  data: SymbolData,
  { module, quietMm, onLabel }: { module: number; quietMm: number; onLabel: readonly string[] },
): SymbolFault | null {
  const { kind, parts } = data;
  const longest = parts.toSorted((a, b) => b.value.length - a.value.length)[0];
  if (!longest) return null;
  const shown = readableText(data, "");
  if (kind === "gs1-128") {
    const fault = findElementFault(parts, module, onLabel);
    if (fault && !TOO_LONG.includes(fault.code)) {
      const { field, ai, value } = parts.find((part) => "ai" in fault && part.ai === fault.ai) ?? longest;
      return { field, ai, value, shown, fault };
    }
  } else if (kind === "code-128" && !CODE128_TEXT.test(longest.value))
    return { ...longest, shown, fault: { code: "value_not_valid", ai: "" } };
  const widthMm = countModules(encode(data)) * module + 2 * Math.max(QUIET_MODULES * module, quietMm);
  const roomMm = pointsToMm(width);
  return widthMm > roomMm ? { ...longest, shown, widthMm, roomMm } : null;
}
