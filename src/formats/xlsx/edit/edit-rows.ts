import { cellName } from "../cell-names.ts";
import { nameCode } from "../name-code.ts";
import { fillReference, rewriteReferences } from "./references.ts";
import { CannotMove, moveFormula, newRow, type RowMoves } from "./row-moves.ts";
import {
  scanRows,
  withoutAttribute,
  type CellAt,
  type FormulaAt,
  type RowAt,
  type Span,
} from "./scan-rows.ts";
import {
  applyEdits,
  formulaXml,
  plainFormula,
  prefixOf,
  toXml,
  type Edit,
  type SheetText,
} from "./sheet-text.ts";

/** What is done to the rows of a sheet. */
export type RowChanges = {
  removed: ReadonlySet<number>;
  /** Set when rows below a removed one move up; otherwise removed rows stay in place, blank and hidden. */
  moves: RowMoves | undefined;
  /** Texts of the added column by row, the header row included; rows count as before the change. */
  added: { column: number; headerRow: number; texts: ReadonlyMap<number, string>; style: string };
  /** Texts put into other cells, by row and column, rows as before the change; a cell keeps its format. */
  texts: CellTexts;
};

/** Texts by row, and in it by column, counted from 0. */
export type CellTexts = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** With `hadFormulas` values shown in the sheet may have to be recalculated. */
export type EditedRows = { before: Span; data: string; lastRow: number; hadFormulas: boolean };

const SPANS = nameCode("spans");
const HIDDEN = nameCode("hidden");
const HEIGHT = nameCode("ht");
const CUSTOM_HEIGHT = nameCode("customHeight");

type Master = { formula: string | undefined; row: number; column: number; removed: boolean };
type Editor = { sheet: SheetText; changes: RowChanges; masters: Map<string, Master>; prefix: string };

/**
 * The rows of a sheet with some taken out and a column added.
 * @throws CannotMove when rows shall move and a formula forbids it
 */
export function editRows(sheet: SheetText, changes: RowChanges): EditedRows {
  const editor: Editor = { sheet, changes, masters: new Map(), prefix: prefixOf(sheet.text) };
  const pieces: string[] = [];
  let lastRow = 1;
  let hadFormulas = false;
  const before = scanRows(sheet, (row) => {
    hadFormulas ||= row.cells.some(({ formula }) => formula !== undefined);
    const piece = editRow(editor, row);
    if (piece === "") return;
    pieces.push(piece);
    lastRow = Math.max(lastRow, changes.moves ? newRow(changes.moves, row.number) : row.number);
  });
  return { before, data: pieces.join(""), lastRow, hadFormulas };
}

function editRow(editor: Editor, row: RowAt): string {
  const { changes, sheet } = editor;
  const removed = changes.removed.has(row.number);
  for (const cell of row.cells) noteMaster(editor, cell, { row: row.number, removed });
  if (removed) return changes.moves ? "" : blankRow(editor, row);
  const edits = [...tagEdits(editor, row)];
  for (const cell of row.cells) edits.push(...cellEdits(editor, cell, row));
  for (const cell of newCells(editor, row)) putCell(editor, { row, edits, cell });
  return applyEdits(sheet.text, row.start, { to: row.end, edits });
}

type NewCell = { column: number; text: string; style: string };

/** In the order of their columns: those behind the last cell of a row all go to the same place. */
function newCells({ changes }: Editor, row: RowAt): NewCell[] {
  const { added, texts } = changes;
  const text = added.texts.get(row.number);
  const others = [...(texts.get(row.number) ?? [])].map(([column, other]): NewCell => {
    const there = row.cells.find((cell) => cell.column === column) ?? row.cells.at(-1);
    return { column, text: other, style: there?.style ?? "" };
  });
  const reason = text === undefined ? [] : [{ column: added.column, text, style: styleOf(row, added) }];
  return [...others, ...reason].toSorted((a, b) => a.column - b.column);
}

function noteMaster(
  { masters, changes }: Editor,
  { formula, column }: CellAt,
  at: { row: number; removed: boolean },
): void {
  if (!formula) return;
  if (changes.moves && formula.type !== "" && formula.type !== "shared" && formula.type !== "normal")
    throw new CannotMove("the sheet has array formulas");
  if (formula.type !== "shared" || formula.xml === "") return;
  masters.set(formula.si, { formula: plainFormula(formula.xml), column, ...at });
}

/** What the start tag of a row that stays says of its number, height, extent and whether it is hidden. */
function tagEdits({ sheet, changes }: Editor, row: RowAt): Edit[] {
  const edits: Edit[] = [];
  if (changes.moves && row.place)
    edits.push({ ...row.place, text: String(newRow(changes.moves, row.number)) });
  if (changes.added.texts.has(row.number)) {
    // A stored height would cut the text off, and a row that was filtered away would not be seen at all.
    const height = row.attributes.has(CUSTOM_HEIGHT) ? [] : [HEIGHT];
    for (const code of [SPANS, HIDDEN, ...height]) {
      const value = row.attributes.get(code);
      if (value) edits.push(withoutAttribute(sheet, value));
    }
  }
  return edits.toSorted((a, b) => a.start - b.start);
}

function cellEdits(editor: Editor, cell: CellAt, row: RowAt): Edit[] {
  const { moves } = editor.changes;
  const edits: Edit[] = [];
  if (moves && cell.place)
    edits.push({ ...cell.place, text: cellName(cell.column, newRow(moves, row.number)) });
  const formula = cell.formula && editFormula(editor, cell.formula, { row: row.number, column: cell.column });
  if (formula) edits.push(formula);
  return edits;
}

/** Shared formulas become plain ones when their rows move, or when the cell that holds them is blanked. */
function editFormula(
  editor: Editor,
  formula: FormulaAt,
  at: { row: number; column: number },
): Edit | undefined {
  const { moves } = editor.changes;
  const master = formula.type === "shared" ? editor.masters.get(formula.si) : undefined;
  if (!moves && !master?.removed) return undefined;
  const { start, end } = formula;
  const plain = formulaOf(formula, master, at);
  if (plain === undefined) {
    if (moves) throw new CannotMove("a formula cannot be read");
    // Without the formula the cell keeps the value it shows.
    return { start, end, text: "" };
  }
  const moved = moves ? moveFormula(moves, plain) : plain;
  if (moved === plain && formula.type === "") return undefined;
  const name = `${editor.prefix}f`;
  return { start, end, text: `<${name}>${formulaXml(moved)}</${name}>` };
}

/** The formula of a cell as Excel shows it, also where it is stored with another cell. */
function formulaOf(
  formula: FormulaAt,
  master: Master | undefined,
  at: { row: number; column: number },
): string | undefined {
  if (formula.xml !== "") return plainFormula(formula.xml);
  return master && fill(master, at);
}

/** @returns undefined when the formula cannot be read or leaves the sheet */
function fill(master: Master, at: { row: number; column: number }): string | undefined {
  const by = { rows: at.row - master.row, columns: at.column - master.column };
  let leaves = false;
  const filled =
    master.formula &&
    rewriteReferences(master.formula, (reference) => {
      const moved = fillReference(reference, by);
      leaves ||= !moved;
      return moved ?? reference;
    });
  return leaves ? undefined : filled;
}

/** Nothing but the formats of a row, out of sight. */
function blankRow({ sheet, prefix }: Editor, row: RowAt): string {
  const cells = row.cells
    .filter(({ style }) => style !== "")
    .map(({ column, style }) => `<${prefix}c r="${cellName(column, row.number)}" s="${style}"/>`);
  const edits = [row.attributes.get(HIDDEN)].flatMap((span) => (span ? [withoutAttribute(sheet, span)] : []));
  const tag = applyEdits(sheet.text, row.start, { to: row.inner, edits }).replace(/\s*\/?>$/, ' hidden="1">');
  return `${tag}${cells.join("")}</${prefix}row>`;
}

/** A cell with a text, in its place among the others; an existing one gives way. */
function putCell(
  { changes, prefix }: Editor,
  { row, edits, cell }: { row: RowAt; edits: Edit[]; cell: NewCell },
): void {
  const { column, text, style } = cell;
  const place = cellName(column, changes.moves ? newRow(changes.moves, row.number) : row.number);
  const xml = `<${prefix}c r="${place}"${style === "" ? "" : ` s="${style}"`} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${toXml(text)}</${prefix}t></${prefix}is></${prefix}c>`;
  const { start, end } = spotFor(row, column);
  const others = edits.filter((edit) => edit.start < start || edit.start >= end);
  edits.splice(0, edits.length, ...others, { start, end, text: xml });
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The header of the added column looks like the one before it. */
function styleOf(row: RowAt, added: RowChanges["added"]): string {
  if (row.number !== added.headerRow) return added.style;
  return row.cells.findLast(({ column }) => column < added.column)?.style ?? "";
}

/** The cell that gives way, or the empty place in front of the next one. */
function spotFor(row: RowAt, column: number): Span {
  const there = row.cells.find((cell) => cell.column === column);
  if (there) return there;
  const next = row.cells.find((cell) => cell.column > column);
  const start = next?.start ?? row.cells.at(-1)?.end ?? row.inner;
  return { start, end: start };
}
