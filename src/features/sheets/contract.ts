import * as z from "zod";
import { endpoint, type Access } from "#contract/endpoint.ts";
import { MAX_FILE_BYTES } from "#contract/files.ts";
import { lineText, multilineText } from "#contract/text.ts";
import { memberAccess, realmQuery } from "#features/companies/contract.ts";

export { MAX_FILE_BYTES };

/** Maximum number of rows in a table. */
export const MAX_FILE_ROWS = 30_000;

export const XLSX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Text as written in a cell, which can have several lines. */
const sheetText = multilineText().min(1);

/** A row that a question speaks of. */
const exampleRow = z.object({
  /** "7", or "March!7" of another sheet than the first. */
  row: z.string(),
  /** The cell in question, what identifies the row, and its amount. */
  texts: z.array(z.string()),
});
export type ExampleRow = z.output<typeof exampleRow>;

export const seenColumn = z.object({
  header: z.string(),
  /** "C", or "March!C" of another sheet than the first. The times in a column of dates have its letter. */
  column: z.string(),
  /** Sheets with a column of this header; empty where the file has one sheet only. */
  sheets: z.array(z.string()),
  /** The first values below the header. */
  samples: z.array(z.string()),
  /** Field the column is matched to, "ignore", or null if unknown. */
  field: z.string().nullable(),
  /** For an unknown column, the field that it most likely is; null for none. */
  guess: z.string().nullable(),
  /** Why a user must match or ignore it before the file is accepted; null for a column without a question. */
  reason: z.string().nullable(),
  /** Its most likely meanings, where it is asked about. */
  choices: z.array(z.string()),
  /** The first rows that the question speaks of; empty without one. */
  examples: z.array(exampleRow),
  /** Sum of the numbers in a column that may change what is billed; null for text and for other columns. */
  sum: z.string().nullable(),
});
export type SeenColumn = z.output<typeof seenColumn>;

/** Rows with a value that may say that they are not billed. */
const markedRows = z.object({
  /** Row ranges: "5, 7-9", or "March!7" of another sheet than the first. */
  rows: z.string(),
  count: z.int(),
  /** Sum of their line amounts; null if none can be read. */
  amount: z.string().nullable(),
  /** The first of them; empty for a value that needs no answer. */
  examples: z.array(exampleRow),
});
export type MarkedRows = z.output<typeof markedRows>;

/** Rows that the file may say not to bill, by the values of a column or because they are hidden in the sheet. */
export const columnMarks = z.object({
  /** Identifies the column, or the hidden rows, in a choice; with the layout of the sheet, for which an answer counts. */
  of: z.string(),
  /** Names that layout: the export that the sheet is, or its first headers. */
  files_like: z.string(),
  /** "C"; null for what is about no column: hidden rows, a sheet by its name, rows below a text alone in its row. */
  column: z.string().nullable(),
  /** Header of the column, or a name for what else it is about; empty for hidden rows. */
  header: z.string(),
  values: z.array(
    markedRows.extend({
      /** As written; "filled", "blank" or "hidden" where that alone counts. */
      value: z.string(),
      /** The same by sheet, for the rows of those that are read; empty where the file has one sheet only. */
      by_sheet: z.array(markedRows.extend({ sheet: z.string() })),
      /** As a user chose; null without an answer. */
      is_billed: z.boolean().nullable(),
      /** Most likely answer; null where only a user knows it. */
      guess: z.boolean().nullable(),
    }),
  ),
});
export type ColumnMarks = z.output<typeof columnMarks>;

/** Numbers of each data row, from which the total follows for any answers. */
const sheetNumbers = z.object({
  /** Place of the row's sheet in `sheets`; 0 where there is one only. */
  sheets: z.array(z.int()),
  records: z.array(z.int()),
  /** By place of the column; empty for a column that changes no money. */
  columns: z.array(z.array(z.union([z.number(), z.string(), z.null()]))),
  further: z.array(z.number()),
  marks: z.array(z.array(z.int().nullable())),
});

const seenColumns = z.object({
  /** ISO code of its amounts; null if they are in several, or in one that the file doesn't name. */
  currency: z.string().nullable(),
  /** The export of a program that the sheet looks like; null if we don't know it. */
  layout: z.object({ name: z.string(), title: z.string(), matched: z.int() }).nullable(),
  /** Asks whether the month or the day comes first; null if that is known. */
  date_question: z.string().nullable(),
  /** Totals of the file that don't add up, each as a sentence with both sums. */
  totals: z.array(z.string()),
  /** Null for sheets without records. */
  numbers: sheetNumbers.nullable(),
  sheet: z.string(),
  header_row: z.int(),
  columns: z.array(seenColumn),
  row_marks: z.array(columnMarks),
  /** Sheets of the file that can be read together, and whether they are; empty where there is one only. */
  sheets: z.array(z.object({ sheet: z.string(), is_read: z.boolean() })),
  /** Two of those sheets that repeat a record; one of them must be left out. */
  overlaps: z.array(z.object({ sheets: z.array(z.string()), question: z.string() })),
  /** Asks for one value for all lines, where the sheet has no column for a field; null where it has one. */
  for_all: z
    .object({
      field: z.string(),
      question: z.string(),
      /** Value that users chose before; null if none. */
      value: z.string().nullable(),
      /** Known values, as suggestions. */
      names: z.array(z.string()),
    })
    .nullable(),
  /** Fields a column can be matched to. */
  fields: z.array(
    z.object({
      field: z.string(),
      header: z.string(),
      required: z.boolean(),
      /** Fields that together replace a required one. */
      unless: z.array(z.string()),
    }),
  ),
});

export type SeenColumns = z.output<typeof seenColumns>;

export const columnChoice = z.object({
  header: z.string(),
  field: z.string(),
  /** Template header of that field; null if the column is ignored. */
  means: z.string().nullable(),
});
export type ColumnMeaning = z.output<typeof columnChoice>;

const columnChoices = z.object({
  columns: z.array(columnChoice),
  /** Names of sheets that are left out. */
  sheets: z.array(z.string()),
  /** Values for all lines of files without a column for a field. */
  values: z.array(z.object({ field: z.string(), header: z.string(), value: z.string() })),
  /** Exports of programs, and whether sheets of such headers are read as one. */
  layouts: z.array(z.object({ name: z.string(), title: z.string(), is_used: z.boolean() })),
  /** Which rows are billed, by the values of a column. */
  row_marks: z.array(
    z.object({
      of: z.string(),
      /** Header of the column; empty for hidden rows. */
      header: z.string(),
      value: z.string(),
      is_billed: z.boolean(),
      /** Files that it counts for: the export that they are, or their first headers. */
      files_like: z.string(),
    }),
  ),
});

/**
 * Columns and their fields, and values for all lines; an empty field or value deletes the choice. Sheets are read unless a
 * user leaves them out.
 */
const chosenColumns = z.object({
  columns: z.array(z.object({ header: sheetText.max(200), field: lineText() })).max(60),
  sheets: z
    .array(z.object({ sheet: lineText().min(1).max(200), is_read: z.boolean() }))
    .max(100)
    .default([]),
  values: z
    .array(z.object({ field: lineText().max(40), value: lineText().max(500) }))
    .max(1)
    .default([]),
  /**
   * Whether the sheet is read as this export; null deletes the choice, with all meanings of its columns. With true,
   * `columns` are the meanings of columns in this export only.
   */
  layout: z.object({ name: lineText().min(1).max(40), is_used: z.boolean().nullable() }).optional(),
  /** Whether rows with a value are billed; null deletes the choice. `of` and `files_like` are those of the question. */
  row_marks: z
    .array(
      z.object({
        of: sheetText.max(260).includes("!"),
        value: sheetText.max(200),
        is_billed: z.boolean().nullable(),
        files_like: z.string().max(500).default(""),
      }),
    )
    .max(200)
    .default([]),
});

/** Whether the month or the day comes first in a date such as 03/04/2026. */
export const writtenOrder = z.enum(["mdy", "dmy"]);
export type WrittenOrder = z.output<typeof writtenOrder>;

/**
 * How a date typed as a correction is read: like the file's other dates, if they are conclusive; null for
 * other cells.
 */
export const typedDateOrder = z.enum(["mdy", "dmy", "unclear"]).nullable();
export type TypedDateOrder = z.output<typeof typedDateOrder>;

/** Date order for files that do not show it; null if not chosen. */
const dateOrder = z.object({ order: writtenOrder.nullable() });

/** Problems with one cause: a sentence without its cell, the count, and the place. */
export const problemGroup = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  text: z.string(),
  count: z.int(),
  /** Column letters, "B"; empty if the sheet has no such column. */
  column: z.string().default(""),
  /** Row ranges: "5, 7-9". */
  rows: z.string(),
});
export type ProblemGroup = z.output<typeof problemGroup>;

/** A cell that a user corrected, with the file's original value. */
/** A cell that blocks its record. */
export const wrongCell = z.object({
  code: z.string(),
  text: z.string(),
  row: z.int(),
  /** "F7"; empty if the sheet has no such column. */
  cell: z.string(),
  field: z.string().nullable(),
  header: z.string().nullable(),
  /** Text of the cell; empty for a blank one. */
  value: z.string(),
  date_order: typedDateOrder,
});
export type WrongCell = z.output<typeof wrongCell>;

export const correctedCell = z.object({
  row: z.int(),
  /** The row as users find it: "7", or "March!7" where several sheets were read. */
  place: z.string(),
  field: z.string(),
  header: z.string(),
  was: z.string(),
  value: z.string(),
});
export type CorrectedCell = z.output<typeof correctedCell>;

/** Maximum number of corrections in one request. */
export const MAX_CORRECTIONS = 1_000;

/** Corrected cells, which replace those of the file. */
export const correctedCells = z
  .array(z.object({ row: z.int().min(1), field: lineText().max(40), value: multilineText().max(4000) }))
  .max(MAX_CORRECTIONS);

/** Answers that are not saved yet, to find out which questions are left. */
const draftAnswers = z.object({
  columns: z
    .array(z.object({ header: sheetText.max(200), field: lineText() }))
    .max(200)
    .default([]),
  /** False to read a known export like any other sheet. */
  layout: z.boolean().default(true),
});

type SheetPath = { path: string; access?: Access };

/** Endpoints for the columns and date order of one kind of sheet. @param path of the resource made from such sheets */
export const sheetEndpoints = ({ path, access = memberAccess }: SheetPath) => ({
  readColumns: endpoint({
    method: "POST",
    path: `${path}/columns`,
    readsOnly: true,
    summary: "Reads the columns of a workbook and their likely meanings; stores nothing",
    access,
    query: realmQuery,
    body: draftAnswers,
    file: { field: "file", maxBytes: MAX_FILE_BYTES },
    response: seenColumns,
  }),
  listColumnChoices: endpoint({
    method: "GET",
    path: `${path}/columns`,
    summary: "Lists the columns that the company's users matched, and the sheets they left out",
    access,
    query: realmQuery,
    response: columnChoices,
  }),
  chooseColumns: endpoint({
    method: "PUT",
    path: `${path}/columns`,
    summary:
      "Saves which columns mean which fields, and which sheets are left out; an empty field deletes the choice",
    access,
    query: realmQuery,
    body: chosenColumns,
    response: z.object({}),
  }),
  readDateOrder: endpoint({
    method: "GET",
    path: `${path}/date-order`,
    summary: "Returns the company's saved date order; null if there is none",
    access,
    query: realmQuery,
    response: dateOrder,
  }),
  chooseDateOrder: endpoint({
    method: "PUT",
    path: `${path}/date-order`,
    summary: "Saves the date order for files that don't show it; null deletes it",
    access,
    query: realmQuery,
    body: dateOrder,
    response: z.object({}),
  }),
});
export type SheetEndpoints = ReturnType<typeof sheetEndpoints>;
