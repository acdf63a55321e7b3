import { measureText } from "#formats/label/measure-text.ts";
import type { Band, Condition, LabelRow, Zone, ZoneLine } from "#features/labels/types.ts";

/** Room of a title above a barcode, and of its readable text below it, in points. */
export const TITLE_BASE = 10;
export const READABLE_SIZE = 9;
const READABLE_END = 4;
/** From the sides of a zone to its lines. */
export const PADDING = 8;
const LINES_END = 3;
/** The order's zone gets room for one more line while other zones have room to give. */
const ONE_MORE = 12.5;
/** Tolerance of heights, which are sums of many. */
export const ROUNDING = 0.01;

/** Texts and fields of a line in turn. */
export type LineParts = readonly { text: string; field: string }[];

/** A line with its parts and the width of its caption. */
export type PlacedLine = ZoneLine & { parts: LineParts; lead: number };

/** A zone at its place; `band` is its row among those of the label. */
export type Placed = {
  zone: Zone;
  lines: readonly PlacedLine[];
  band: number;
  x: number;
  y: number;
  height: number;
};

/** Conditions of the bands of a profile that a label meets. */
export function findConditions(bands: readonly Band[], row: LabelRow): readonly Condition[] {
  const has: Condition[] = [row.country === "US" ? "domestic" : "foreign"];
  for (const { when } of bands)
    if (when !== undefined && when !== "domestic" && when !== "foreign" && row[when] !== "") has.push(when);
  return [...new Set(has)];
}

/** Bands of the labels that meet some conditions. Labels within the US have no line of the country. */
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

/** Places zones from top to bottom. @param heights of the bands in points */
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
 * Heights for a label whose lines need more room in some bands: each gets what it needs, the "rest" band what is left.
 * @returns null when the label is too low
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

/** Usual heights. On a shorter label the other bands give some of their spare room to the "rest" band. */
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

/** Height that a band needs for its barcodes with the texts above and below them. */
export const symbolHeight = ({ zones }: Band): number =>
  Math.max(
    0,
    ...zones.flatMap(({ symbol }) =>
      symbol ? [TITLE_BASE + symbol.height + READABLE_SIZE + READABLE_END] : [],
    ),
  );

const linesHeight = ({ zones }: Band): number =>
  Math.max(...zones.map((zone) => zoneHeight(zone, lineHeights(zone))));

/** Height of a zone whose lines take a height. */
export const zoneHeight = (zone: Zone, lines: number): number =>
  lines === 0 ? 0 : linesTop(zone) + lines + LINES_END;

/** Height of the lines of a zone when all usual ones are filled. */
export const lineHeights = ({ lines = [] }: Zone): number =>
  lines.reduce((sum, { size, rare }) => sum + (rare ? 0 : leading(size)), 0);

/** Room for lines in a zone of a height. */
export const linesRoom = (zone: Zone, height: number): number => height - linesTop(zone) - LINES_END;

/** From the top of a zone to its lines. */
export const linesTop = ({ title }: Zone): number => (title === "" ? 4 : TITLE_BASE + 1);

export const leading = (size: number): number => size * 1.25;
