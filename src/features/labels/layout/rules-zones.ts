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
const READABLE_END = 6;

/** The order's own zone is never lower on a shorter label while others have room to give. */
const LEAST_REST = 80;
/** A text is never set smaller than this share of its size in a profile that is good. */
export const LEAST_SCALE = 0.75;

type Line = ZoneLine & { parts: LineParts };
export type Placed = { zone: Zone; lines: readonly Line[]; x: number; y: number; height: number };

/** Labels that differ in which bands they have. */
export const VARIANTS: readonly (readonly Condition[])[] = [
  ["domestic"],
  ["domestic", "markFor"],
  ["foreign"],
  ["foreign", "markFor"],
];

export const variantOf = (row: LabelRow): number =>
  (row.country === "US" ? 0 : 2) + (row.markFor === "" ? 0 : 1);

/** Zones of the bands that each variant of a label has, from top to bottom. @param height of the label in points */
export const placeVariants = (bands: readonly Band[], height: number): Placed[][] =>
  VARIANTS.map((has) => placeZones(bandsOf(bands, has), height));

export const bandsOf = (bands: readonly Band[], has: readonly Condition[]): readonly Band[] =>
  bands.filter(({ when, off }) => !off && (when === undefined || has.includes(when)));

function placeZones(bands: readonly Band[], labelHeight: number): Placed[] {
  const heights = heightsOf(bands, labelHeight);
  let y = 0;
  return bands.flatMap((band, at) => {
    let x = 0;
    const top = y;
    const height = heights[at] ?? 0;
    y += height;
    return band.zones.map((zone) => {
      const left = x;
      x += zone.width;
      const lines = (zone.lines ?? []).map((each) => ({ ...each, parts: partsOf(each.text) }));
      return { zone, lines, x: left, y: top, height };
    });
  });
}

/** The band without a height of its own takes what is left; on a shorter label others give it some of theirs. */
export function heightsOf(bands: readonly Band[], labelHeight: number): number[] {
  const taken = takenBy(bands);
  const extra = bands.reduce((sum, band) => sum + extraOf(band), 0);
  const missing = Math.min(extra, Math.max(0, LEAST_REST - (labelHeight - taken)));
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
  Math.max(...zones.map((zone) => linesTop(zone) + needOf(zone) * LEAST_SCALE + LINES_END));

/** What the lines of a zone need when all of them are filled, and the room there is for them. */
export const needOf = ({ lines = [] }: Zone): number =>
  lines.reduce((sum, { size }) => sum + leading(size), 0);
export const roomOf = (zone: Zone, height: number): number => height - linesTop(zone) - LINES_END;

/** From the top of a zone to its lines. */
export const linesTop = ({ title }: Zone): number => (title === "" ? 4 : TITLE_BASE + 1);
const LINES_END = 3;

export const leading = (size: number): number => size * 1.25;
