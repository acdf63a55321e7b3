import { type Drawing, type DrawnText } from "../label/drawing.ts";
import { encodeCharacter, isPlain, measureText } from "../label/measure-text.ts";
import { findLetter } from "../label/other-scripts.ts";
import type { Bars } from "./bars.ts";
import type { Fonts } from "./fonts.ts";
import { number } from "./numbers.ts";

/** What drawings are written with. @param height of a label in points: in PDF y goes up */
type Frame = { height: number; bars: Bars; fonts: Fonts };

/** A drawing in the language of PDF. */
export function contentOf({ texts, rules, symbols }: Drawing, { height, bars, fonts }: Frame): string {
  let content = "";
  for (const rule of rules)
    content += `${number(rule.x)} ${number(height - rule.y - rule.height)} ${number(rule.width)} ${number(rule.height)} re\n`;
  if (rules.length > 0) content += "f\n";
  for (const symbol of symbols) content += bars(symbol, height);
  if (texts.length === 0) return content;
  content += "BT\n";
  const pen = { x: 0, y: 0, font: "", stretch: 1 };
  for (const text of texts) content += lineOf(text, { height, fonts, pen });
  if (pen.stretch !== 1) content += "100 Tz\n";
  return `${content}ET\n`;
}

type Pen = { x: number; y: number; font: string; stretch: number };

type Line = { height: number; fonts: Fonts; pen: Pen };

/** Positions are relative to the line before, and in tenths of a point, so that no rounding adds up. */
function lineOf(drawn: DrawnText, { height, fonts, pen }: Line): string {
  const { text, size, isBold, align, stretch } = drawn;
  const width = align === "left" ? 0 : measureText(text, size, isBold) * stretch;
  const x = Math.round(10 * (drawn.x - (align === "center" ? width / 2 : width)));
  const y = Math.round(10 * (height - drawn.y));
  let line = "";
  if (stretch !== pen.stretch) line += `${number(100 * stretch)} Tz `;
  line += `${number((x - pen.x) / 10)} ${number((y - pen.y) / 10)} Td `;
  Object.assign(pen, { x, y, stretch });
  for (const { face, shown } of runsOf(text, { isBold, fonts })) {
    const font = `/${face} ${number(size)} Tf `;
    if (font !== pen.font) line += font;
    pen.font = font;
    line += `${shown} Tj\n`;
  }
  return line;
}

type Run = { face: string; shown: string };

/** Parts of a text that one font has; almost always all of it. */
function runsOf(text: string, { isBold, fonts }: { isBold: boolean; fonts: Fonts }): Run[] {
  const standard = isBold ? "B" : "R";
  if (isPlain(text)) return [{ face: standard, shown: escaped(text) }];
  const runs: { face: string; text: string }[] = [];
  for (const character of text.normalize("NFC")) {
    const letter = findLetter(character);
    const other = letter && fonts.encode(character, letter.script, isBold);
    const part = other
      ? { face: other.name, text: other.code }
      : { face: standard, text: encodeCharacter(character) ?? "?" };
    const before = runs.at(-1);
    if (before?.face === part.face) before.text += part.text;
    else runs.push(part);
  }
  return runs.map((run) => ({
    face: run.face,
    shown: run.face === standard ? escaped(run.text) : `<${run.text}>`,
  }));
}

const escaped = (encoded: string): string =>
  `(${/[\\()]/.test(encoded) ? encoded.replaceAll(/[\\()]/g, "\\$&") : encoded})`;

/** A text of the document itself, such as its title. */
export const literal = (text: string): string =>
  isPlain(text) ? escaped(text) : `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
