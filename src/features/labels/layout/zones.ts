import { measureText } from "#formats/label/measure-text.ts";
import type { Band, Condition, LabelRow, Zone, ZoneLine } from "#features/labels/types.ts";

/** Space for a title above a barcode, and for its readable text below it, in points. */
export const TITLE_BASE = 10;
export const READABLE_SIZE = 9;
const READABLE_END = 4;
/** Space between the sides of a zone and its lines. */
export const PADDING = 8;
const LINES_END = 3;
/** The order's zone gets space for one more line as long as other zones have some to spare. */
const ONE_MORE = 12.5;
/** Tolerance for summed heights. */
export const ROUNDING = 0.01;

/** Alternating texts and fields of a line. */
export type LineParts = readonly { text: string; field: string }[];

/** A line with its parts and the width of its caption. */
export type PlacedLine = ZoneLine & { parts: LineParts; lead: number };

/** A positioned zone; `band` is the index of its row on the label. */
export type Placed = {
  zone: Zone;
  lines: readonly PlacedLine[];
  band: number;
  x: number;
  y: number;
  height: number;
};

/** Conditions in a profile's bands that a label meets. */
export function findConditions(bands: readonly Band[], row: LabelRow): readonly Condition[] {
  const has: Condition[] = [row.country === "US" ? "domestic" : "foreign"];
  for (const { when } of bands)
    if (when !== undefined && when !== "domestic" && when !== "foreign" && row[when] !== "") has.push(when);
  return [...new Set(has)];
}

/** Bands of labels that meet some conditions. Labels within the US have no country line. */
export const bandsFor = (bands: readonly Band[], has: readonly Condition[]): readonly Band[] =>
  bands
    .filter(({ when }) => when === undefined || has.includes(when))
    .map((band) => (has.includes("foreign") ? band : withoutCountry(band)));

const withoutCountry = (band: Band): Band => ({
  ...band,
  zones: band.zones.map((zone) => ({
    ...zone,
    lines: zone.lines?.filter(({ text }) => text !== "{foreignCountry}") ?? [],
  })),
});

/** Splits "{city}, {state}" into its fields, each with the text in front of it. */
const parseLine = (template: string): LineParts =>
  template
    .split("}")
    .map((part) => ({ text: part.split("{")[0] ?? "", field: part.split("{")[1] ?? "" }))
    .filter(({ text, field }) => text !== "" || field !== "");

/** Places zones from top to bottom. @param heights heights of the bands in points */
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
      const lines = (zone.lines ?? []).map((line) => ({
        ...line,
        parts: parseLine(line.text),
        lead: line.caption === undefined ? 0 : measureText(`${line.caption} `, line.size, true),
      }));
      return { zone, lines, band, x: left, y: top, height };
    });
  });
}

/**
 * Heights for a label whose lines need more space in some bands: each band gets what it needs, and "rest"
 * gets the remainder.
 * @returns null if the label is too short
 */
export function fitHeights(
  bands: readonly Band[],
  needs: readonly number[],
  labelHeight: number,
): number[] | null {
  const least = bands.map((band, at) => Math.max(symbolHeight(band), needs[at] ?? 0));
  const left = labelHeight - least.reduce((sum, height) => sum + height, 0);
  return left < 0 ? null : least.map((height, at) => (bands[at]?.height === "rest" ? height + left : height));
}

/** Usual heights. On a shorter label, the other bands give some of their spare space to "rest". */
export function usualHeights(bands: readonly Band[], labelHeight: number): number[] {
  const taken = bands.reduce((sum, { height }) => sum + (height === "rest" ? 0 : height), 0);
  const spare = bands.map((band) =>
    band.height === "rest" ? 0 : Math.max(0, band.height - Math.max(symbolHeight(band), linesHeight(band))),
  );
  const allSpare = spare.reduce((sum, each) => sum + each, 0);
  const rest = bands.find(({ height }) => height === "rest");
  const wanted = rest ? linesHeight(rest) + ONE_MORE : 0;
  const missing = Math.min(allSpare, Math.max(0, wanted - (labelHeight - taken)));
  const share = allSpare === 0 ? 0 : missing / allSpare;
  return bands.map(({ height }, at) =>
    height === "rest" ? labelHeight - taken + missing : height - share * (spare[at] ?? 0),
  );
}

/** Height that a band needs for its barcodes and the texts above and below them. */
export const symbolHeight = ({ zones }: Band): number =>
  Math.max(
    0,
    ...zones.flatMap(({ symbol }) =>
      symbol ? [TITLE_BASE + symbol.height + READABLE_SIZE + READABLE_END] : [],
    ),
  );

const linesHeight = ({ zones }: Band): number =>
  Math.max(...zones.map((zone) => zoneHeight(zone, lineHeights(zone))));

/** Height of a zone whose lines have a given total height. */
export const zoneHeight = (zone: Zone, lines: number): number =>
  lines === 0 ? 0 : linesTop(zone) + lines + LINES_END;

/** Total height of a zone's lines if all usual ones are filled. */
export const lineHeights = ({ lines = [] }: Zone): number =>
  lines.reduce((sum, { size, rare }) => sum + (rare ? 0 : leading(size)), 0);

/** Space for lines in a zone of a given height. */
export const linesRoom = (zone: Zone, height: number): number => height - linesTop(zone) - LINES_END;

/** Distance from the top of a zone to its lines. */
export const linesTop = ({ title }: Zone): number => (title === "" ? 4 : TITLE_BASE + 1);

export const leading = (size: number): number => size * 1.25;
