import type { DrawnPicture, DrawnRule, DrawnText } from "#formats/label/drawing.ts";
import { RESOLUTIONS } from "#formats/label/drawing.ts";
import { unprintableIn } from "#formats/label/measure-text.ts";
import { wrapText } from "#formats/label/wrap-text.ts";
import type { FontFile } from "#formats/pdf/fonts.ts";
import type { Placed } from "#features/packages/contract.ts";
import { nameZone } from "#features/packages/index.ts";
import { writePdf, type PlacedLabel } from "#formats/pdf/write-pdf.ts";

/** Letter paper, in points. */
export const PAPER = { width: 612, height: 792 } as const;
export const LEFT = 54;
export const RIGHT = PAPER.width - LEFT;
/** Lowest baseline of what is not a footer. */
export const BOTTOM = PAPER.height - 84;
const LINE = 13;
const VALUE_X = 178;
/** Longer values end in an ellipsis: a page must hold them all. */
const VALUE_LINES = 2;

/** Marks of a page while it is drawn; `y` is the next baseline. */
export type Sheet = { texts: DrawnText[]; rules: DrawnRule[]; pictures: DrawnPicture[]; y: number };

export type Fact = readonly [label: string, value: string];

/** Opens a page with a title and, at its right, a name. */
export function openSheet(title: string, name: string): Sheet {
  const sheet: Sheet = { texts: [], rules: [], pictures: [], y: 74 };
  write(sheet, name, { x: RIGHT, size: 13, align: "right" });
  write(sheet, title, { size: 20, isBold: true });
  sheet.rules.push({ x: LEFT, y: sheet.y + 12, width: RIGHT - LEFT, height: 1 });
  sheet.y += 36;
  return sheet;
}

type Style = { x?: number; y?: number; size?: number; isBold?: boolean; align?: DrawnText["align"] };

/** Writes one line at the page's next baseline, without moving it. */
export function write(sheet: Sheet, text: string, style: Style = {}): void {
  const { x = LEFT, y = sheet.y, size = 10, isBold = false, align = "left" } = style;
  sheet.texts.push({ text, x, y, size, isBold, align, stretch: 1 });
}

/** Writes lines of a text, and moves the next baseline below them. */
export function writeLines(sheet: Sheet, text: string, style: Omit<Style, "x" | "y" | "align"> = {}): void {
  for (const line of wrapText(text, style.size ?? 10, RIGHT - LEFT)) {
    write(sheet, line, style);
    sheet.y += LINE;
  }
}

/** Writes facts below each other; those without a value are left out. */
export function writeFacts(sheet: Sheet, facts: readonly Fact[]): void {
  for (const [label, value] of facts) {
    if (value.trim() === "") continue;
    write(sheet, label);
    for (const line of cutLines(wrapText(value, 10, RIGHT - VALUE_X), VALUE_LINES)) {
      write(sheet, line, { x: VALUE_X, isBold: true });
      sheet.y += LINE;
    }
    sheet.y += 4;
  }
}

export function writeHeading(sheet: Sheet, text: string): void {
  sheet.y += 14;
  write(sheet, text, { size: 12, isBold: true });
  sheet.rules.push({ x: LEFT, y: sheet.y + 7, width: RIGHT - LEFT, height: 0.5 });
  sheet.y += 24;
}

export type Column = { x: number; width: number };

/** Height of a row of a table, in points; its cells have at most two lines. */
export const rowHeight = (cells: readonly string[], columns: readonly Column[]): number =>
  LINE * Math.max(1, ...rowLines(cells, columns).map(({ length }) => length)) + 3;

/** Writes a row, and moves the next baseline below it. */
export function writeRow(sheet: Sheet, cells: readonly string[], columns: readonly Column[]): void {
  for (const [at, lines] of rowLines(cells, columns).entries())
    for (const [row, line] of lines.entries())
      write(sheet, line, { x: columns[at]?.x ?? LEFT, y: sheet.y + row * LINE, size: 9 });
  sheet.y += rowHeight(cells, columns);
}

/** Writes rows, on as many further pages as they need. @returns the pages, the given one first */
export function drawTable(
  first: Sheet,
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
): Sheet[] {
  const sheets = [first];
  let sheet = first;
  for (const cells of rows) {
    if (sheet.y + rowHeight(cells, columns) > BOTTOM) {
      sheet = { texts: [], rules: [], pictures: [], y: 74 };
      sheets.push(sheet);
    }
    writeRow(sheet, cells, columns);
  }
  return sheets;
}

const rowLines = (cells: readonly string[], columns: readonly Column[]): string[][] =>
  cells.map((cell, at) => cutLines(wrapText(cell, 9, columns[at]?.width ?? 0), 2));

function cutLines(lines: readonly string[], count: number): string[] {
  const last = lines[count - 1];
  return lines.length <= count || last === undefined
    ? [...lines]
    : [...lines.slice(0, count - 1), `${last.slice(0, -3)}…`];
}

/** Writes small lines at the bottom of a page, the last one lowest. */
export function writeFooter(sheet: Sheet, notes: readonly string[]): void {
  const lines = notes.flatMap((note) => wrapText(note, 8, RIGHT - LEFT));
  const hidden = sheet.texts.some(({ text }) => unprintableIn(text) !== undefined);
  if (hidden) lines.push("A question mark may stand for a letter that this paper's font doesn't have.");
  for (const [at, line] of lines.entries())
    write(sheet, line, { y: PAPER.height - 42 - 11 * (lines.length - 1 - at), size: 8 });
}

/** Writes pages as a PDF. The same pages give the same bytes. */
export async function writePaper(
  title: string,
  sheets: readonly Sheet[],
  fontFile: FontFile,
): Promise<Buffer> {
  async function* pages(): AsyncGenerator<readonly PlacedLabel[]> {
    for (const { texts, rules, pictures } of sheets)
      yield [{ common: NOTHING, own: { texts, rules, symbols: [], pictures }, leftDots: 0, topDots: 0 }];
  }
  const chunks: Buffer[] = [];
  const document = { title, resolution: RESOLUTIONS["300"], page: PAPER, label: PAPER, fontFile };
  for await (const chunk of writePdf({ ...document, pages: pages() })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Shared by all pages: one object, as the writer compares them. */
const NOTHING = { texts: [], rules: [], symbols: [] };

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/** "Nov 20, 2026, 1:47 PM MST", or less if parts are missing. @param day `YYYY-MM-DD` @param time `HH:MM:SS` */
export function dayAndTime(day: string, time: string, zone: string): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
  const at = Date.parse(`${day}T00:00:00Z`);
  return [Number.isNaN(at) ? "" : DAY.format(at), time === "" ? "" : `${clock} ${zone}`]
    .filter(Boolean)
    .join(", ");
}

/** "Nov 20, 2026"; empty for none. @param day `YYYY-MM-DD` */
export const dayText = (day: string): string => dayAndTime(day, "", "");

/** "Nov 20, 2026, 1:47 PM UTC"; empty for none. */
export const instantText = (at: Date | null): string =>
  at ? dayAndTime(at.toISOString().slice(0, 10), at.toISOString().slice(11, 19), "UTC") : "";

/** Day and time of a scan at its place, with the zone of that place. */
export const scanTime = (scan: Placed): string =>
  dayAndTime(scan.local_date, scan.local_time, nameZone(scan));

/** A table of scans: time, words, and place. The time of a place without a known zone takes the most room. */
export const SCAN_COLUMNS: readonly Column[] = [
  { x: LEFT, width: 150 },
  { x: 212, width: 186 },
  { x: 406, width: RIGHT - 406 },
];
