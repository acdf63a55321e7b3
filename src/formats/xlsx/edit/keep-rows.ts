import { guardWorkbook, type Archive } from "../guard.ts";
import { damaged } from "../refusals.ts";
import { unpackPart } from "../unpack-part.ts";
import { findParts, type WorkbookParts } from "../workbook-parts.ts";
import { addReasonStyle } from "./add-style.ts";
import { moveTail, moveViews, setColumnWidth, setDimension } from "./edit-around.ts";
import { editRow, type NewTexts, type RowEditor } from "./edit-rows.ts";
import { refuseKnownRows } from "./other-parts.ts";
import { replaceParts } from "./replace-parts.ts";
import { CannotMove, moveRows, newRow, type RowMoves } from "./row-moves.ts";
import { scanRows } from "./scan-rows.ts";
import { partText, prefixOf, toBytes, withValue } from "./xml-tags.ts";

/** Rows count from 1, columns from 0, both as in the workbook before the change. */
export type KeptRows = {
  sheet: string;
  /** Rows taken out. */
  removed: ReadonlySet<number>;
  /** Texts put into cells of rows that stay. */
  texts: NewTexts;
  /** Columns that get another width, in characters. */
  widths: ReadonlyMap<number, number>;
};

/**
 * The same workbook with some rows of one sheet taken out and texts put into cells of it. Everything else stays as it is,
 * byte for byte: other sheets, formats, widths, validations, notes, pictures. The rows below a removed one move up; where
 * something else depends on where they are (a formula, a table, a picture, a merged range), removed rows are blanked
 * and hidden in place instead.
 * @param bytes a workbook that `readWorkbook` has read
 * @throws FileRefused when the workbook is damaged or over a limit
 */
export function keepRows(bytes: Uint8Array, kept: KeptRows): Uint8Array {
  const archive = guardWorkbook(bytes);
  const parts = findParts(archive);
  const part = parts.sheets.find(({ name }) => name === kept.sheet)?.part ?? "";
  const xml = unpackPart(archive, part);
  if (!xml) throw damaged(`the part of sheet "${kept.sheet}" is missing`);
  const styled = addReasonStyle(partText(unpackPart(archive, parts.styles) ?? Buffer.alloc(0)));
  const source = { text: partText(xml), part, kept, remarkStyle: styled?.style ?? "" };
  const moves = moveRows(toBytes(kept.sheet), [...kept.removed]);
  const edited =
    tryMoving(() => {
      refuseKnownRows(archive, { part, workbook: parts.workbook }, moves);
      return editSheet(source, moves);
    }) ?? editSheet(source, undefined);
  const replaced = new Map<string, Buffer | null>([[part, Buffer.from(edited.xml, "latin1")]]);
  if (styled) replaced.set(parts.styles.toLowerCase(), Buffer.from(styled.styles, "latin1"));
  if (kept.removed.size > 0) forgetCalculation(archive, parts, { replaced, recalculate: edited.recalculate });
  return replaceParts(archive, replaced);
}

function tryMoving<Result>(move: () => Result): Result | undefined {
  try {
    return move();
  } catch (error) {
    if (error instanceof CannotMove) return undefined;
    throw error;
  }
}

type Source = { text: string; part: string; kept: KeptRows; remarkStyle: string };

function editSheet({ text, part, kept, remarkStyle }: Source, moves: RowMoves | undefined) {
  const prefix = prefixOf(text);
  const editor: RowEditor = { changes: { ...kept, moves, remarkStyle }, prefix, masters: new Map() };
  const rows: string[] = [];
  const last = { column: 0, row: 1 };
  for (const texts of kept.texts.values()) last.column = Math.max(last.column, ...texts.keys());
  let hasFormulas = false;
  const around = scanRows(text, part, (row) => {
    hasFormulas ||= row.cells.some(({ formula }) => formula !== undefined);
    const xml = editRow(editor, row);
    if (xml === "") return;
    rows.push(xml);
    last.row = Math.max(last.row, moves ? newRow(moves, row.number) : row.number);
  });
  let { head, tail } = around;
  for (const [column, width] of kept.widths) head = setColumnWidth(head, column, width);
  if (moves) [head, tail] = [moveViews(head, moves), moveTail(tail, prefix, moves)];
  const xml = setDimension(head, last) + rows.join("") + tail;
  return { xml, recalculate: hasFormulas || !moves };
}

/**
 * Takes out the order of calculation, which names cells that may be gone: Excel would call the file damaged. Excel
 * makes it again, and recalculates the formulas when the file is opened.
 */
function forgetCalculation(
  archive: Archive,
  parts: WorkbookParts,
  { replaced, recalculate }: { replaced: Map<string, Buffer | null>; recalculate: boolean },
): void {
  const edit = (name: string, change: (text: string) => string) => {
    const xml = unpackPart(archive, name);
    if (xml) replaced.set(name.toLowerCase(), Buffer.from(change(partText(xml)), "latin1"));
  };
  const chain = parts.calcChain.toLowerCase();
  if (archive.entries.has(chain)) {
    replaced.set(chain, null);
    const entry = /<(?:[\w.-]+:)?(?:Override|Relationship)\b[^>]*calcChain[^>]*\/>/i;
    for (const name of ["[content_types].xml", parts.links]) edit(name, (text) => text.replace(entry, ""));
  }
  if (recalculate) edit(parts.workbook, calculateOnLoad);
}

function calculateOnLoad(workbook: string): string {
  const prefix = prefixOf(workbook);
  const [tag] = new RegExp(`<${prefix}calcPr\\b[^>]*>`).exec(workbook) ?? [];
  if (tag) return workbook.replace(tag, () => withValue(tag, "fullCalcOnLoad", "1"));
  const before = `^[\\s\\S]*</${prefix}(?:sheets|functionGroups|externalReferences|definedNames)\\s*>`;
  return workbook.replace(new RegExp(before), (text) => `${text}<${prefix}calcPr fullCalcOnLoad="1"/>`);
}
