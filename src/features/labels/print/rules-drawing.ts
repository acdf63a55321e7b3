import { PATTERNS } from "#formats/gs1/code128.ts";
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
    symbols: own.symbols.map(({ words, leftDots, y, height }) => ({
      x: toPoints(leftDots, printer),
      y,
      height,
      module: modulePoints(printer),
      bars: words.map((word) => PATTERNS[word]).join(""),
    })),
  };
}
