import type { SheetRow } from "../xlsx/workbook.ts";
import { isBlank } from "./header-text.ts";

/** Page numbers and the like, which programs print between the rows; "Printed" with a day, a time or a year. */
const FOOTER =
  /^(?:page\s+\d+(?:\s*(?:of|\/)\s*\d+)?|-\s*\d+\s*-|(?:printed|exported|generated|report (?:run|generated|created))\b.*(?:\d[-/.]\d{1,2}[-/.]\d|\d:\d\d|\b20\d\d\b).*|\(?continued\b.*|(?:accrual|cash) basis\b.*|end of report|(?:mon|tues|wednes|thurs|fri|satur|sun)day,.*\d{4}.*\d:\d\d.*)$/i;

/** True for a row with one text only, which is the footer of a page or of a report. */
export function isFooter({ cells }: SheetRow): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  return filled.length === 1 && typeof filled[0] === "string" && FOOTER.test(filled[0].trim());
}
