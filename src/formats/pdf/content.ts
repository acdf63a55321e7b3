import { type Drawing, type DrawnText } from "../label/drawing.ts";
import { encodeText, measureText } from "../label/measure-text.ts";
import type { Bars } from "./bars.ts";
import { number } from "./numbers.ts";

/** What drawings are written with. @param height of a label in points: in PDF y goes up */
type Frame = { height: number; bars: Bars };

/** A drawing in the language of PDF. */
export function contentOf({ texts, rules, symbols }: Drawing, { height, bars }: Frame): string {
  let content = "";
  for (const rule of rules)
    content += `${number(rule.x)} ${number(height - rule.y - rule.height)} ${number(rule.width)} ${number(rule.height)} re\n`;
  if (rules.length > 0) content += "f\n";
  for (const symbol of symbols) content += bars(symbol, height);
  if (texts.length === 0) return content;
  content += "BT\n";
  const pen = { x: 0, y: 0, font: "", stretch: 1 };
  for (const text of texts) content += lineOf(text, height, pen);
  if (pen.stretch !== 1) content += "100 Tz\n";
  return `${content}ET\n`;
}

type Pen = { x: number; y: number; font: string; stretch: number };

/** Positions are relative to the line before, and in tenths of a point, so that no rounding adds up. */
function lineOf(drawn: DrawnText, height: number, pen: Pen): string {
  const { text, size, isBold, align, stretch } = drawn;
  const width = align === "left" ? 0 : measureText(text, size, isBold) * stretch;
  const x = Math.round(10 * (drawn.x - (align === "center" ? width / 2 : width)));
  const y = Math.round(10 * (height - drawn.y));
  let line = "";
  const face = `/${isBold ? "B" : "R"} ${number(size)} Tf `;
  if (face !== pen.font) line += face;
  if (stretch !== pen.stretch) line += `${number(100 * stretch)} Tz `;
  line += `${number((x - pen.x) / 10)} ${number((y - pen.y) / 10)} Td ${literal(text)} Tj\n`;
  Object.assign(pen, { x, y, font: face, stretch });
  return line;
}

export const literal = (text: string): string => {
  const encoded = encodeText(text);
  return `(${/[\\()]/.test(encoded) ? encoded.replaceAll(/[\\()]/g, "\\$&") : encoded})`;
};
