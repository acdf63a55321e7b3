import { encodeGs1, modulesOf } from "#formats/gs1/code128.ts";
import { toElementString } from "#formats/gs1/element-strings.ts";
import {
  LABEL_SIZE,
  modulePoints,
  toDots,
  type DrawnLabel,
  type DrawnRule,
  type DrawnSymbol,
  type DrawnText,
  type Drawing,
  type Resolution,
} from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
import type { Profile } from "#features/labels/layout/rules-profiles.ts";
import {
  elementOf,
  fillLine,
  readableOf,
  type Carton,
  type ShipFrom,
} from "#features/labels/layout/rules-content.ts";
import { rememberWords, symbolFault, type SymbolFault } from "#features/labels/layout/rules-symbols.ts";
import {
  leading,
  linesTop,
  placeVariants,
  READABLE_SIZE,
  roomOf,
  TITLE_BASE,
  variantOf,
  type Placed,
} from "#features/labels/layout/rules-zones.ts";

const PADDING = 8;
const TITLE_SIZE = 6.5;
const RULE = 1;

/** Draws the labels of a profile for a printer. @param height of a label in points, that of its profile by default */
export function createLayout(profile: Profile, resolution: Resolution, height: number = LABEL_SIZE.height) {
  const variants = placeVariants(profile.bands, height).map((places) => {
    const [fixed, filled] = [places.filter(isFixed), places.filter((place) => !isFixed(place))];
    return { places, filled, commonOf: rememberCommon(places, fixed) };
  });
  const wordsOf = rememberWords();
  const placesOf = (row: LabelRow) => variants[variantOf(row)] ?? variants[0];
  return {
    draw: (carton: Carton, { from, prefix }: { from: ShipFrom; prefix: string }): DrawnLabel => {
      const texts: DrawnText[] = [];
      const symbols: DrawnSymbol[] = [];
      const { filled = [], commonOf } = placesOf(carton.row) ?? {};
      for (const place of filled) {
        drawLines(place, { carton, from }, texts);
        drawSymbol(place, { carton, prefix, resolution, wordsOf }, { texts, symbols });
      }
      return { common: commonOf?.(carton, from) ?? EMPTY, own: { texts, rules: [], symbols } };
    },
    /** The bar codes of a row that cannot be printed as they must be. The carton's own number always fits. */
    findFaults: (row: LabelRow): SymbolFault[] =>
      (placesOf(row)?.places ?? []).flatMap(
        ({ zone }) => symbolFault(zone, row, { resolution, quietMm: profile.quietMm }) ?? [],
      ),
  };
}
export type Layout = ReturnType<typeof createLayout>;

const EMPTY: Drawing = { texts: [], rules: [], symbols: [] };

/** The same on all labels that come from one place. */
const isFixed = ({ zone, lines }: Placed): boolean =>
  zone.symbol === undefined &&
  lines.every(({ parts }) => parts.every(({ field }) => field === "" || field.startsWith("from")));

/** Rules, titles and the ship-from address are drawn once. */
function rememberCommon(places: readonly Placed[], fixed: readonly Placed[]) {
  const known = new Map<ShipFrom, Drawing>();
  const base = drawCommon(places);
  return (carton: Carton, from: ShipFrom): Drawing => {
    const before = known.get(from);
    if (before) return before;
    const texts = [...base.texts];
    for (const place of fixed) drawLines(place, { carton, from }, texts);
    const common = { ...base, texts };
    known.set(from, common);
    return common;
  };
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

const line = (
  text: string,
  { x, y, size, isBold }: Pick<DrawnText, "x" | "y" | "size" | "isBold">,
): DrawnText => ({ text, x, y, size, isBold, align: "left", stretch: 1 });

function drawLines(
  { zone, lines: all, x, y, height }: Placed,
  shown: { carton: Carton; from: ShipFrom },
  texts: DrawnText[],
): void {
  const filled = all.map(({ parts }) => fillLine(parts, shown));
  let needed = 0;
  for (const [at, { size }] of all.entries()) if (filled[at] !== "") needed += leading(size);
  if (needed === 0) return;
  // Lines come closer together, and smaller, before one of them leaves its zone.
  const scale = Math.min(1, roomOf(zone, height) / needed);
  let base = y + linesTop(zone);
  for (const [at, { caption, size: wanted, bold }] of all.entries()) {
    const text = filled[at] ?? "";
    if (text === "") continue;
    base += leading(wanted) * scale;
    const size = Math.min(wanted, wanted * scale * 1.05);
    const place = { x: x + PADDING, y: base - size * 0.15, width: zone.width - 2 * PADDING };
    drawLine({ caption, text, size, isBold: bold === true }, place, texts);
  }
}

type LineToDraw = { caption?: string | undefined; text: string; size: number; isBold: boolean };

function drawLine(
  { caption, text, size, isBold }: LineToDraw,
  { x, y, width }: { x: number; y: number; width: number },
  texts: DrawnText[],
): void {
  const lead = caption === undefined ? 0 : measureText(`${caption} `, size, true);
  const full = lead + measureText(text, size, isBold);
  // A long text is set narrower, never cut.
  const stretch = full > width ? Math.floor((width / full) * 1000) / 1000 : 1;
  const align = "left";
  if (caption !== undefined) texts.push({ text: caption, x, y, size, isBold: true, align, stretch });
  texts.push({ text, x: x + lead * stretch, y, size, isBold, align, stretch });
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
  const data = toElementString([element]);
  // No other carton has the same number.
  const words = symbol.of === "sscc" ? encodeGs1(data) : wordsOf(data);
  const width = modulesOf(words) * modulePoints(resolution);
  const leftDots = toDots(x + (zone.width - width) / 2, resolution);
  const top = y + (height - symbol.height - READABLE_SIZE - TITLE_BASE) / 2 + TITLE_BASE;
  symbols.push({ words, leftDots, y: top, height: symbol.height });
  texts.push({
    text: readableOf(element, prefix),
    x: x + zone.width / 2,
    y: top + symbol.height + READABLE_SIZE,
    size: READABLE_SIZE,
    isBold: false,
    align: "center",
    stretch: 1,
  });
}
