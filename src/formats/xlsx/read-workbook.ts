import { guardWorkbook } from "./guard.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { createCellReader } from "./read-cell.ts";
import { readSheet } from "./read-sheet.ts";
import { readSharedStrings } from "./shared-strings.ts";
import { damaged } from "./refusals.ts";
import { FileRefused } from "../facts.ts";
import { readStyles } from "./styles.ts";
import { unpackPart } from "./unpack-part.ts";
import type { Workbook } from "./workbook.ts";
import { findParts } from "./workbook-parts.ts";
import { scanXml } from "./xml-scan.ts";

/**
 * Reads the values of every sheet that a user can see or unhide. The limits bound time and memory for any
 * input.
 * @param bytes the whole .xlsx file
 * @throws FileRefused with an explanation and a remedy if the file is not a workbook, is unsafe, or is
 * damaged; a single sheet that exceeds a row, column or cell limit has the reason in `refused`
 * @see ECMA-376 part 1, 18.3 (worksheets), 18.4 (shared strings), 18.8 (styles)
 */
export function readWorkbook(bytes: Uint8Array, limits: Partial<Limits> = {}): Workbook {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const archive = guardWorkbook(bytes, bounds);
  const parts = findParts(archive);
  const strings = readSharedStrings(unpackPart(archive, parts.sharedStrings), bounds);
  const styles = readStyles(unpackPart(archive, parts.styles));
  const budget = { cellsLeft: bounds.maxCells };
  const sheets = parts.sheets
    .filter((sheet) => sheet.state !== "veryHidden")
    .map(({ name, state, part }) => {
      const xml = unpackPart(archive, part);
      if (!xml) throw damaged(`the part of sheet "${name}" is missing`);
      const source = { strings, styles, date1904: parts.date1904, limits: bounds, budget };
      const reader = createCellReader({ ...source, scan: scanXml(xml, part), sheetName: name });
      return readSheet(reader, { name, state });
    });
  if (sheets.length === 0) {
    throw new FileRefused("no_sheets");
  }
  return { sheets, date1904: parts.date1904, names: parts.names };
}
