import type { SheetKind } from "#formats/table/define-sheet.ts";
import { SheetRefused } from "#formats/table/problem.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";

/**
 * Runs what reads a sheet of a kind, and says in a sentence why it cannot be used.
 * @throws WorkbookRefused for every reason not to use the file
 */
export function readSheet<T>(kind: SheetKind, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    const { code, detail } = refusalReply(kind, error);
    throw new WorkbookRefused(code, detail);
  }
}
