import type { Problem } from "#formats/table/problem.ts";
import type { Params } from "#formats/facts.ts";
import type { Wording } from "#features/sheets/reading.ts";
import { rangesText } from "#formats/text/phrases.ts";
import { invoiceSheet, type Field } from "#features/invoices/workbook/rules-sheet.ts";

/** First and last of neighbouring rows. */
export type Range = readonly [number, number];

/** What a sentence is made of. */
export type Said = Wording & {
  problem: Problem;
  params: Params;
  /** A single parameter as text; empty for none, false and null. */
  param: (name: string) => string;
  /** The template's header of the field; empty for a problem of none. */
  header: string;
  /** The content of the cell, in quotation marks. */
  value: string;
};

export type Sentences = Readonly<Record<string, (said: Said) => string>>;

/** True for a field of the sheet of invoices. */
export const isField = (field: string | null): field is Field =>
  field !== null && (invoiceSheet.names as readonly string[]).includes(field);

/** Row numbers that `rangesOf` made a parameter of. */
export const rowsText = (flat: Params[string] | undefined): string =>
  rangesText(Array.isArray(flat) ? flat.map(Number) : []);

/** Texts of a parameter that is a list. */
export const textsIn = (list: Params[string] | undefined): string[] =>
  Array.isArray(list) ? list.map(String) : [];
