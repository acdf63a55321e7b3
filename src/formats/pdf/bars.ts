import {
  barWidths,
  BEARER_MODULES,
  CODE128_PATTERNS,
  countModules,
  UNITS_PER_MODULE,
} from "../gs1/bar-code.ts";
import { modulePoints, toPoints, type DrawnSymbol, type Resolution } from "../label/drawing.ts";
import { number } from "./numbers.ts";

/**
 * Units of a dot of the printer. A program that fills shapes paints each dot that a shape touches, so that a bar from
 * dot to dot would grow by one. A tenth of a dot less at each edge keeps every bar exactly as wide as it should be.
 */
const DOT = 10;
const INSET = 1;

/** A drawing for each code word of Code 128, which every symbol of a document uses. */
export function wordDrawings(resolution: Resolution): { content: string; box: string }[] {
  const module = resolution.moduleDots * DOT;
  // A box with room around it clips nothing, however a program rounds.
  const box = `[-${module} -1 ${14 * module} 2]`;
  return CODE128_PATTERNS.map((pattern) => ({ content: drawBars(pattern, module), box }));
}

/** Names of those drawings in a document. */
export const wordName = (word: number): string => `W${word}`;

export type Bars = ReturnType<typeof createBars>;

/** Draws bar codes for a printer: bars begin on its dots and are a whole number of its dots wide. */
export function createBars(resolution: Resolution) {
  const unit = (toPoints(1, resolution) / DOT).toFixed(9);
  const module = resolution.moduleDots * DOT;
  const next = `1 0 0 1 ${11 * module} 0 cm`;
  return (symbol: DrawnSymbol, labelHeight: number): string => {
    const { symbology, words, leftDots, y, height } = symbol;
    const left = toPoints(leftDots, resolution).toFixed(5);
    let content = `q ${unit} 0 0 ${number(height)} ${left} ${number(labelHeight - y - height)} cm\n`;
    if (symbology === "itf") {
      const width = countModules(symbol) * module - 2 * INSET;
      const bearer = (BEARER_MODULES * modulePoints(resolution)) / height;
      for (const low of [0, 1 - bearer]) content += `${INSET} ${number(low)} ${width} ${number(bearer)} re\n`;
      return `${content}${drawBars(barWidths(symbol), module / UNITS_PER_MODULE.itf)}Q\n`;
    }
    for (let place = 0; place < words.length; place += 1)
      content += `${place === 0 ? "" : next}/${wordName(words[place] ?? 0)} Do\n`;
    return `${content}Q\n`;
  };
}

/** Bars of widths from the left edge, one high. @param unit of the widths */
function drawBars(widths: string, unit: number): string {
  let at = 0;
  let bars = "";
  for (const [index, digit] of [...widths].entries()) {
    const width = Number(digit) * unit;
    if (index % 2 === 0) bars += `${at + INSET} 0 ${width - 2 * INSET} 1 re\n`;
    at += width;
  }
  return `${bars}f\n`;
}
