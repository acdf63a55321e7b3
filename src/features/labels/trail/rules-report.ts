import { IDENTIFIERS } from "#formats/gs1/element-strings.ts";
import { countModules, type BarCode } from "#formats/gs1/bar-code.ts";
import {
  modulePoints,
  RESOLUTIONS,
  toDots,
  type Drawing,
  type DrawnRule,
  type DrawnSymbol,
  type DrawnText,
} from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import { formatCount } from "#formats/text/phrases.ts";
import type { Verification } from "#features/labels/trail/contract.ts";

/** A page of US Letter, in points. */
export const REPORT_PAGE = { width: 612, height: 792 } as const;

const MARGIN = 54;
const WIDTH = REPORT_PAGE.width - 2 * MARGIN;
const LEADING = 1.4;
const SIZE = 9;
/** Faults that have room on the page. */
const SHOWN_FAULTS = 10;
/** Upper edge of the bar code at the foot of the page. */
const SYMBOL_TOP = 650;
const SYMBOL_HEIGHT = 90;

/** What else the page says of an upload. */
export type About = { profile: string; madeOn: string };

/** A verification as one page: what was proven, of what, how, and what was not. */
export function drawReport(verification: Verification, { profile, madeOn }: About): Drawing {
  const page = createPage();
  const { filename, label_count: labels, resolution, module_mm: module, module_dots: dots } = verification;
  page.text("GS1-128 verification report", { size: 18, isBold: true });
  page.space(6);
  page.text(`${filename}: ${counted(labels, "label")} of 4 × 6 in`, { size: 12, isBold: true });
  page.text(`Made on ${madeOn} by ${verification.made_by}. Label profile: ${profile}.`);
  page.text(`Printer of ${resolution} dpi: the narrowest bar is ${dots} dots, ${module.toFixed(3)} mm.`);
  page.space(10);
  page.text(resultOf(verification), { size: 12, isBold: true });
  for (const { label, fault } of verification.faults.slice(0, SHOWN_FAULTS))
    page.text(`Label ${formatCount(label)}: ${fault}`);
  page.space(10);
  drawTable(page, verification);
  page.space(10);
  for (const { identifier, code_words: words } of verification.symbols)
    page.text(`(${identifier}) code words of the example: ${words.join(" ")}`, { size: 7.5 });
  page.space(10);
  for (const text of sampleOf(verification)) page.text(text);
  return page.close(exampleOf(verification));
}

const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

function resultOf({ symbol_count: count, faults }: Verification): string {
  if (faults.length === 0) return `No fault was found in ${counted(count, "barcode")}.`;
  return `${counted(faults.length, "fault")} found in ${counted(count, "barcode")}. Don't use these labels.`;
}

function sampleOf({ sample, resolution }: Verification): string[] {
  const { labels, symbols, lines, max_error: error } = sample;
  return [
    "How it was checked: every barcode was read back from its code words, its check character and its data compared with the label's SSCC and with what is printed below the bars, and its bars and light space measured.",
    `Sample: ${counted(symbols, "barcode")} of ${counted(labels, "label")} read back from the bars of the PDF, drawn as dots of a ${resolution} dpi printer, on ${counted(lines, "line")}. The most that a bar or space was off its width: ${error.toFixed(2)} modules.`,
    "What was not checked: paper, ink and printer. The print quality grade of ISO/IEC 15416 is measured on printed labels.",
  ];
}

const COLUMNS = [
  { head: "Identifier", x: 0 },
  { head: "Barcodes", x: 110 },
  { head: "Example", x: 170 },
  { head: "Width, mm", x: 305 },
  { head: "Bar height, mm", x: 375 },
  { head: "Light space, mm", x: 440 },
] as const;

function drawTable(page: Page, { symbols }: Verification): void {
  page.row(
    COLUMNS.map(({ head }) => head),
    true,
  );
  for (const symbol of symbols) {
    const { identifier, count, example, min_width_mm: least, max_width_mm: most } = symbol;
    const title = IDENTIFIERS[identifier]?.title ?? "";
    page.row([
      `(${identifier}) ${title}`,
      formatCount(count),
      `(${identifier}) ${example.slice(identifier.length)}`,
      least === most ? least.toFixed(1) : `${least.toFixed(1)} to ${most.toFixed(1)}`,
      symbol.min_height_mm.toFixed(2),
      symbol.min_quiet_zone_mm.toFixed(1),
    ]);
  }
}

/** The number of the first label in its real size, to be tried with a scanner. */
function exampleOf({
  symbols,
  resolution: name,
}: Verification): { symbol: DrawnSymbol; text: string } | null {
  const found = symbols.find(({ identifier }) => identifier === "00");
  if (!found) return null;
  const resolution = RESOLUTIONS[name];
  const barCode: BarCode = { symbology: "code128", words: found.code_words };
  const width = countModules(barCode) * modulePoints(resolution);
  const leftDots = toDots((REPORT_PAGE.width - width) / 2, resolution);
  return {
    symbol: { ...barCode, leftDots, y: SYMBOL_TOP, height: SYMBOL_HEIGHT },
    text: `(00) ${found.example.slice(2)}`,
  };
}

type Look = { size?: number; isBold?: boolean };
type Page = ReturnType<typeof createPage>;

/** Writes lines one below the other. */
function createPage() {
  const texts: DrawnText[] = [];
  const rules: DrawnRule[] = [];
  let y = MARGIN;
  const put = (
    text: string,
    x: number,
    { size = SIZE, isBold = false, room = WIDTH }: Look & { room?: number },
  ) => {
    const wide = measureText(text, size, isBold);
    const stretch = wide > room ? Math.floor((room / wide) * 1000) / 1000 : 1;
    texts.push({ text, x: MARGIN + x, y, size, isBold, align: "left", stretch });
  };
  return {
    text: (text: string, look: Look = {}) => {
      for (const line of linesOf(text, look)) {
        y += (look.size ?? SIZE) * LEADING;
        put(line, 0, look);
      }
    },
    row: (cells: readonly string[], isBold = false) => {
      y += SIZE * LEADING + 2;
      for (const [at, cell] of cells.entries()) {
        const [x, end] = [COLUMNS[at]?.x ?? 0, COLUMNS[at + 1]?.x ?? WIDTH + 6];
        put(cell, x, { isBold, room: end - x - 6 });
      }
      rules.push({ x: MARGIN, y: y + 4, width: WIDTH, height: 0.5 });
      y += 3;
    },
    space: (height: number) => {
      y += height;
    },
    close: (example: { symbol: DrawnSymbol; text: string } | null): Drawing => {
      if (example) {
        y = SYMBOL_TOP - 8;
        put("The SSCC of the first label in its real size:", 0, {});
        const place = { x: REPORT_PAGE.width / 2, y: SYMBOL_TOP + SYMBOL_HEIGHT + 12 };
        texts.push({ text: example.text, ...place, size: 10, isBold: false, align: "center", stretch: 1 });
      }
      return { texts, rules, symbols: example ? [example.symbol] : [] };
    },
  };
}

function linesOf(text: string, { size = SIZE, isBold = false }: Look): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)}${lines.at(-1) === "" ? "" : " "}${word}`;
    if (lines.at(-1) !== "" && measureText(longer, size, isBold) > WIDTH) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
