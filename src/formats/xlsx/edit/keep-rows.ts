import { guardWorkbook, type Archive } from "../guard.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { damaged } from "../refusals.ts";
import { unpackPart } from "../unpack-part.ts";
import { findParts, type WorkbookParts } from "../workbook-parts.ts";
import { addReasonStyle } from "./add-style.ts";
import { moveTail, moveViews, setColumnWidth, setDimension } from "./edit-around.ts";
import { editRows, type CellTexts, type RowChanges } from "./edit-rows.ts";
import { refuseKnownRows } from "./other-parts.ts";
import { replaceParts } from "./replace-parts.ts";
import { CannotMove, moveRows, type RowMoves } from "./row-moves.ts";
import { partText, prefixOf, sheetText, toBytes } from "./sheet-text.ts";

/** Rows count from 1, columns from 0, both as in the workbook before the change. */
export type KeptRows = {
  sheet: string;
  headerRow: number;
  /** Rows taken out. */
  removed: ReadonlySet<number>;
  /** The column that is added: its place, header, width in characters, and text by row. */
  added: { column: number; header: string; width: number; texts: ReadonlyMap<number, string> };
  /** Texts put into other cells of rows that stay. */
  texts?: CellTexts;
};

/**
 * The same workbook with some rows of one sheet taken out and a column of texts added. Everything else stays as it is,
 * byte for byte: other sheets, formats, widths, validations, notes, pictures. The rows below a removed one move up; where
 * something else depends on where they are (a formula, a table, a picture, a merged range), removed rows are blanked
 * and hidden in place instead.
 * @param bytes a workbook that `readWorkbook` has read
 * @throws FileRefused when the workbook is damaged or over a limit
 */
export function keepRows(bytes: Uint8Array, kept: KeptRows, limits: Limits = DEFAULT_LIMITS): Uint8Array {
  const archive = guardWorkbook(bytes, limits);
  const parts = findParts(archive);
  const part = parts.sheets.find(({ name }) => name === kept.sheet)?.part;
  const xml = part === undefined ? undefined : unpackPart(archive, part);
  if (part === undefined || !xml) throw damaged(`the part of sheet "${kept.sheet}" is missing`);
  const styled = addReasonStyle(partText(unpackPart(archive, parts.styles) ?? Buffer.alloc(0)));
  const edit = (moves: RowMoves | undefined) =>
    editSheet({ xml, part, kept, style: styled?.style ?? "" }, moves);
  const moves = moveRows(kept.sheet, [...kept.removed]);
  const edited =
    tryMoving(() => {
      refuseKnownRows(archive, { part, workbook: parts.workbook }, moves);
      return edit({ ...moves, sheet: toBytes(kept.sheet) });
    }) ?? edit(undefined);
  const replaced = new Map<string, Buffer | null>([[part, Buffer.from(edited.xml, "latin1")]]);
  if (styled) replaced.set(parts.styles.toLowerCase(), Buffer.from(styled.styles, "latin1"));
  if (kept.removed.size > 0)
    forgetCalculation(archive, parts, { replaced, recalculate: edited.hadFormulas || !edited.moved });
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

type Source = { xml: Buffer; part: string; kept: KeptRows; style: string };

function editSheet({ xml, part, kept, style }: Source, moves: RowMoves | undefined) {
  const sheet = sheetText(xml, part);
  const { column, header, width, texts } = kept.added;
  const changes: RowChanges = {
    removed: kept.removed,
    moves,
    added: { column, headerRow: kept.headerRow, texts: new Map([...texts, [kept.headerRow, header]]), style },
    texts: kept.texts ?? new Map(),
  };
  const { before, data, lastRow, hadFormulas } = editRows(sheet, changes);
  const lastColumn = [...changes.texts.values()].reduce(
    (last, cells) => Math.max(last, ...cells.keys()),
    column,
  );
  const head = setColumnWidth(sheet.text.slice(0, before.start), column, width);
  const moved = moves
    ? { head: moveViews(head, moves), tail: moveTail(sheet, before.end, moves) }
    : { head, tail: sheet.text.slice(before.end) };
  return {
    xml: setDimension(moved.head, { column: lastColumn, row: lastRow }) + data + moved.tail,
    hadFormulas,
    moved: moves !== undefined,
  };
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
    edit("[content_types].xml", (text) =>
      text.replace(/<(?:[\w.-]+:)?Override\b[^>]*calcChain[^>]*\/>/i, ""),
    );
    edit(parts.links, (text) => text.replace(/<(?:[\w.-]+:)?Relationship\b[^>]*calcChain[^>]*\/>/i, ""));
  }
  if (recalculate) edit(parts.workbook, calculateOnLoad);
}

function calculateOnLoad(workbook: string): string {
  const prefix = prefixOf(workbook);
  const tag = new RegExp(`<${prefix}calcPr\\b[^>]*?(?=\\s*/?>)`).exec(workbook);
  if (tag) {
    const without = tag[0].replace(/\s+fullCalcOnLoad\s*=\s*["'][^"']*["']/, "");
    return `${workbook.slice(0, tag.index)}${without} fullCalcOnLoad="1"${workbook.slice(tag.index + tag[0].length)}`;
  }
  const before = `</${prefix}(?:sheets|functionGroups|externalReferences|definedNames)\\s*>`;
  const last = [...workbook.matchAll(new RegExp(before, "g"))].at(-1);
  if (!last) return workbook;
  const at = last.index + last[0].length;
  return `${workbook.slice(0, at)}<${prefix}calcPr fullCalcOnLoad="1"/>${workbook.slice(at)}`;
}
