import { quote } from "#formats/text/phrases.ts";
import { characterName } from "#features/sheets/reading.ts";
import type { SymbolFault } from "#features/labels/layout/rules-symbols.ts";
import type { ProfileFault } from "#features/labels/layout/rules-faults.ts";

const mm = (value: string | number | undefined): string => `${Number(value).toFixed(1)} mm`;

/** Why labels cannot be printed by a profile, for whoever edits it. */
export function faultSentence({ code, zone, params }: ProfileFault): string {
  const place = `Zone ${zone}`;
  const sentences: Record<ProfileFault["code"], () => string> = {
    zone_order: () => "Zones must follow each other from A to I.",
    band_width: () =>
      `${zone.includes(" ") ? `Zones ${zone} are` : `${place} is`} ${params["width"]} points wide; together they must be 288, as wide as a label.`,
    no_rest: () => "One row of zones, and only one, takes the remaining height.",
    too_high: () => `The rows are ${mm(params["overMm"])} too high for a label of 6 in. Lower some of them.`,
    sscc_place: () =>
      "Zone I must be printed on every label, last, with the SSCC barcode, which no other zone has.",
    symbol_low: () =>
      `${place}: the barcode is ${mm(params["heightMm"])} high; it must be ${mm(params["leastMm"])} or more.`,
    symbol_room: () =>
      `${place}: the barcode and its text need a row of ${mm(params["leastMm"])}. Make the row higher.`,
    symbol_wide: () =>
      `${place}: the SSCC with its quiet zones is ${mm(params["widthMm"])} wide; its place is ${mm(params["roomMm"])}. Make the zone wider or the quiet zones narrower.`,
    symbol_lines: () =>
      `${place}: its lines would be printed over its barcode. Remove the lines, or put the barcode in a zone of its own.`,
    identifier: () =>
      `${place}: application identifier ${params["ai"]} isn't one for this barcode. Stores have 90 to 99, or 410 or 413 for their GLN; purchase orders 400 or 90 to 99; bills of lading 402 or 90 to 99; all others none.`,
    unknown_field: () =>
      `${place}: ${quote(String(params["field"]))} is no field of a label. Choose one of the fields in braces.`,
    unknown_column: () => `${quote(String(params["column"]))} is no column of the sheet.`,
    line_room: () =>
      `${place}: its lines need ${mm(params["overMm"])} more. Make the row higher, or the lines smaller or fewer.`,
    not_printable: () =>
      `${place} has the character ${characterName(String(params["character"]))}, which the label font can't print.`,
  };
  return sentences[code]();
}

/** Why a barcode of the sample is not printed as it must be: rows like it are refused. */
export function sampleSentence(fault: SymbolFault): string {
  const shown = `(${fault.element.ai}) ${fault.element.value}`;
  return "fault" in fault
    ? `The barcode ${shown} of the sample isn't allowed in GS1-128. Rows like it are refused.`
    : `The barcode ${shown} of the sample is ${mm(fault.widthMm)} wide with its quiet zones; its zone holds ${mm(fault.roomMm)}. Rows like it are refused: make the zone wider.`;
}
