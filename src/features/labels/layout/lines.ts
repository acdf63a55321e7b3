import { pointsToMm } from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import {
  leading,
  linesRoom,
  PADDING,
  ROUNDING,
  type LineParts,
  type Placed,
  type PlacedLine,
} from "#features/labels/layout/zones.ts";
import { labelSheet, type Field } from "#features/labels/sheet.ts";
import type { Carton, LabelRow, ShipFrom } from "#features/labels/types.ts";

/** Content of one label. */
export type Shown = { carton: Carton; from: ShipFrom };

/** Fields of lines besides the columns of the sheet. */
const COMPUTED: ReadonlyMap<string, (shown: Shown) => string> = new Map(
  Object.entries({
    qty: ({ carton: { row } }) => (row.qty < 1000 ? String(row.qty) : row.qty.toLocaleString("en-US")),
    foreignCountry: ({ carton: { row } }) => (row.country === "US" ? "" : row.country),
    cartonOf: ({ carton: { carton, cartonCount } }) =>
      carton === null
        ? `${cartonCount} on pallet`
        : cartonCount === null
          ? `${carton}`
          : `${carton} of ${cartonCount}`,
    bestBefore: ({ carton: { row } }) => toUsDate(row.bestBefore),
    expiry: ({ carton: { row } }) => toUsDate(row.expiry),
    fromName: ({ from }) => from.name,
    fromAddress1: ({ from }) => from.address1,
    fromAddress2: ({ from }) => from.address2,
    fromCity: ({ from }) => from.city,
    fromState: ({ from }) => from.state,
    fromPostalCode: ({ from }) => from.postalCode,
  } satisfies Record<string, (shown: Shown) => string>),
);

/** Writes 2027-11-24 as 11/24/2027. */
const toUsDate = (date: string): string => date.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1");

const COUNTED: Readonly<Record<string, Field>> = {
  cartonOf: "cartonCount",
  foreignCountry: "country",
};

/** Finds the column that fills a field of a line; null for the ship-from address. */
const findColumn = (field: string): Field | null =>
  labelSheet.names.find((name) => name === (COUNTED[field] ?? field)) ?? null;

/** Whether a line can name a field. */
export const isField = (field: string): boolean => COMPUTED.has(field) || findColumn(field) !== null;

/** Replaces fields by their values; empty without any value. Text between two fields needs both. */
function fillLine(parts: LineParts, shown: Shown): string {
  let line = parts.length === 1 && parts[0]?.field === "" ? parts[0].text : "";
  for (const { text, field } of parts) {
    const value = readField(field, shown);
    if (value !== "") line += line === "" ? value : `${text}${value}`;
  }
  return line;
}

function readField(field: string, shown: Shown): string {
  const compute = COMPUTED.get(field);
  if (compute) return compute(shown);
  const { row } = shown.carton;
  return String((Object.hasOwn(row, field) ? row[field as keyof LabelRow] : null) ?? "");
}

/** Text within a zone: `x` from the zone's left edge, `base` (baseline) from the top of its lines. */
type SetText = { text: string; x: number; base: number; size: number; isBold: boolean };

/** A line and the number of parts it was broken into. */
type SetLine = { line: PlacedLine; text: string; width: number; room: number; parts: number };

export type SetZone = { texts: SetText[]; lines: SetLine[]; height: number };

/** Larger text shrinks to the width of its zone, but not below this size. */
const LARGE = 14;

/** Stacks the lines of a zone in their font sizes; wraps a line that is too long. */
export function setLines({ zone, lines }: Pick<Placed, "zone" | "lines">, shown: Shown): SetZone {
  const set: SetZone = { texts: [], lines: [], height: 0 };
  const width = zone.width - 2 * PADDING;
  for (const line of lines) {
    const text = fillLine(line.parts, shown);
    if (text === "") continue;
    const { caption, size: wanted } = line;
    const isBold = line.bold === true;
    const wide = measureText(text, wanted, isBold);
    const shrunk = Math.max(LARGE, Math.floor((wanted * width * 10) / wide) / 10);
    const size = wanted <= LARGE || wide <= width ? wanted : shrunk;
    const lead = (line.lead * size) / wanted;
    const full = (wide * size) / wanted;
    const room = width - lead;
    const measure = (part: string) => measureText(part, size, isBold);
    const broken = full <= room ? [text] : breakText(text, { first: room, width }, measure);
    for (const [at, part] of broken.entries()) {
      set.height += leading(size);
      const base = set.height - size * 0.15;
      if (at === 0 && caption !== undefined)
        set.texts.push({ text: caption, x: PADDING, base, size, isBold: true });
      if (part !== "") set.texts.push({ text: part, x: PADDING + (at === 0 ? lead : 0), base, size, isBold });
    }
    set.lines.push({ line, text, width: full, room, parts: broken.length });
  }
  return set;
}

/** Breaks text between words, and within a word only if it is longer than a line. */
function breakText(
  text: string,
  { first, width }: { first: number; width: number },
  measure: (part: string) => number,
): string[] {
  const parts: string[] = [];
  let part = "";
  const room = () => (parts.length === 0 ? first : width);
  for (const word of text.split(" ")) {
    const longer = part === "" ? word : `${part} ${word}`;
    if (measure(longer) <= room()) {
      part = longer;
      continue;
    }
    // After a caption, even the first word may wrap.
    if (part !== "" || room() < width) parts.push(part);
    part = word;
    while (measure(part) > width) {
      let count = part.length;
      while (count > 1 && measure(part.slice(0, count)) > width) count -= 1;
      parts.push(part.slice(0, count));
      part = part.slice(count);
    }
  }
  return [...parts, part];
}

/** Why a zone cannot hold its lines: the line to shorten, or the total height missing. */
export type TextFault = {
  letter: string;
  /** Column that fills the line; null for the ship-from address. */
  field: Field | null;
  text: string;
  overMm: number;
  /** Set for a line wider than its zone. */
  long: { widthMm: number; roomMm: number; count: number } | null;
};

/** Checks that the lines fit in a zone. */
export function findTextFault(place: Placed, { lines, height }: SetZone, shown: Shown): TextFault | null {
  const over = height - linesRoom(place.zone, place.height);
  if (over <= ROUNDING) return null;
  const byParts = lines.toSorted((a, b) => b.parts - a.parts || b.width - a.width);
  const [longest] = byParts;
  const isLong = longest !== undefined && longest.parts > 1;
  const line = isLong
    ? longest
    : byParts.find(({ line: { parts } }) => parts.some(({ field }) => findColumn(field) !== null));
  const { text = "", width = 0, room = 1 } = line ?? {};
  const fields = line?.line.parts.map(({ field }) => field) ?? [];
  const byLength = fields.toSorted((a, b) => readField(b, shown).length - readField(a, shown).length);
  return {
    letter: place.zone.letter,
    field: byLength.map(findColumn).find((field) => field !== null) ?? null,
    text,
    overMm: pointsToMm(over),
    long: isLong
      ? {
          widthMm: pointsToMm(width),
          roomMm: pointsToMm(room),
          count: Math.floor((text.length * room) / width),
        }
      : null,
  };
}
