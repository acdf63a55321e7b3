import { PATTERNS } from "../gs1/code128.ts";
import { modulePoints, toPoints, type DrawnSymbol, type Resolution } from "../label/drawing.ts";
import { number } from "./numbers.ts";

/**
 * A program that fills shapes paints each dot that a shape touches, so that a bar from dot to dot would grow by one. This
 * much less at each edge keeps every bar exactly as wide as it should be.
 */
const INSET_DOTS = 0.1;

/** Draws bar codes for a printer: bars begin on its dots and are whole dots wide. */
export function createBars(resolution: Resolution) {
  const inset = INSET_DOTS / resolution.moduleDots;
  const module = modulePoints(resolution).toFixed(7);
  // The bars of a code word at its place in a symbol, written once.
  const known: string[][] = [];
  const barsAt = (place: number, word: number) =>
    ((known[place] ??= [])[word] ??= barsOf(place, word, inset));
  return ({ words, leftDots, y, height }: DrawnSymbol, labelHeight: number): string => {
    const left = toPoints(leftDots, resolution).toFixed(5);
    let content = `q ${module} 0 0 ${number(height)} ${left} ${number(labelHeight - y - height)} cm\n`;
    for (const [place, word] of words.entries()) content += barsAt(place, word);
    return `${content}f Q\n`;
  };
}

/** In modules from the left edge of the symbol, one high. */
function barsOf(place: number, word: number, inset: number): string {
  let at = place * 11;
  let bars = "";
  for (const [index, digit] of [...(PATTERNS[word] ?? "")].entries()) {
    const width = Number(digit);
    if (index % 2 === 0) bars += `${number(at + inset)} 0 ${number(width - 2 * inset)} 1 re\n`;
    at += width;
  }
  return bars;
}
