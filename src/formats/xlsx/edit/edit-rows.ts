import { cellName } from "../cell-names.ts";
import { fillReference, rewriteReferences } from "./references.ts";
import { CannotMove, moveFormula, newRow, type RowMoves } from "./row-moves.ts";
import type { CellXml, Formula, RowXml } from "./scan-rows.ts";
import { escapeMarkup, plainFormula, toXml, valueIn, withValue } from "./xml-tags.ts";

/** A text put into a cell; a remark is highlighted, any other has the format of the cell, or of the one in front. */
export type NewText = { text: string; isRemark?: boolean };

/** By row, and in it by column, counted from 0; rows as before the change. */
export type NewTexts = ReadonlyMap<number, ReadonlyMap<number, NewText>>;

/** What is done to the rows of a sheet. */
export type RowChanges = {
  removed: ReadonlySet<number>;
  /** Set when rows below a removed one move up; otherwise removed rows stay in place, blank and hidden. */
  moves: RowMoves | undefined;
  texts: NewTexts;
  /** The format of remarks, "" for none. */
  remarkStyle: string;
};

/** Shared formulas by their number, each with the cell that holds it. */
type Masters = Map<string, { formula: string | undefined; row: number; column: number; removed: boolean }>;

/** @param prefix of the sheet's elements */
export type RowEditor = { changes: RowChanges; prefix: string; masters: Masters };

/**
 * One row after the change, "" for one that is gone.
 * @throws CannotMove when rows shall move and a formula forbids it
 */
export function editRow(editor: RowEditor, row: RowXml): string {
  const { removed, moves, texts } = editor.changes;
  for (const cell of row.cells) noteFormula(editor, cell, row.number);
  if (removed.has(row.number)) return moves ? "" : blankRow(editor, row);
  const added = texts.get(row.number) ?? new Map<number, NewText>();
  const kept = row.cells.filter(({ column }) => !added.has(column));
  const cells = kept.map((cell) => ({ column: cell.column, xml: keptCell(editor, cell, row.number) }));
  for (const [column, text] of added) cells.push({ column, xml: newCell(editor, row, { column, ...text }) });
  if (added.size > 0) cells.sort((a, b) => a.column - b.column);
  return rowTag(editor, row) + cells.map(({ xml }) => xml).join("") + row.end;
}

function noteFormula({ masters, changes }: RowEditor, { formula, column }: CellXml, row: number): void {
  if (!formula) return;
  if (changes.moves && !["", "shared", "normal"].includes(formula.type))
    throw new CannotMove("the sheet has array formulas");
  if (formula.type !== "shared" || formula.text === "") return;
  const removed = changes.removed.has(row);
  masters.set(formula.si, { formula: plainFormula(formula.text), row, column, removed });
}

/** Nothing but the formats of a row, out of sight. */
function blankRow({ prefix }: RowEditor, { number, tag, cells, end }: RowXml): string {
  const blank = cells.flatMap((cell) => {
    const style = valueIn(cell.tag, "s");
    return style === undefined ? [] : `<${prefix}c r="${cellName(cell.column, number)}" s="${style}"/>`;
  });
  return withValue(tag, "hidden", "1") + blank.join("") + end;
}

function rowTag({ changes }: RowEditor, { number, tag }: RowXml): string {
  const moved = changes.moves ? withValue(tag, "r", String(newRow(changes.moves, number))) : tag;
  if (!changes.texts.has(number)) return moved;
  // A stored height would cut the text off, and a row that was filtered away would not be seen at all.
  const height = valueIn(tag, "customHeight") === undefined ? ["ht"] : [];
  return ["spans", "hidden", ...height].reduce((text, name) => withValue(text, name, undefined), moved);
}

function keptCell(editor: RowEditor, { column, formula, ...cell }: CellXml, row: number): string {
  const { moves } = editor.changes;
  const tag = moves ? withValue(cell.tag, "r", cellName(column, newRow(moves, row))) : cell.tag;
  const inner = formula
    ? cell.inner.replace(formula.xml, () => keptFormula(editor, formula, { row, column }))
    : cell.inner;
  return cell.before + tag + inner;
}

/** Shared formulas become plain ones when their rows move, or when the cell that holds them is blanked. */
function keptFormula(editor: RowEditor, formula: Formula, at: { row: number; column: number }): string {
  const { moves } = editor.changes;
  const master = formula.type === "shared" ? editor.masters.get(formula.si) : undefined;
  if (!moves && !master?.removed) return formula.xml;
  const plain = formula.text === "" ? master && fill(master, at) : plainFormula(formula.text);
  if (plain === undefined) {
    if (moves) throw new CannotMove("a formula cannot be read");
    // Without the formula the cell keeps the value it shows.
    return "";
  }
  const moved = moves ? moveFormula(moves, plain) : plain;
  if (moved === plain && formula.type === "") return formula.xml;
  return `<${editor.prefix}f>${escapeMarkup(moved)}</${editor.prefix}f>`;
}

/** A shared formula in another cell; undefined when it cannot be read or leaves the sheet. */
function fill(
  { formula, ...from }: { formula: string | undefined; row: number; column: number },
  at: { row: number; column: number },
): string | undefined {
  const by = { rows: at.row - from.row, columns: at.column - from.column };
  let leaves = false;
  const filled =
    formula &&
    rewriteReferences(formula, (reference) => {
      const moved = fillReference(reference, by);
      leaves ||= !moved;
      return moved ?? reference;
    });
  return leaves ? undefined : filled;
}

function newCell(
  { changes, prefix }: RowEditor,
  { number, cells }: RowXml,
  { column, text, isRemark }: NewText & { column: number },
): string {
  const place = cellName(column, changes.moves ? newRow(changes.moves, number) : number);
  const before = cells.findLast((cell) => cell.column <= column);
  const style = isRemark ? changes.remarkStyle : valueIn(before?.tag ?? "", "s");
  const tag = `<${prefix}c r="${place}"${style ? ` s="${style}"` : ""} t="inlineStr">`;
  return `${tag}<${prefix}is><${prefix}t xml:space="preserve">${toXml(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}
