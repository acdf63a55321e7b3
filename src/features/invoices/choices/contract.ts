import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import {
  chosenColumns,
  columnChoices,
  dateOrder,
  seenColumns,
  sheetText,
} from "#features/sheets/contract.ts";
import { MAX_UPLOAD_BYTES, memberAccess, realmQuery } from "#features/invoices/contract.ts";

/** Lists of the books that a sheet names entries of. */
export const listKind = z.enum(["customer", "item", "term", "class", "department"]);
export type ListKind = z.output<typeof listKind>;

const entry = z.object({ id: z.string(), name: z.string() });

export const nameChoice = z.object({
  kind: listKind,
  text: z.string(),
  target_id: z.string(),
  target_name: z.string(),
});
export type NameChoice = z.output<typeof nameChoice>;

export const unknownName = z.object({
  kind: listKind,
  text: z.string(),
  /** Rows that use it: "5, 7-9". */
  rows: z.string(),
  count: z.int(),
  suggestions: z.array(entry),
});
export type UnknownName = z.output<typeof unknownName>;

const unknownNames = z.object({
  /** One page, in the order of the sheet. */
  names: z.array(unknownName),
  total_count: z.int(),
  /** `after` of the next page; null at the end. */
  next: z.int().nullable(),
});
export type UnknownNames = z.output<typeof unknownNames>;

export const listUnknownNames = endpoint({
  method: "GET",
  path: "/api/v1/invoices/:upload_id/unknown-names",
  summary: "Names of an upload or a check that the books do not have, with suggestions, page by page",
  access: memberAccess,
  params: z.object({ upload_id: z.uuid() }),
  query: realmQuery.extend({
    after: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  response: unknownNames,
});

export const searchList = endpoint({
  method: "GET",
  path: "/api/v1/invoices/lists/:kind",
  summary: "Active entries of one of the company's lists whose name holds a text, at most 20",
  access: memberAccess,
  params: z.object({ kind: listKind }),
  query: realmQuery.extend({ q: lineText().max(100).default("") }),
  response: z.object({ entries: z.array(entry) }),
});

export const listNameChoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices/names",
  summary: "Names a person of the company confirmed",
  access: memberAccess,
  query: realmQuery,
  response: z.object({ names: z.array(nameChoice) }),
});

export const chooseName = endpoint({
  method: "PUT",
  path: "/api/v1/invoices/names",
  summary: "Remembers which entry of the books a name in a sheet means",
  access: memberAccess,
  query: realmQuery,
  body: z.object({ kind: listKind, text: sheetText.trim().max(500), target_id: lineText().min(1) }),
  response: nameChoice,
});

export const forgetName = endpoint({
  method: "DELETE",
  path: "/api/v1/invoices/names",
  summary: "Forgets a confirmed name",
  access: memberAccess,
  query: realmQuery.extend({ kind: listKind, text: sheetText }),
  response: z.object({}),
});

export const createCustomer = endpoint({
  method: "POST",
  path: "/api/v1/invoices/customers",
  summary: "Creates a customer of this name in the books; only when a person asked for it",
  access: memberAccess,
  query: realmQuery,
  // QuickBooks takes fewer characters, and a longer name is told so in words about it.
  body: z.object({ name: sheetText.trim().max(4_000), confirmed: z.literal(true) }),
  response: entry,
});

export const readColumns = endpoint({
  method: "POST",
  path: "/api/v1/invoices/columns",
  summary: "The columns of a workbook as they would be understood; keeps nothing",
  access: memberAccess,
  query: realmQuery,
  file: { field: "file", maxBytes: MAX_UPLOAD_BYTES },
  response: seenColumns,
});

export const listColumnChoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices/columns",
  summary: "Columns a person of the company said the meaning of",
  access: memberAccess,
  query: realmQuery,
  response: columnChoices,
});

export const chooseColumns = endpoint({
  method: "PUT",
  path: "/api/v1/invoices/columns",
  summary: "Remembers which columns mean which fields; an empty field forgets the choice",
  access: memberAccess,
  query: realmQuery,
  body: chosenColumns,
  response: z.object({}),
});

export const readDateOrder = endpoint({
  method: "GET",
  path: "/api/v1/invoices/date-order",
  summary: "How a person of the company said its dates are written; null when nobody did",
  access: memberAccess,
  query: realmQuery,
  response: dateOrder,
});

export const chooseDateOrder = endpoint({
  method: "PUT",
  path: "/api/v1/invoices/date-order",
  summary: "Remembers how dates are written where a file does not tell; null forgets it",
  access: memberAccess,
  query: realmQuery,
  body: dateOrder,
  response: z.object({}),
});
