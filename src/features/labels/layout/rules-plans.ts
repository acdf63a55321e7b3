import { LABEL_SIZE, type DrawnRule, type DrawnText, type Drawing } from "#formats/label/drawing.ts";
import type { ShipFrom, Shown } from "#features/labels/layout/rules-content.ts";
import { ROUNDING, setLines, type SetZone } from "#features/labels/layout/rules-lines.ts";
import type { Band } from "#features/labels/layout/rules-profiles.ts";
import {
  heightFor,
  heightsFor,
  heightsOf,
  linesTop,
  PADDING,
  placeZones,
  roomOf,
  TITLE_BASE,
  type Placed,
} from "#features/labels/layout/rules-zones.ts";

const TITLE_SIZE = 6.5;
const RULE = 1;

/** Lines of the zone at a place. */
type Filled = { at: number; set: SetZone };
/** Where zones are, and what labels that have them there have in common. */
type Plan = {
  places: readonly Placed[];
  commonOf: (from: ShipFrom, fixed: readonly Filled[]) => Drawing;
};

/** Labels of one kind differ in what their lines need: as far as that is, in how many plans are remembered. */
const MAX_PLANS = 200;

/** Sets the lines of a label, and finds it room: that of its profile, or else what its own lines need. */
export function createPlanner(bands: readonly Band[], height: number) {
  const usual = planOf(placeZones(bands, heightsOf(bands, height)));
  const indexes = [...usual.places.keys()];
  const isFixedAt = (at: number) => usual.places[at] !== undefined && isFixed(usual.places[at]);
  const [fixedAt, filledAt] = [indexes.filter(isFixedAt), indexes.filter((at) => !isFixedAt(at))];
  const setAll = (places: readonly number[], shown: Shown): Filled[] =>
    places.flatMap((at) => {
      const place = usual.places[at];
      return place ? [{ at, set: setLines(place, shown) }] : [];
    });
  const fixedOf = remember<ShipFrom, Filled[]>();
  const plans = remember<string, Plan>(MAX_PLANS);
  return (shown: Shown): { plan: Plan; fixed: readonly Filled[]; filled: readonly Filled[] } => {
    const fixed = fixedOf(shown.from, () => setAll(fixedAt, shown));
    const filled = setAll(filledAt, shown);
    const all = [...fixed, ...filled];
    if (all.every(({ at, set }) => fits(usual.places[at], set))) return { plan: usual, fixed, filled };
    const needs = bands.map(() => 0);
    for (const { at, set } of all) {
      const place = usual.places[at];
      if (place) needs[place.band] = Math.max(needs[place.band] ?? 0, heightFor(place.zone, set.height));
    }
    const heights = heightsFor(bands, needs, height);
    const plan = heights ? plans(heights.join(), () => planOf(placeZones(bands, heights))) : usual;
    return { plan, fixed, filled };
  };
}

const fits = (place: Placed | undefined, { height }: SetZone): boolean =>
  place === undefined || height <= roomOf(place.zone, place.height) + ROUNDING;

/** The same on all labels that come from one place. */
const isFixed = ({ zone, lines }: Placed): boolean =>
  zone.symbol === undefined &&
  lines.every(({ parts }) => parts.every(({ field }) => field === "" || field.startsWith("from")));

/** Makes each value once, and forgets all when there are too many. */
export function remember<Key, Value>(most = Infinity) {
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

/** Rules, titles and the ship-from address are drawn once. */
function planOf(places: readonly Placed[]): Plan {
  const base = drawCommon(places);
  const commons = remember<ShipFrom, Drawing>();
  const commonOf = (from: ShipFrom, fixed: readonly Filled[]) =>
    commons(from, () => {
      const texts = [...base.texts];
      for (const { at, set } of fixed) {
        const place = places[at];
        if (place) pushLines(place, set, texts);
      }
      return { ...base, texts };
    });
  return { places, commonOf };
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

/**
 * Lines of a zone in their own size. Labels that would be refused today are drawn too, in previews and where they were made
 * before: smaller then, since a line over a bar code would spoil it.
 */
export function pushLines(place: Placed, set: SetZone, texts: DrawnText[]): void {
  const top = place.y + linesTop(place.zone);
  const scale = fits(place, set) ? 1 : roomOf(place.zone, place.height) / set.height;
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
