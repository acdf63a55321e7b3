import { countModules, type BarCode } from "#formats/gs1/bar-code.ts";
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
import {
  findTextFault,
  setLines,
  type SetZone,
  type Shown,
  type TextFault,
} from "#features/labels/layout/lines.ts";
import {
  encodeSymbol,
  findSymbolData,
  findSymbolFaults,
  listSymbolFields,
  readableText,
  type SymbolFault,
} from "#features/labels/layout/symbols.ts";
import {
  bandsFor,
  findConditions,
  fitHeights,
  linesRoom,
  linesTop,
  PADDING,
  placeZones,
  READABLE_SIZE,
  ROUNDING,
  TITLE_BASE,
  usualHeights,
  zoneHeight,
  type Placed,
} from "#features/labels/layout/zones.ts";
import type { Band, Carton, LabelRow, Profile, ShipFrom } from "#features/labels/types.ts";

const TITLE_SIZE = 6.5;
const RULE = 1;
/** Maximum number of cached barcodes of orders and addresses; cartons of one order share them. */
const MAX_KNOWN = 500;
/** Maximum number of cached plans; labels of one kind differ in the space their lines need. */
const MAX_PLANS = 200;

/** Formatted lines of the zone at an index. */
type Filled = { at: number; set: SetZone };
/** Positions of the zones, and the drawing shared by all labels with these positions. */
type Plan = {
  places: readonly Placed[];
  drawCommon: (from: ShipFrom, fixed: readonly Filled[]) => Drawing;
};

/** Bands of the labels that meet the same conditions. */
type Kind = { bands: readonly Band[]; planFor: ReturnType<typeof createPlanner> };

/** Draws labels by a profile. @param height of a label in points */
export function createLayout(profile: Profile, resolution: Resolution, height: number = LABEL_SIZE.height) {
  const kinds = remember<string, Kind>();
  const findKind = (row: LabelRow): Kind => {
    const has = findConditions(profile.bands, row);
    return kinds(has.join(), () => {
      const bands = bandsFor(profile.bands, has);
      return { bands, planFor: createPlanner(bands, height) };
    });
  };
  const known = remember<string, BarCode>(MAX_KNOWN);

  const drawSymbol = (
    { zone, x, y, height: room }: Placed,
    { carton, prefix }: { carton: Carton; prefix: string },
    { texts, symbols }: { texts: DrawnText[]; symbols: DrawnSymbol[] },
  ): void => {
    const { symbol } = zone;
    const data = symbol && findSymbolData(symbol, carton);
    if (!symbol || !data) return;
    const text = readableText(data, prefix);
    // Each carton has its own SSCC; other barcodes repeat.
    const barCode =
      symbol.of === "sscc" ? encodeSymbol(data) : known(`${data.kind} ${text}`, () => encodeSymbol(data));
    const width = countModules(barCode) * modulePoints(resolution);
    const leftDots = toDots(x + (zone.width - width) / 2, resolution);
    const top = y + (room - symbol.height - READABLE_SIZE - TITLE_BASE) / 2 + TITLE_BASE;
    symbols.push({ ...barCode, leftDots, y: top, height: symbol.height });
    texts.push({
      text,
      x: x + zone.width / 2,
      y: top + symbol.height + READABLE_SIZE,
      size: READABLE_SIZE,
      isBold: false,
      align: "center",
      stretch: 1,
    });
  };

  return {
    /** @throws BarcodeUnreadable */
    draw: (carton: Carton, { from, prefix }: { from: ShipFrom; prefix: string }): DrawnLabel => {
      const { plan, fixed, filled } = findKind(carton.row).planFor({ carton, from });
      const texts: DrawnText[] = [];
      const symbols: DrawnSymbol[] = [];
      for (const { at, set } of filled) {
        const place = plan.places[at];
        if (!place) continue;
        pushLines(place, set, texts);
        drawSymbol(place, { carton, prefix }, { texts, symbols });
      }
      return { common: plan.drawCommon(from, fixed), own: { texts, rules: [], symbols } };
    },
    findSymbolFaults: (row: LabelRow): SymbolFault[] =>
      findSymbolFaults(findKind(row).bands, row, { resolution, quietMm: profile.quietMm }),
    listSymbolFields: (row: LabelRow) => listSymbolFields(findKind(row).bands, row),
    /** Finds zones whose lines don't fit; text is never shrunk, narrowed or allowed to overflow. */
    findTextFaults: (carton: Carton, from: ShipFrom): TextFault[] => {
      const shown = { carton, from };
      const { plan, fixed, filled } = findKind(carton.row).planFor(shown);
      return [...fixed, ...filled].flatMap(({ at, set }) => {
        const place = plan.places[at];
        return (place && findTextFault(place, set, shown)) ?? [];
      });
    },
  };
}
export type Layout = ReturnType<typeof createLayout>;

/** Lays out the lines of a label: at the profile's usual heights, else at the heights its lines need. */
function createPlanner(bands: readonly Band[], height: number) {
  const usual = createPlan(placeZones(bands, usualHeights(bands, height)));
  const indexes = [...usual.places.keys()];
  const isFixedAt = (at: number) => usual.places[at] !== undefined && isFixed(usual.places[at]);
  const [fixedAt, filledAt] = [indexes.filter(isFixedAt), indexes.filter((at) => !isFixedAt(at))];
  const setAll = (places: readonly number[], shown: Shown): Filled[] =>
    places.flatMap((at) => {
      const place = usual.places[at];
      return place ? [{ at, set: setLines(place, shown) }] : [];
    });
  const setFixed = remember<ShipFrom, Filled[]>();
  const plans = remember<string, Plan>(MAX_PLANS);
  return (shown: Shown): { plan: Plan; fixed: readonly Filled[]; filled: readonly Filled[] } => {
    const fixed = setFixed(shown.from, () => setAll(fixedAt, shown));
    const filled = setAll(filledAt, shown);
    const all = [...fixed, ...filled];
    if (all.every(({ at, set }) => fits(usual.places[at], set))) return { plan: usual, fixed, filled };
    const needs = bands.map(() => 0);
    for (const { at, set } of all) {
      const place = usual.places[at];
      if (place) needs[place.band] = Math.max(needs[place.band] ?? 0, zoneHeight(place.zone, set.height));
    }
    const heights = fitHeights(bands, needs, height);
    const plan = heights ? plans(heights.join(), () => createPlan(placeZones(bands, heights))) : usual;
    return { plan, fixed, filled };
  };
}

const fits = (place: Placed | undefined, { height }: SetZone): boolean =>
  place === undefined || height <= linesRoom(place.zone, place.height) + ROUNDING;

/** Whether a zone is the same on all labels from one ship-from address. */
const isFixed = ({ zone, lines }: Placed): boolean =>
  zone.symbol === undefined &&
  lines.every(({ parts }) => parts.every(({ field }) => field === "" || field.startsWith("from")));

/** Memoizes a function; clears the cache when it is full. */
function remember<Key, Value>(most = Infinity) {
  const known = new Map<Key, Value>();
  return (key: Key, make: () => Value): Value => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const value = make();
    known.set(key, value);
    return value;
  };
}

/** Draws rules, titles and the ship-from address once for all labels. */
function createPlan(places: readonly Placed[]): Plan {
  const titles = places.flatMap(({ zone, x, y }) =>
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
  const commons = remember<ShipFrom, Drawing>();
  const drawCommon = (from: ShipFrom, fixed: readonly Filled[]) =>
    commons(from, () => {
      const texts = [...titles];
      for (const { at, set } of fixed) {
        const place = places[at];
        if (place) pushLines(place, set, texts);
      }
      return { texts, rules: [...across, ...down], symbols: [] };
    });
  return { places, drawCommon };
}

const line = (
  text: string,
  { x, y, size, isBold }: Pick<DrawnText, "x" | "y" | "size" | "isBold">,
): DrawnText => ({ text, x, y, size, isBold, align: "left", stretch: 1 });

/**
 * Draws the lines of a zone. Shrinks lines that would be refused today, because previews and reprints show
 * them too, and a line across a barcode would make it unreadable.
 */
function pushLines(place: Placed, set: SetZone, texts: DrawnText[]): void {
  const top = place.y + linesTop(place.zone);
  const scale = fits(place, set) ? 1 : linesRoom(place.zone, place.height) / set.height;
  for (const { text, x, base, size, isBold } of set.texts)
    texts.push(
      line(text, {
        x: place.x + PADDING + (x - PADDING) * scale,
        y: top + base * scale,
        size: size * scale,
        isBold,
      }),
    );
}
