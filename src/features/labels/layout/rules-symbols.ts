import { countModules, QUIET_MODULES } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import {
  findElementFault,
  toElementString,
  type Element,
  type ElementFault,
} from "#formats/gs1/element-strings.ts";
import { moduleMm, pointsToMm, type Resolution } from "#formats/label/drawing.ts";
import { elementOf } from "#features/labels/layout/rules-content.ts";
import type { SymbolSource, Zone } from "#features/labels/layout/rules-profiles.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** Why a bar code of a row cannot be printed: its place in the profile, and what is wrong. */
export type SymbolFault = { of: SymbolSource; element: Element } & (
  | { fault: ElementFault }
  | { widthMm: number; roomMm: number }
);

/** Why the bar code of a zone cannot be printed for a row; null when it can, or when the row has none. */
export function symbolFault(
  { symbol, width }: Zone,
  row: LabelRow,
  { resolution, quietMm }: { resolution: Resolution; quietMm: number },
): SymbolFault | null {
  if (!symbol || symbol.of === "sscc") return null;
  const element = elementOf(symbol.of, symbol.ai, { row, sscc: "" });
  if (!element) return null;
  const fault = findElementFault([element], moduleMm(resolution));
  if (fault) return { of: symbol.of, element, fault };
  const modules = countModules(encodeGs1(toElementString([element])));
  const widthMm = symbolWidth(modules, { moduleMm: moduleMm(resolution), quietMm });
  const roomMm = pointsToMm(width);
  return widthMm > roomMm ? { of: symbol.of, element, widthMm, roomMm } : null;
}

/** With the quiet zones at both sides, in millimeters. */
export const symbolWidth = (modules: number, of: { moduleMm: number; quietMm: number }): number =>
  modules * of.moduleMm + 2 * Math.max(QUIET_MODULES * of.moduleMm, of.quietMm);
