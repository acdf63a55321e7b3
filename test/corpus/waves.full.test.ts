import { expect, test } from "vitest";
import { FileRefused } from "#formats/facts.ts";
import { refuseUnclearDates } from "#formats/table/date-order.ts";
import { headerKey } from "#formats/table/header-text.ts";
import { valueKey } from "#formats/table/one-for-all.ts";
import { BILLED, LEFT_OUT, rowMarkKey } from "#formats/table/row-mark-keys.ts";
import { sheetKey } from "#formats/table/several-sheets.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns, openFile, type InspectedSheet } from "#features/sheets/reading.ts";
import { doubleField } from "#features/sheets/web/rules-answers.ts";
import { type Random, createRandom } from "./random.ts";
import { makeMonths } from "./months.ts";

const FIELDS = invoiceSheet.names.map((field) => ({ field, header: field, required: false, unless: [] }));
/** Users may have left out all rows, or all sheets. */
const NO_QUESTIONS = ["all_left_out", "no_rows"];

/** Answers all questions of a page in some way, and leaves out some of its sheets. */
function answerPage({ columns, row_marks: marks, sheets, is_without }: InspectedSheet, random: Random) {
  const left = sheets.slice(1).filter(() => random.chance(0.2));
  return new Map<string, string>([
    ...columns.flatMap(({ header, field, guess, reason, choices }) => {
      if (reason === null)
        return field === null && guess !== null ? [[headerKey(header), guess] as const] : [];
      return [[headerKey(header), random.pick([...choices, "ignore"])] as const];
    }),
    ...marks.flatMap(({ of, values }) =>
      values.map(({ value }) => [rowMarkKey(of, value), random.pick([BILLED, LEFT_OUT])] as const),
    ),
    ...left.map(({ sheet }) => [sheetKey(sheet), "ignore"] as const),
    ...(is_without ? [[valueKey("item"), "Design work"] as const] : []),
  ]);
}

/** Whether the page shows why an upload would be refused: two columns of one field, or sheets that repeat each other. */
function isShown(
  seen: InspectedSheet,
  answers: ReadonlyMap<string, string>,
  { code, params }: FileRefused,
): boolean {
  if (NO_QUESTIONS.includes(code)) return true;
  if (code === "sheets_overlap")
    return seen.overlaps.some(({ sheets }) => sheets.join() === [params["first"], params["second"]].join());
  const meanings = seen.columns.map(
    ({ header, field, guess }) => answers.get(headerKey(header)) ?? field ?? guess ?? "",
  );
  return doubleField({ columns: seen.columns, fields: FIELDS }, meanings) !== null;
}

test("SH-06 in 350 generated workbooks of up to three sheets, no question follows after those of one page, whatever the answers", () => {
  let questions = 0;
  const later: string[] = [];
  for (let seed = 0; seed < 350; seed += 1) {
    const { fileName, bytes } = makeMonths(seed);
    const seen = inspectColumns(invoiceSheet, bytes, { fileName, chosen: new Map() });
    questions += seen.columns.filter(({ reason }) => reason !== null).length + seen.row_marks.length;
    for (const round of [0, 1]) {
      const answers = answerPage(seen, createRandom(seed * 2 + round));
      try {
        refuseUnclearDates(findTable(openFile(bytes, fileName), answers), seen.date_question ? "mdy" : null);
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error;
        if (!isShown(seen, answers, error))
          later.push(`${seed} ${error.code} ${JSON.stringify(error.params)} after ${[...answers].join(" ")}`);
      }
    }
  }
  expect(later).toEqual([]);
  expect(questions).toBeGreaterThan(700);
});
