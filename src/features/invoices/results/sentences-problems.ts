import type { Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import { fieldHeader, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import * as sheets from "#features/sheets/reading.ts";
import { BESIDE_FILE, withPlace, type Wording } from "#features/sheets/reading.ts";
import { isField, type Range, type Sentences } from "#features/invoices/results/rules-sentences.ts";
import { BOOKS_SENTENCES } from "#features/invoices/results/sentences-books.ts";
import { MONEY_SENTENCES } from "#features/invoices/results/sentences-money.ts";
import { SHEET_SENTENCES } from "#features/invoices/results/sentences-sheet.ts";

const SENTENCES: Sentences = { ...SHEET_SENTENCES, ...BOOKS_SENTENCES, ...MONEY_SENTENCES };

/** What a problem says, without its place. */
export function problemSentence(problem: Problem, wording: Wording = BESIDE_FILE): string {
  const { code, field, params, value } = problem;
  const say = SENTENCES[code];
  if (!say) return sheets.problemSentence(invoiceSheet, problem, wording);
  const header = isField(field) ? fieldHeader(field) : "";
  return say({
    problem,
    params,
    param: (name) => paramText(params[name]),
    header,
    value: wording.quote(value),
    ...wording,
  });
}

/** The same behind its place. @param rows neighbours that all have this problem; its own when left out */
export const problemText = (problem: Problem, rows?: Range): string =>
  withPlace(problem, problemSentence(problem), rows);

const paramText = (value: Params[string] | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : value === true ? "true" : "";
