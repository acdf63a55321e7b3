import { barWidths, UNITS_PER_MODULE } from "#formats/gs1/bar-code.ts";
import { modulePoints, toPoints, type DrawnLabel, type Resolution } from "#formats/label/drawing.ts";
import type { Drawing } from "#features/labels/print/contract.ts";

/** A label as pages show it: bars by their widths instead of code words. */
export function toDrawing(
  { common, own }: DrawnLabel,
  printer: Resolution,
  size: { width: number; height: number },
): Drawing {
  const both = [common, own];
  return {
    ...size,
    texts: both.flatMap(({ texts }) => texts.map(({ isBold, ...text }) => ({ ...text, bold: isBold }))),
    rules: both.flatMap(({ rules }) => rules.map((rule) => ({ ...rule }))),
    symbols: own.symbols.map((symbol) => ({
      x: toPoints(symbol.leftDots, printer),
      y: symbol.y,
      height: symbol.height,
      module: modulePoints(printer) / UNITS_PER_MODULE[symbol.symbology],
      bars: barWidths(symbol),
    })),
  };
}
