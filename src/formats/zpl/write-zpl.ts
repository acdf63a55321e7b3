import { barWidths, BEARER_MODULES, countModules, UNITS_PER_MODULE } from "../gs1/bar-code.ts";
import { CODE_B, CODE_C, FNC1, START_C } from "../gs1/code128.ts";
import {
  toDots,
  type DrawnLabel,
  type Drawing,
  type DrawnSymbol,
  type DrawnText,
  type Resolution,
} from "../label/drawing.ts";
import { measureText } from "../label/measure-text.ts";

/** Characters with a meaning for the printer, and the prefix of a hexadecimal pair. */
const COMMANDS = /[\^~_\\]/g;
/** Maximum module width in dots for the printer's own barcodes; wider bars are sent as boxes. */
const MAX_MODULE_DOTS = 10;

type Frame = { resolution: Resolution; label: { width: number; height: number } };

/** Writes labels for Zebra printers, with the same drawings and code words as in a PDF. */
export function createZpl({ resolution, label }: Frame) {
  const dots = (points: number) => toDots(points, resolution);
  const begin = `^XA^CI28^LH0,0^PW${dots(label.width)}^LL${dots(label.height)}\n`;
  const known = new Map<Drawing, string>();
  const beginLabel = (common: Drawing): string => {
    const lines = known.get(common) ?? begin + writeDrawing(common, { dots, resolution });
    known.set(common, lines);
    return lines;
  };
  return ({ common, own }: DrawnLabel): string =>
    `${beginLabel(common)}${writeDrawing(own, { dots, resolution })}^XZ\n`;
}

function writeDrawing({ texts, rules, symbols }: Drawing, { dots, resolution }: Dots): string {
  let lines = "";
  for (const { x, y, width, height } of rules) {
    const [w, h] = [Math.max(1, dots(width)), Math.max(1, dots(height))];
    lines += `^FO${dots(Math.max(0, x))},${dots(y)}^GB${w},${h},${Math.min(w, h)}^FS\n`;
  }
  for (const text of texts) lines += writeText(text, dots);
  for (const symbol of symbols) lines += writeSymbol(symbol, { dots, resolution });
  return lines;
}

/**
 * Writes a text in the printer's own font, which is narrower than the measured one, so that text never
 * overflows.
 */
function writeText(
  { text, x, y, size, isBold, align, stretch }: DrawnText,
  dots: (points: number) => number,
): string {
  const width = align === "left" ? 0 : measureText(text, size, isBold) * stretch;
  const left = align === "left" ? x : x - (align === "center" ? width / 2 : width);
  const height = dots(size);
  const font = `^A0N,${height},${Math.max(1, Math.round(height * stretch))}`;
  const block = align === "left" ? "" : `^FB${dots(width)},1,0,${align === "center" ? "C" : "R"}`;
  // Positioned by its baseline, as in PDF: by the top of its letters it would start at the bars.
  return `^FT${dots(Math.max(0, left))},${dots(y)}${font}${block}^FH^FD${escape(text)}^FS\n`;
}

const escape = (text: string): string =>
  !/[\^~_\\]/.test(text)
    ? text
    : text.replaceAll(COMMANDS, (character) => `_${character.charCodeAt(0).toString(16).toUpperCase()}`);

type Dots = { dots: (points: number) => number; resolution: Resolution };

function writeSymbol(symbol: DrawnSymbol, { dots, resolution: { moduleDots } }: Dots): string {
  const { symbology, words, leftDots } = symbol;
  const [top, height] = [dots(symbol.y), dots(symbol.height)];
  const isItf = symbology === "itf";
  let lines = "";
  if (isItf)
    for (const y of [top, top + height - BEARER_MODULES * moduleDots])
      lines += box(leftDots, y, countModules(symbol) * moduleDots, BEARER_MODULES * moduleDots);
  if (moduleDots > MAX_MODULE_DOTS) {
    let left = leftDots;
    for (const [index, digit] of [...barWidths(symbol)].entries()) {
      const width = (Number(digit) * moduleDots) / UNITS_PER_MODULE[symbology];
      if (index % 2 === 0) lines += box(left, top, width, height);
      left += width;
    }
    return lines;
  }
  const kind = isItf ? `^BY${moduleDots},2.5^B2N,${height},N,N,N` : `^BY${moduleDots}^BCN,${height},N,N,N,N`;
  return `${lines}^FO${leftDots},${top}${kind}^FH^FD${isItf ? toDigits(words) : toInvocations(words)}^FS\n`;
}

const box = (x: number, y: number, width: number, height: number): string =>
  `^FO${x},${y}^GB${width},${height},${Math.min(width, height)}^FS\n`;

const toDigits = (words: readonly number[]): string =>
  words
    .slice(1, -1)
    .map((pair) => String(pair).padStart(2, "0"))
    .join("");

/** Converts code words to the printer's notation, without check and stop, which the printer adds. */
function toInvocations(words: readonly number[]): string {
  let isC = words[0] === START_C;
  let data = isC ? ">;" : ">:";
  for (const word of words.slice(1, -2)) {
    const character = String.fromCharCode(word + 32);
    if (word === FNC1) data += ">8";
    else if (word === (isC ? CODE_B : CODE_C)) {
      data += isC ? ">6" : ">5";
      isC = !isC;
    } else data += isC ? String(word).padStart(2, "0") : (INVOCATIONS[character] ?? escape(character));
  }
  return data;
}

/** Characters that must be escaped in its notation of Code 128. @see ZPL II Programming Guide, ^BC */
const INVOCATIONS: Readonly<Record<string, string>> = { ">": ">0", "^": "><", "~": ">=" };
