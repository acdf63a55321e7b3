import { columnName } from "../cell-names.ts";
import { nameCode } from "../name-code.ts";
import { nextTag, skipAttributes } from "../xml-scan.ts";
import { CannotMove, moveRanges, moveRuleFormula, newRow, type RowMoves } from "./row-moves.ts";
import { readAttributes, valueOf } from "./scan-rows.ts";
import {
  applyEdits,
  formulaXml,
  plainFormula,
  prefixOf,
  sheetText,
  type Edit,
  type SheetText,
} from "./sheet-text.ts";

/** Elements behind the rows that either hold no rows or whose rows are understood here. */
const UNDERSTOOD = new Set(
  `sheetCalcPr sheetProtection mergeCells mergeCell phoneticPr conditionalFormatting cfRule formula colorScale dataBar
  iconSet cfvo color dataValidations dataValidation formula1 formula2 hyperlinks hyperlink printOptions pageMargins
  pageSetup headerFooter oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter ignoredErrors ignoredError
  legacyDrawing sheetData worksheet`
    .split(/\s+/)
    .map(nameCode),
);

const RULES = new Set(["formula", "formula1", "formula2"].map(nameCode));
const RANGES = [nameCode("ref"), nameCode("sqref")];
const SQREF = nameCode("sqref");
const SHEET_VIEWS = nameCode("sheetViews");
const SELECTION = nameCode("selection");
const VIEW_CELLS = [nameCode("activeCell"), nameCode("topLeftCell")];

/**
 * What is behind the rows, after some of them are gone.
 * @param part its scan is there
 * @param from where that begins in its text
 * @throws CannotMove when something there is tied to a removed row, or is not known to be free of rows
 */
export function moveTail(part: SheetText, from: number, moves: RowMoves): string {
  const { scan } = part;
  const edits: Edit[] = [];
  let by = 0;
  while (nextTag(scan)) {
    if (!UNDERSTOOD.has(scan.name)) throw new CannotMove("the sheet has parts that are not understood");
    if (scan.closing) continue;
    if (RULES.has(scan.name)) edits.push(...ruleEdit(part, moves, by));
    const attributes = readAttributes(part);
    for (const code of RANGES) {
      const span = attributes.get(code);
      if (!span) continue;
      const moved = moveRanges(moves, valueOf(part, span));
      if (code === SQREF) by = moved.by;
      else refuseCut(valueOf(part, span), moved.ranges);
      edits.push({ ...span, text: moved.ranges });
    }
  }
  return applyEdits(part.text, from, { to: part.text.length, edits });
}

/** A merge that loses a row would become another merge, or none. */
function refuseCut(before: string, after: string): void {
  if (heightOf(before) !== heightOf(after)) throw new CannotMove("a merged range crosses a removed row");
}

function heightOf(range: string): number {
  const [first = 0, last = first] = (range.match(/\d+/g) ?? []).map(Number);
  return last - first;
}

function ruleEdit(part: SheetText, moves: RowMoves, by: number): Edit[] {
  const { scan, text } = part;
  skipAttributes(scan);
  if (scan.selfClosing) return [];
  const end = text.indexOf("<", scan.pos);
  const plain = plainFormula(text.slice(scan.pos, end));
  if (plain === undefined) throw new CannotMove("a rule cannot be read");
  const moved = moveRuleFormula(moves, plain, by);
  return moved === plain ? [] : [{ start: scan.pos, end, text: formulaXml(moved) }];
}

/** The part in front of the rows: where the cursor is in moved rows, nothing else depends on them. */
export function moveViews(head: string, moves: RowMoves): string {
  const part = sheetText(Buffer.from(head, "latin1"), "sheet");
  const { scan } = part;
  const edits: Edit[] = [];
  while (nextTag(scan)) {
    if (scan.closing || scan.name === SHEET_VIEWS) continue;
    const isSelection = scan.name === SELECTION;
    const attributes = readAttributes(part);
    for (const code of isSelection ? [...VIEW_CELLS, SQREF] : VIEW_CELLS) {
      const span = attributes.get(code);
      if (!span) continue;
      // A removed row's place is taken by the next one that stays: a pane below frozen rows must not begin among them.
      const text = valueOf(part, span).replaceAll(/\d+/g, (row) =>
        String(newRow(moves, Number(row) - 1) + 1),
      );
      edits.push({ ...span, text });
    }
  }
  edits.sort((a, b) => a.start - b.start);
  return applyEdits(part.text, 0, { to: part.text.length, edits });
}

/** States the sheet's extent, which readers may rely on. */
export function setDimension(head: string, last: { column: number; row: number }): string {
  const tag = new RegExp(`(<${prefixOf(head)}dimension\\b[^>]*?\\bref\\s*=\\s*["'])[^"']*`);
  return head.replace(tag, (_, before: string) => `${before}A1:${columnName(last.column)}${last.row}`);
}

/** Gives a column its width, in characters, and keeps those of the others. */
export function setColumnWidth(head: string, column: number, width: number): string {
  const prefix = prefixOf(head);
  const number = column + 1;
  const own = `<${prefix}col min="${number}" max="${number}" width="${width}" customWidth="1"/>`;
  const cols = new RegExp(`<${prefix}cols\\s*>([\\s\\S]*?)</${prefix}cols\\s*>`).exec(head);
  if (!cols) {
    const data = head.search(new RegExp(`<${prefix}sheetData\\b`));
    return `${head.slice(0, data)}<${prefix}cols>${own}</${prefix}cols>${head.slice(data)}`;
  }
  const ranges = (cols[1] ?? "").match(new RegExp(`<${prefix}col\\b[^>]*>`, "g")) ?? [];
  const pieces = ranges.flatMap((xml) => splitRange(xml, number));
  const all = [...pieces, { min: number, xml: own }].toSorted((a, b) => a.min - b.min);
  const inner = all.map(({ xml }) => xml).join("");
  return `${head.slice(0, cols.index)}<${prefix}cols>${inner}</${prefix}cols>${head.slice(cols.index + cols[0].length)}`;
}

/** A `<col>` without the given column: it may describe a whole range of them. */
function splitRange(xml: string, number: number): { min: number; xml: string }[] {
  const [min, max] = ["min", "max"].map((name) =>
    Number(new RegExp(`\\b${name}\\s*=\\s*["'](\\d+)`).exec(xml)?.[1] ?? 0),
  );
  if (!min || !max || number < min || number > max) return [{ min: min ?? 0, xml: selfClosed(xml) }];
  const piece = (from: number, to: number) =>
    from > to
      ? []
      : [
          {
            min: from,
            xml: selfClosed(xml)
              .replace(/\bmin\s*=\s*["']\d+/, (text) => text.replace(/\d+$/, String(from)))
              .replace(/\bmax\s*=\s*["']\d+/, (text) => text.replace(/\d+$/, String(to))),
          },
        ];
  return [...piece(min, number - 1), ...piece(number + 1, max)];
}

const selfClosed = (xml: string) => xml.replace(/\s*\/?>$/, "/>");
