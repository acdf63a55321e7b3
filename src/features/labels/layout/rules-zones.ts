import { measureText } from "#formats/label/measure-text.ts";
import {
  type Band,
  type Condition,
  type Zone,
  type ZoneLine,
} from "#features/labels/layout/rules-profiles.ts";
import { partsOf, type LineParts } from "#features/labels/layout/rules-content.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** Room of a title above a bar code, and of what it holds below it, in points. */
export const TITLE_BASE = 10;
export const READABLE_SIZE = 9;
const READABLE_END = 4;
/** From the sides of a zone to its lines. */
export const PADDING = 8;
/** The order's own zone has room for one line more than its own, while others have room to give. */
const ONE_MORE = 12.5;

/** A line with its parts, and how wide its caption is. */
type Line = ZoneLine & { parts: LineParts; lead: number };
/** A zone at its place; `band` is its row among those of the label. */
export type Placed = {
  zone: Zone;
  lines: readonly Line[];
  band: number;
  x: number;
  y: number;
  height: number;
};

/** Labels that differ in which bands they have. */
export const VARIANTS: readonly (readonly Condition[])[] = [
  ["domestic"],
  ["domestic", "markFor"],
  ["foreign"],
  ["foreign", "markFor"],
];

export const variantOf = (row: LabelRow): number =>
  (row.country === "US" ? 0 : 2) + (row.markFor === "" ? 0 : 1);

export const bandsOf = (bands: readonly Band[], has: readonly Condition[]): readonly Band[] =>
  bands
    .filter(({ when, off }) => !off && (when === undefined || has.includes(when)))
    .map((band) => (has.includes("foreign") ? band : withoutCountry(band)));

/** Labels within the US leave the line of the country blank. */
const withoutCountry = (band: Band): Band => ({
  ...band,
  zones: band.zones.map((zone) => ({
    ...zone,
    lines: zone.lines?.filter(({ text }) => text !== "{foreignCountry}"),
  })),
});

const leadOf = ({ caption, size }: ZoneLine): number =>
  caption === undefined ? 0 : measureText(`${caption} `, size, true);

/** Zones from top to bottom. @param heights of the bands in points */
export function placeZones(bands: readonly Band[], heights: readonly number[]): Placed[] {
  let y = 0;
  return bands.flatMap(({ zones }, band) => {
    let x = 0;
    const top = y;
    const height = heights[band] ?? 0;
    y += height;
    return zones.map((zone) => {
      const left = x;
      x += zone.width;
      const lines = (zone.lines ?? []).map((each) => ({
        ...each,
        parts: partsOf(each.text),
        lead: leadOf(each),
      }));
      return { zone, lines, band, x: left, y: top, height };
    });
  });
}

/**
 * Heights for a label whose lines need more here and less there: none but what it needs, and the rest for the band
 * without a height of its own. @returns null when the label is too low for that
 */
export function heightsFor(
  bands: readonly Band[],
  needs: readonly number[],
  labelHeight: number,
): number[] | null {
  const least = bands.map((band, at) => Math.max(leastHeightOf(band), needs[at] ?? 0));
  const left = labelHeight - least.reduce((sum, height) => sum + height, 0);
  return left < 0 ? null : least.map((height, at) => (bands[at]?.height === "rest" ? height + left : height));
}

/** The band without a height of its own takes what is left; on a shorter label others give it some of theirs. */
export function heightsOf(bands: readonly Band[], labelHeight: number): number[] {
  const taken = takenBy(bands);
  const extra = bands.reduce((sum, band) => sum + extraOf(band), 0);
  const rest = bands.find(({ height }) => height === "rest");
  const wanted = rest ? linesHeightOf(rest) + ONE_MORE : 0;
  const missing = Math.min(extra, Math.max(0, wanted - (labelHeight - taken)));
  const share = extra === 0 ? 0 : missing / extra;
  return bands.map((band) =>
    band.height === "rest" ? labelHeight - taken + missing : band.height - share * extraOf(band),
  );
}

/** Height of the bands that have one of their own. */
export const takenBy = (bands: readonly Band[]): number =>
  bands.reduce((sum, { height }) => sum + (height === "rest" ? 0 : height), 0);

const extraOf = (band: Band): number =>
  band.height === "rest" ? 0 : Math.max(0, band.height - Math.max(leastHeightOf(band), linesHeightOf(band)));

/** What a band needs for its bar codes, with what is printed above and below them. */
export const leastHeightOf = ({ zones }: Band): number =>
  Math.max(
    0,
    ...zones.flatMap(({ symbol }) =>
      symbol ? [TITLE_BASE + symbol.height + READABLE_SIZE + READABLE_END] : [],
    ),
  );

const linesHeightOf = ({ zones }: Band): number =>
  Math.max(...zones.map((zone) => heightFor(zone, needOf(zone))));

/** Height of a zone whose lines need a height. */
export const heightFor = (zone: Zone, needed: number): number =>
  needed === 0 ? 0 : linesTop(zone) + needed + LINES_END;

/** What the lines of a zone need when all of them are filled, and the room that there is for them. */
export const needOf = ({ lines = [] }: Zone): number =>
  lines.reduce((sum, { size }) => sum + leading(size), 0);
export const roomOf = (zone: Zone, height: number): number => height - linesTop(zone) - LINES_END;

/** From the top of a zone to its lines. */
export const linesTop = ({ title }: Zone): number => (title === "" ? 4 : TITLE_BASE + 1);
const LINES_END = 3;

export const leading = (size: number): number => size * 1.25;
