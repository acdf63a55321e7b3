import { PATTERNS } from "../gs1/code128.ts";
import { toPoints, type DrawnSymbol, type Resolution } from "../label/drawing.ts";
import { number } from "./numbers.ts";

/**
 * Units of a dot of the printer. A program that fills shapes paints each dot that a shape touches, so that a bar from
 * dot to dot would grow by one. A tenth of a dot less at each edge keeps every bar exactly as wide as it should be.
 */
const DOT = 10;
const INSET = 1;

/** Draws bar codes for a printer: bars begin on its dots and are as many dots wide as they must be. */
export function createBars(resolution: Resolution) {
  const unit = (toPoints(1, resolution) / DOT).toFixed(9);
  // The bars of a code word at its place in a symbol, written once.
  const known: string[][] = [];
  const barsAt = (place: number, word: number) =>
    ((known[place] ??= [])[word] ??= barsOf(place, word, resolution.moduleDots * DOT));
  return ({ words, leftDots, y, height }: DrawnSymbol, labelHeight: number): string => {
    const left = toPoints(leftDots, resolution).toFixed(5);
    let content = `q ${unit} 0 0 ${number(height)} ${left} ${number(labelHeight - y - height)} cm\n`;
    for (let place = 0; place < words.length; place += 1) content += barsAt(place, words[place] ?? 0);
    return `${content}f Q\n`;
  };
}

/** From the left edge of the symbol, one high. @param module width of a module in units */
function barsOf(place: number, word: number, module: number): string {
  let at = place * 11 * module;
  let bars = "";
  for (const [index, digit] of [...(PATTERNS[word] ?? "")].entries()) {
    const width = Number(digit) * module;
    if (index % 2 === 0) bars += `${at + INSET} 0 ${width - 2 * INSET} 1 re\n`;
    at += width;
  }
  return bars;
}
