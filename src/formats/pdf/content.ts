import {
  type Drawing,
  type DrawnText,
  modulePoints,
  type Picture,
  toPoints,
  type DrawnSymbol,
  type Resolution,
} from "../label/drawing.ts";
import { encodeCharacter, isPlain, measureText, findLetter } from "../label/measure-text.ts";
import type { Fonts } from "./fonts.ts";
import { number } from "./file.ts";
import {
  barWidths,
  BEARER_MODULES,
  CODE128_PATTERNS,
  countModules,
  UNITS_PER_MODULE,
} from "../gs1/bar-code.ts";

/**
 * Helpers for a drawing. @param height of a label in points, because PDF's y axis points up
 * @param namePicture returns the name of a picture in the document
 */
type Frame = { height: number; bars: Bars; fonts: Fonts; namePicture: (picture: Picture) => string };

/** Writes a drawing as PDF operators. */
export function drawContent(drawing: Drawing, { height, bars, fonts, namePicture }: Frame): string {
  const { texts, rules, symbols, pictures = [] } = drawing;
  let content = "";
  for (const rule of rules)
    content += `${number(rule.x)} ${number(height - rule.y - rule.height)} ${number(rule.width)} ${number(rule.height)} re\n`;
  if (rules.length > 0) content += "f\n";
  for (const symbol of symbols) content += bars(symbol, height);
  for (const { picture, x, y, ...size } of pictures)
    content += `q ${number(size.width)} 0 0 ${number(size.height)} ${number(x)} ${number(height - y - size.height)} cm /${namePicture(picture)} Do Q\n`;
  if (texts.length === 0) return content;
  content += "BT\n";
  const pen = { x: 0, y: 0, font: "", stretch: 1 };
  for (const text of texts) content += drawLine(text, { height, fonts, pen });
  if (pen.stretch !== 1) content += "100 Tz\n";
  return `${content}ET\n`;
}

type Pen = { x: number; y: number; font: string; stretch: number };

type Line = { height: number; fonts: Fonts; pen: Pen };

/**
 * Positions are relative to the previous line, in tenths of a point, so that rounding errors don't
 * accumulate.
 */
function drawLine(drawn: DrawnText, { height, fonts, pen }: Line): string {
  const { text, size, isBold, align, stretch } = drawn;
  const width = align === "left" ? 0 : measureText(text, size, isBold) * stretch;
  const x = Math.round(10 * (drawn.x - (align === "center" ? width / 2 : width)));
  const y = Math.round(10 * (height - drawn.y));
  let line = "";
  if (stretch !== pen.stretch) line += `${number(100 * stretch)} Tz `;
  line += `${number((x - pen.x) / 10)} ${number((y - pen.y) / 10)} Td `;
  Object.assign(pen, { x, y, stretch });
  for (const { face, shown } of splitByFont(text, { isBold, fonts })) {
    const font = `/${face} ${number(size)} Tf `;
    if (font !== pen.font) line += font;
    pen.font = font;
    line += `${shown} Tj\n`;
  }
  return line;
}

type Run = { face: string; shown: string };

/** Splits a text into parts with one font each; nearly always there is only one. */
function splitByFont(text: string, { isBold, fonts }: { isBold: boolean; fonts: Fonts }): Run[] {
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

/** Text of the document itself, such as its title. */
export const literal = (text: string): string =>
  isPlain(text) ? escaped(text) : `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;

/**
 * Units per printer dot. A program that fills shapes paints each dot that a shape touches, so a bar spanning
 * whole dots would grow by one. A tenth of a dot less at each edge keeps every bar exactly as wide as
 * intended.
 */
const DOT = 10;
const INSET = 1;

/** Creates a drawing for each Code 128 code word, shared by all symbols of a document. */
export function wordDrawings(resolution: Resolution): { content: string; box: string }[] {
  const module = resolution.moduleDots * DOT;
  // A box with a margin clips nothing, however a program rounds.
  const box = `[-${module} -1 ${14 * module} 2]`;
  return CODE128_PATTERNS.map((pattern) => ({ content: drawBars(pattern, module), box }));
}

export type Bars = ReturnType<typeof createBars>;

/**
 * Draws barcodes for a printer: bars start on its dots and are a whole number of dots wide.
 * @param nameWord returns the name of a code word's drawing in the document
 */
export function createBars(resolution: Resolution, nameWord: (word: number) => string) {
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
      content += `${place === 0 ? "" : next}/${nameWord(words[place] ?? 0)} Do\n`;
    return `${content}Q\n`;
  };
}

/** Draws bars from the left edge, with height one. @param unit unit of the widths */
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
