import { PATTERNS } from "../gs1/code128.ts";
import { toPoints, type DrawnSymbol, type Resolution } from "../label/drawing.ts";
import { number } from "./numbers.ts";

/**
 * Units of a dot of the printer. A program that fills shapes paints each dot that a shape touches, so that a bar from
 * dot to dot would grow by one. A tenth of a dot less at each edge keeps every bar exactly as wide as it should be.
 */
const DOT = 10;
const INSET = 1;

/** One drawing for each code word, which every symbol of a document uses. */
export function wordDrawings(resolution: Resolution): { content: string; box: string }[] {
  const module = resolution.moduleDots * DOT;
  // A box with room around it clips nothing, however a program rounds.
  const box = `[-${module} -1 ${14 * module} 2]`;
  return PATTERNS.map((pattern) => ({ content: barsOf(pattern, module), box }));
}

/** Names of those drawings in a document. */
export const wordName = (word: number): string => `W${word}`;

export type Bars = ReturnType<typeof createBars>;

/** Draws bar codes for a printer: bars begin on its dots and are as many dots wide as they must be. */
export function createBars(resolution: Resolution) {
  const unit = (toPoints(1, resolution) / DOT).toFixed(9);
  const next = `1 0 0 1 ${11 * resolution.moduleDots * DOT} 0 cm`;
  return ({ words, leftDots, y, height }: DrawnSymbol, labelHeight: number): string => {
    const left = toPoints(leftDots, resolution).toFixed(5);
    let content = `q ${unit} 0 0 ${number(height)} ${left} ${number(labelHeight - y - height)} cm`;
    for (let place = 0; place < words.length; place += 1)
      content += `${place === 0 ? "" : next}/${wordName(words[place] ?? 0)} Do\n`;
    return `${content}Q\n`;
  };
}

/** From the left edge of the code word, one high. @param module width of a module in units */
function barsOf(pattern: string, module: number): string {
  let at = 0;
  let bars = "";
  for (const [index, digit] of [...pattern].entries()) {
    const width = Number(digit) * module;
    if (index % 2 === 0) bars += `${at + INSET} 0 ${width - 2 * INSET} 1 re\n`;
    at += width;
  }
  return `${bars}f\n`;
}
