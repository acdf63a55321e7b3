import type { SheetKind } from "#formats/table/define-sheet.ts";
import { headerText } from "#formats/table/header-text.ts";
import { findHeaders, meaningOf, type ColumnChoices } from "#formats/table/headers.ts";
import { FileRefused } from "#formats/facts.ts";
import { showCell } from "#formats/table/texts.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import type { Sheet } from "#formats/xlsx/workbook.ts";
import type { SeenColumn } from "#features/sheets/contract.ts";
import type { ToInspect } from "#features/sheets/inspect-sheet.ts";
import { guessFields } from "#features/sheets/rules-guess.ts";
import { openFile } from "#features/sheets/open-file.ts";

/** The columns of the sheet that looks most like one of a kind, and what each would mean. */
export type SeenSheet = { sheet: string; header_row: number; columns: SeenColumn[] };

export type ToSee = Omit<ToInspect, "dateOrder">;

const SAMPLES = 3;

/**
 * Looks at the columns of a file. To be run in a thread of its own.
 * @throws FileRefused when no sheet has headers
 */
export function inspectColumns(kind: SheetKind, bytes: Uint8Array, { fileName, chosen }: ToSee): SeenSheet {
  const sheets = openFile(bytes, fileName).sheets.filter(
    ({ state, rows }) => state === "visible" && rows.length > 0,
  );
  const seen = sheets.flatMap((sheet) => seenOn(kind, sheet, chosen) ?? []);
  const [best] = seen.toSorted(
    (one, other) => known(other) - known(one) || other.columns.length - one.columns.length,
  );
  if (!best) throw new FileRefused("headers_not_found");
  return best;
}

const known = ({ columns }: SeenSheet) => columns.filter(({ field }) => field !== null).length;

function seenOn(kind: SheetKind, sheet: Sheet, chosen: ColumnChoices): SeenSheet | null {
  const headers = findHeaders(kind, sheet, chosen);
  const header = sheet.rows.find(({ number }) => number === headers?.row);
  if (!header) return null;
  const below = sheet.rows.filter(({ number }) => number > header.number);
  const seen = header.cells.flatMap((cell, index) => {
    const text = headerText(cell);
    if (text === "") return [];
    const samples = below
      .flatMap(({ cells }) => cells[index] ?? [])
      .slice(0, SAMPLES)
      .map(showCell);
    const field = meaningOf(kind, text, chosen) ?? null;
    return [{ header: text, column: columnName(index), samples, field }];
  });
  const guesses = guessFields(kind, seen);
  const columns = seen.map((column, at) => ({ ...column, guess: guesses[at] ?? null }));
  return { sheet: sheet.name, header_row: header.number, columns };
}
