import { countModules, type BarCode } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import { toElementString } from "#formats/gs1/element-strings.ts";
import {
  LABEL_SIZE,
  modulePoints,
  toDots,
  type DrawnLabel,
  type DrawnSymbol,
  type DrawnText,
  type Resolution,
} from "#formats/label/drawing.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";
import type { Profile } from "#features/labels/layout/rules-profiles.ts";
import { elementOf, readableOf, type Carton, type ShipFrom } from "#features/labels/layout/rules-content.ts";
import { textFault, type TextFault } from "#features/labels/layout/rules-lines.ts";
import { createPlanner, pushLines, remember } from "#features/labels/layout/rules-plans.ts";
import { symbolFault, type SymbolFault } from "#features/labels/layout/rules-symbols.ts";
import {
  bandsOf,
  READABLE_SIZE,
  TITLE_BASE,
  variantOf,
  VARIANTS,
  type Placed,
} from "#features/labels/layout/rules-zones.ts";

/** Bar codes of orders and places that are kept: cartons of one order go to one place. */
const MAX_KNOWN = 500;

/** Draws the labels of a profile for a printer. @param height of a label in points, that of its profile by default */
export function createLayout(profile: Profile, resolution: Resolution, height: number = LABEL_SIZE.height) {
  const kinds = VARIANTS.map((has) => {
    const bands = bandsOf(profile.bands, has);
    return { bands, planFor: createPlanner(bands, height) };
  });
  const known = remember<string, BarCode>(MAX_KNOWN);
  const barCodeFor = (data: string) => known(data, () => encodeGs1(data));
  const kindOf = (row: LabelRow) => kinds[variantOf(row)] as (typeof kinds)[number];
  return {
    draw: (carton: Carton, { from, prefix }: { from: ShipFrom; prefix: string }): DrawnLabel => {
      const { plan, fixed, filled } = kindOf(carton.row).planFor({ carton, from });
      const texts: DrawnText[] = [];
      const symbols: DrawnSymbol[] = [];
      for (const { at, set } of filled) {
        const place = plan.places[at];
        if (!place) continue;
        pushLines(place, set, texts);
        drawSymbol(place, { carton, prefix, resolution, barCodeFor }, { texts, symbols });
      }
      return { common: plan.commonOf(from, fixed), own: { texts, rules: [], symbols } };
    },
    /** The bar codes of a row that cannot be printed as they must be. The carton's own number always fits. */
    findFaults: (row: LabelRow): SymbolFault[] =>
      kindOf(row)
        .bands.flatMap(({ zones }) => zones)
        .flatMap((zone) => symbolFault(zone, row, { resolution, quietMm: profile.quietMm }) ?? []),
    /** The zones of a label that cannot hold their lines: nothing is set smaller, narrower or outside of its zone. */
    findTextFaults: (carton: Carton, from: ShipFrom): TextFault[] => {
      const shown = { carton, from };
      const { plan, fixed, filled } = kindOf(carton.row).planFor(shown);
      return [...fixed, ...filled].flatMap(({ at, set }) => {
        const place = plan.places[at];
        return (place && textFault(place, set, shown)) ?? [];
      });
    },
  };
}
export type Layout = ReturnType<typeof createLayout>;

type SymbolContext = {
  carton: Carton;
  prefix: string;
  resolution: Resolution;
  barCodeFor: (data: string) => BarCode;
};

function drawSymbol(
  { zone, x, y, height }: Placed,
  { carton, prefix, resolution, barCodeFor }: SymbolContext,
  { texts, symbols }: { texts: DrawnText[]; symbols: DrawnSymbol[] },
): void {
  const { symbol } = zone;
  const element = symbol && elementOf(symbol.of, symbol.ai, carton);
  if (!symbol || !element) return;
  const data = toElementString([element]);
  // No other carton has the same number.
  const barCode = symbol.of === "sscc" ? encodeGs1(data) : barCodeFor(data);
  const width = countModules(barCode) * modulePoints(resolution);
  const leftDots = toDots(x + (zone.width - width) / 2, resolution);
  const top = y + (height - symbol.height - READABLE_SIZE - TITLE_BASE) / 2 + TITLE_BASE;
  symbols.push({ ...barCode, leftDots, y: top, height: symbol.height });
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
