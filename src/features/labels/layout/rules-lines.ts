import { measureText } from "#formats/label/measure-text.ts";
import { pointsToMm } from "#formats/label/drawing.ts";
import { columnOf, fillLine, type Shown } from "#features/labels/layout/rules-content.ts";
import type { Field } from "#features/labels/sheet/rules-sheet.ts";
import { leading, PADDING, roomOf, type Placed } from "#features/labels/layout/rules-zones.ts";

/** A text of a zone: from the zone's left edge, and its base line from the top of the zone's lines. */
type SetText = { text: string; x: number; base: number; size: number; isBold: boolean };

/** A line as it was set, in as many parts as it was broken into where it is longer than its zone is wide. */
type SetLine = { line: Placed["lines"][number]; text: string; width: number; room: number; parts: number };

export type SetZone = { texts: SetText[]; lines: SetLine[]; height: number };

/** Texts above this size are as large as their zone lets them be, and no smaller than this. */
const LARGE = 14;

/** Sets the lines of a zone in their sizes, one below the other; what is too long for one goes on in the next. */
export function setLines({ zone, lines }: Pick<Placed, "zone" | "lines">, shown: Shown): SetZone {
  const set: SetZone = { texts: [], lines: [], height: 0 };
  const width = zone.width - 2 * PADDING;
  for (const line of lines) {
    const text = fillLine(line.parts, shown);
    if (text === "") continue;
    const { caption, size: wanted } = line;
    const isBold = line.bold === true;
    const wide = measureText(text, wanted, isBold);
    const size = sizeOf(wanted, wide, width);
    const lead = (line.lead * size) / wanted;
    const full = (wide * size) / wanted;
    const room = width - lead;
    const widthOf = (part: string) => measureText(part, size, isBold);
    const broken = full <= room ? [text] : breakText(text, { first: room, width }, widthOf);
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

const sizeOf = (wanted: number, width: number, room: number): number =>
  wanted <= LARGE || width <= room ? wanted : Math.max(LARGE, Math.floor((wanted * room * 10) / width) / 10);

type Rooms = { first: number; width: number };

/** Parts that fit, broken between words, and in a word only where it is longer than a line. */
function breakText(text: string, { first, width }: Rooms, widthOf: (part: string) => number): string[] {
  const parts: string[] = [];
  let part = "";
  const room = () => (parts.length === 0 ? first : width);
  for (const word of text.split(" ")) {
    const longer = part === "" ? word : `${part} ${word}`;
    if (widthOf(longer) <= room()) {
      part = longer;
      continue;
    }
    // Behind a caption even the first word may begin a line of its own.
    if (part !== "" || room() < width) parts.push(part);
    part = word;
    while (widthOf(part) > width) {
      const count = countOf(part, width, widthOf);
      parts.push(part.slice(0, count));
      part = part.slice(count);
    }
  }
  return [...parts, part];
}

/** How many of a text's first characters fit, one at least. */
function countOf(text: string, room: number, widthOf: (part: string) => number): number {
  let count = text.length;
  while (count > 1 && widthOf(text.slice(0, count)) > room) count -= 1;
  return count;
}

/** Why a zone of a label cannot hold its lines: the one to shorten, or how much too low it is for all of them. */
export type TextFault = {
  letter: string;
  /** The column of the sheet that the line is of; null for a line of the ship-from address. */
  field: Field | null;
  text: string;
  overMm: number;
  /** Of a line that is longer than its zone is wide. */
  long: { widthMm: number; roomMm: number; count: number } | null;
};

/** What keeps a zone from holding its lines; null when it holds them. */
export function textFault(place: Placed, { lines, height }: SetZone, shown: Shown): TextFault | null {
  const over = height - roomOf(place.zone, place.height);
  if (over <= ROUNDING) return null;
  const byParts = lines.toSorted((one, other) => other.parts - one.parts || other.width - one.width);
  const [longest] = byParts;
  const isLong = longest !== undefined && longest.parts > 1;
  const line = isLong
    ? longest
    : byParts.find(({ line: { parts } }) => parts.some(({ field }) => columnOf(field) !== null));
  const { text = "", width = 0, room = 1 } = line ?? {};
  const fields = line?.line.parts.map(({ field }) => field) ?? [];
  const widths = { widthMm: pointsToMm(width), roomMm: pointsToMm(room) };
  return {
    letter: place.zone.letter,
    field: longestField(fields, shown),
    text,
    overMm: pointsToMm(over),
    long: isLong ? { ...widths, count: Math.floor((text.length * room) / width) } : null,
  };
}

/** Heights are sums of many. */
export const ROUNDING = 0.01;

function longestField(fields: readonly string[], shown: Shown): Field | null {
  const lengthOf = (field: string) => fillLine([{ text: "", field }], shown).length;
  const longest = fields.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  return longest.map(columnOf).find((field) => field !== null) ?? null;
}
