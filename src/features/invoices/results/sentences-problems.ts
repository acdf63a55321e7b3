import type { Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import { quote } from "#formats/text/phrases.ts";
import { fieldHeader } from "#features/invoices/workbook/rules-sheet.ts";
import { withPlace } from "#features/sheets/reading.ts";
import { readingSentence } from "#features/invoices/workbook/sentences.ts";
import { isField, type Range, type Sentences } from "#features/invoices/results/rules-sentences.ts";
import { BOOKS_SENTENCES } from "#features/invoices/results/sentences-books.ts";
import { MONEY_SENTENCES } from "#features/invoices/results/sentences-money.ts";
import { SHEET_SENTENCES } from "#features/invoices/results/sentences-sheet.ts";

const SENTENCES: Sentences = { ...SHEET_SENTENCES, ...BOOKS_SENTENCES, ...MONEY_SENTENCES };

/**
 * What a problem says, without its place.
 * @param quoted how texts of the file are put into it; by default shortened
 */
export function problemSentence(problem: Problem, quoted: (text: string) => string = quote): string {
  const { code, field, params, value } = problem;
  const say = SENTENCES[code];
  if (!say) return readingSentence(problem, quoted);
  const header = isField(field) ? fieldHeader(field) : "";
  return say({
    problem,
    params,
    param: (name) => paramText(params[name]),
    header,
    value: quoted(value),
    quote: quoted,
  });
}

/** The same behind its place. @param rows neighbours that all have this problem; its own when left out */
export const problemText = (problem: Problem, rows?: Range): string =>
  withPlace(problem, problemSentence(problem), rows);

const paramText = (value: Params[string] | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : value === true ? "true" : "";
