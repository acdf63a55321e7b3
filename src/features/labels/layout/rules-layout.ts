import { encodeGs1, modulesOf, QUIET_MODULES } from "#formats/gs1/code128.ts";
import {
  findElementFault,
  toElementString,
  type Element,
  type ElementFault,
} from "#formats/gs1/element-strings.ts";
import {
  LABEL_SIZE,
  moduleMm,
  modulePoints,
  pointsToMm,
  toDots,
  type DrawnRule,
  type DrawnSymbol,
  type DrawnText,
  type Drawing,
  type Resolution,
} from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
import type {
  Band,
  Condition,
  Profile,
  SymbolSource,
  Zone,
  ZoneLine,
} from "#features/labels/layout/rules-profiles.ts";
import {
  elementOf,
  fillLine,
  partsOf,
  readableOf,
  type Carton,
  type LineParts,
  type ShipFrom,
} from "#features/labels/layout/rules-content.ts";

const PADDING = 8;
const TITLE_SIZE = 6.5;
const TITLE_BASE = 10;
const READABLE_SIZE = 9;
const RULE = 1;

/** Why a bar code of a row cannot be printed: its place in the profile, and what is wrong. */
export type SymbolFault = { of: SymbolSource; element: Element } & (
  | { fault: ElementFault }
  | { widthMm: number; roomMm: number }
);

type Placed = { zone: Zone; lines: readonly Line[]; x: number; y: number; height: number };
type Line = ZoneLine & { parts: LineParts };

/** Draws the labels of a profile for a printer. */
export function createLayout(profile: Profile, resolution: Resolution) {
  // Every label has one of these in common with others, by which of the profile's bands it has.
  const variants = VARIANTS.map((has) => placeZones(profile.bands, (when) => has.includes(when)));
  const variantOf = (row: LabelRow) => (row.country === "US" ? 0 : 2) + (row.markFor === "" ? 0 : 1);
  const wordsOf = rememberWords();
  return {
    commons: variants.map(drawCommon),
    draw: (
      carton: Carton,
      { from, prefix }: { from: ShipFrom; prefix: string },
    ): { common: number; own: Drawing } => {
      const common = variantOf(carton.row);
      const texts: DrawnText[] = [];
      const symbols: DrawnSymbol[] = [];
      for (const place of variants[common] ?? []) {
        drawLines(place, { carton, from }, texts);
        drawSymbol(place, { carton, prefix, resolution, wordsOf }, { texts, symbols });
      }
      return { common, own: { texts, rules: [], symbols } };
    },
    /** The bar codes of a row that cannot be printed as they must be. The carton's own number always fits. */
    findFaults: (row: LabelRow): SymbolFault[] =>
      (variants[variantOf(row)] ?? []).flatMap(({ zone }) => symbolFault(zone, row, resolution) ?? []),
  };
}
export type Layout = ReturnType<typeof createLayout>;

const VARIANTS: readonly (readonly Condition[])[] = [
  ["domestic"],
  ["domestic", "markFor"],
  ["foreign"],
  ["foreign", "markFor"],
];

/** Zones of the bands that a label has, from top to bottom. */
function placeZones(bands: readonly Band[], has: (when: Condition) => boolean): Placed[] {
  const shown = bands.filter(({ when }) => when === undefined || has(when));
  const taken = shown.reduce((sum, { height }) => sum + (height === "rest" ? 0 : height), 0);
  let y = 0;
  return shown.flatMap((band) => {
    let x = 0;
    const top = y;
    const height = band.height === "rest" ? LABEL_SIZE.height - taken : band.height;
    y += height;
    return band.zones.map((zone) => {
      const left = x;
      x += zone.width;
      const lines = (zone.lines ?? []).map((each) => ({ ...each, parts: partsOf(each.text) }));
      return { zone, lines, x: left, y: top, height };
    });
  });
}

function drawCommon(places: readonly Placed[]): Drawing {
  const texts = places.flatMap(({ zone, x, y }) =>
    zone.title === ""
      ? []
      : [line(zone.title, { x: x + PADDING, y: y + TITLE_BASE, size: TITLE_SIZE, isBold: true })],
  );
  const across = [...new Set(places.map(({ y }) => y))]
    .filter((y) => y > 0)
    .map((y): DrawnRule => ({ x: 0, y: y - RULE / 2, width: LABEL_SIZE.width, height: RULE }));
  const down = places
    .filter(({ x, zone }) => x > 0 && !zone.joined)
    .map(({ x, y, height }): DrawnRule => ({ x: x - RULE / 2, y, width: RULE, height }));
  return { texts, rules: [...across, ...down], symbols: [] };
}

const line = (text: string, look: Pick<DrawnText, "x" | "y" | "size" | "isBold">): DrawnText => ({
  text,
  align: "left",
  stretch: 1,
  ...look,
});

function drawLines(
  { zone, lines: all, x, y, height }: Placed,
  shown: { carton: Carton; from: ShipFrom },
  texts: DrawnText[],
): void {
  const lines: ZoneLine[] = [];
  for (const { caption, parts, size, bold } of all) {
    const text = fillLine(parts, shown);
    if (text !== "") lines.push({ text, size, ...(caption ? { caption } : {}), ...(bold ? { bold } : {}) });
  }
  if (lines.length === 0) return;
  const top = y + (zone.title === "" ? 4 : TITLE_BASE + 1);
  const needed = lines.reduce((sum, { size }) => sum + leading(size), 0);
  // Lines come closer together, and smaller, before one of them leaves its zone.
  const scale = Math.min(1, (y + height - 3 - top) / needed);
  let base = top;
  for (const each of lines) {
    base += leading(each.size) * scale;
    const size = Math.min(each.size, each.size * scale * 1.05);
    drawLine(
      { ...each, size },
      { x: x + PADDING, y: base - size * 0.15, width: zone.width - 2 * PADDING },
      texts,
    );
  }
}

const leading = (size: number) => size * 1.25;

function drawLine(
  { caption, text, size, bold }: ZoneLine,
  { x, y, width }: { x: number; y: number; width: number },
  texts: DrawnText[],
): void {
  const isBold = bold === true;
  const lead = caption === undefined ? 0 : measureText(`${caption} `, size, true);
  const full = lead + measureText(text, size, isBold);
  // A long text is set narrower, never cut.
  const stretch = full > width ? Math.floor((width / full) * 1000) / 1000 : 1;
  if (caption !== undefined) texts.push({ ...line(caption, { x, y, size, isBold: true }), stretch });
  texts.push({ ...line(text, { x: x + lead * stretch, y, size, isBold }), stretch });
}

type SymbolContext = {
  carton: Carton;
  prefix: string;
  resolution: Resolution;
  wordsOf: (data: string) => readonly number[];
};

function drawSymbol(
  { zone, x, y, height }: Placed,
  { carton, prefix, resolution, wordsOf }: SymbolContext,
  { texts, symbols }: { texts: DrawnText[]; symbols: DrawnSymbol[] },
): void {
  const { symbol } = zone;
  const element = symbol && elementOf(symbol.of, symbol.ai, carton);
  if (!symbol || !element) return;
  const words = wordsOf(toElementString([element]));
  const width = modulesOf(words) * modulePoints(resolution);
  const leftDots = toDots(x + (zone.width - width) / 2, resolution);
  const top = y + (height - symbol.height - READABLE_SIZE - TITLE_BASE) / 2 + TITLE_BASE;
  symbols.push({ words, leftDots, y: top, height: symbol.height });
  texts.push({
    ...line(readableOf(element, prefix), {
      x: x + zone.width / 2,
      y: top + symbol.height + READABLE_SIZE,
      size: READABLE_SIZE,
      isBold: false,
    }),
    align: "center",
  });
}

/** Cartons of one order go to one place: their bar codes are encoded once. */
function rememberWords() {
  const known = new Map<string, readonly number[]>();
  return (data: string): readonly number[] => {
    const before = known.get(data);
    if (before) return before;
    if (known.size >= MAX_KNOWN) known.clear();
    const words = encodeGs1(data);
    known.set(data, words);
    return words;
  };
}

const MAX_KNOWN = 500;

function symbolFault({ symbol, width }: Zone, row: LabelRow, resolution: Resolution): SymbolFault | null {
  if (!symbol || symbol.of === "sscc") return null;
  const element = elementOf(symbol.of, symbol.ai, { row, sscc: "" });
  if (!element) return null;
  const fault = findElementFault([element], moduleMm(resolution));
  if (fault) return { of: symbol.of, element, fault };
  const modules = modulesOf(encodeGs1(toElementString([element]))) + 2 * QUIET_MODULES;
  const widthMm = modules * moduleMm(resolution);
  const roomMm = pointsToMm(width);
  return widthMm > roomMm ? { of: symbol.of, element, widthMm, roomMm } : null;
}
