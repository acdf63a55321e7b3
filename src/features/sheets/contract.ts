import * as z from "zod";
import { endpoint, type Access } from "#contract/endpoint.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import { lineText, multilineText } from "#contract/text.ts";
import { memberAccess, realmQuery } from "#features/companies/contract.ts";

export { MAX_FILE_BYTES };

/** Most rows of a table that is taken. */
export const MAX_FILE_ROWS = 30_000;

export const XLSX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** What a caller sends back as written in a cell, which may have several lines. */
const sheetText = multilineText().min(1);

export const seenColumn = z.object({
  header: z.string(),
  /** "C" */
  column: z.string(),
  /** The first values below the header. */
  samples: z.array(z.string()),
  /** The field it means as things stand, "ignore", or null when nobody knows. */
  field: z.string().nullable(),
  /** Where nobody knows: the missing field that its values look like; null for none. */
  guess: z.string().nullable(),
});
export type SeenColumn = z.output<typeof seenColumn>;

const seenColumns = z.object({
  sheet: z.string(),
  header_row: z.int(),
  columns: z.array(seenColumn),
  /** Fields a column can mean. */
  fields: z.array(
    z.object({
      field: z.string(),
      header: z.string(),
      required: z.boolean(),
      /** Fields that together stand in for a required one. */
      unless: z.array(z.string()),
    }),
  ),
});

export const columnChoice = z.object({
  header: z.string(),
  field: z.string(),
  /** The template's header of that field; null when the column is left out. */
  means: z.string().nullable(),
});
export type ColumnMeaning = z.output<typeof columnChoice>;

const columnChoices = z.object({ columns: z.array(columnChoice) });

/** Columns and the fields they mean; an empty field forgets. */
const chosenColumns = z.object({
  columns: z.array(z.object({ header: sheetText.max(200), field: lineText() })).max(60),
});

/** What comes first in a date such as 03/04/2026: the month or the day. */
export const writtenOrder = z.enum(["mdy", "dmy"]);
export type WrittenOrder = z.output<typeof writtenOrder>;

/** How dates are written where a file does not show it; null when nobody said. */
const dateOrder = z.object({ order: writtenOrder.nullable() });

/** Problems with one cause: a sentence without its cell, how often, and where. */
export const problemGroup = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  text: z.string(),
  count: z.int(),
  /** Letters of the column, "B"; empty where the sheet has no such column. */
  column: z.string().default(""),
  /** Rows, neighbours joined: "5, 7-9". */
  rows: z.string(),
});
export type ProblemGroup = z.output<typeof problemGroup>;

/** A cell that a user corrected, and what the file has there. */
export const correctedCell = z.object({
  row: z.int(),
  field: z.string(),
  header: z.string(),
  was: z.string(),
  value: z.string(),
});
export type CorrectedCell = z.output<typeof correctedCell>;

/** Most cells that are corrected at once. */
export const MAX_CORRECTIONS = 1_000;

/** Cells as a user corrected them, which count instead of those of the file. */
export const correctedCells = z
  .array(z.object({ row: z.int().min(1), field: lineText().max(40), value: multilineText().max(4000) }))
  .max(MAX_CORRECTIONS);

type OfSheet = { path: string; access?: Access };

/** What is asked and remembered of one kind of sheet. @param path of what is made of such sheets */
export const sheetEndpoints = ({ path, access = memberAccess }: OfSheet) => ({
  readColumns: endpoint({
    method: "POST",
    path: `${path}/columns`,
    summary: "The columns of a workbook as they would be understood; keeps nothing",
    access,
    query: realmQuery,
    file: { field: "file", maxBytes: MAX_FILE_BYTES },
    response: seenColumns,
  }),
  listColumnChoices: endpoint({
    method: "GET",
    path: `${path}/columns`,
    summary: "Columns a user of the company said the meaning of",
    access,
    query: realmQuery,
    response: columnChoices,
  }),
  chooseColumns: endpoint({
    method: "PUT",
    path: `${path}/columns`,
    summary: "Remembers which columns mean which fields; an empty field forgets the choice",
    access,
    query: realmQuery,
    body: chosenColumns,
    response: z.object({}),
  }),
  readDateOrder: endpoint({
    method: "GET",
    path: `${path}/date-order`,
    summary: "How a user of the company said its dates are written; null when nobody did",
    access,
    query: realmQuery,
    response: dateOrder,
  }),
  chooseDateOrder: endpoint({
    method: "PUT",
    path: `${path}/date-order`,
    summary: "Remembers how dates are written where a file does not show it; null forgets it",
    access,
    query: realmQuery,
    body: dateOrder,
    response: z.object({}),
  }),
});
export type SheetEndpoints = ReturnType<typeof sheetEndpoints>;
