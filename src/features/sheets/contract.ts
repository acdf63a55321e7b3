import * as z from "zod";
import { lineText, multilineText } from "#contract/text.ts";

/** What somebody sends back as it stands in a cell, which may have several lines. */
export const sheetText = multilineText().min(1);

export const seenColumn = z.object({
  header: z.string(),
  /** "C" */
  column: z.string(),
  /** The first values below the header. */
  samples: z.array(z.string()),
  /** The field it means as things stand, "ignore", or null when nobody knows. */
  field: z.string().nullable(),
});
export type SeenColumn = z.output<typeof seenColumn>;

export const seenColumns = z.object({
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

export const columnChoices = z.object({ columns: z.array(columnChoice) });

/** Columns and the fields they mean; an empty field forgets. */
export const chosenColumns = z.object({
  columns: z.array(z.object({ header: sheetText.max(200), field: lineText() })).max(60),
});

/** What comes first in a date such as 03/04/2026: the month or the day. */
export const writtenOrder = z.enum(["mdy", "dmy"]);
export type WrittenOrder = z.output<typeof writtenOrder>;

/** How dates are written where a file does not tell; null when nobody said. */
export const dateOrder = z.object({ order: writtenOrder.nullable() });
