import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { lineText, multilineText } from "#contract/text.ts";
import { memberCall, realmQuery } from "#features/companies/contract.ts";

/** Lists of the books whose entries a sheet can name. */
export const listKind = z.enum(["customer", "item", "term", "class", "department"]);
export type ListKind = z.output<typeof listKind>;

export const listEntry = z.object({ id: z.string(), name: z.string() });

/** A name as written in a cell. */
const writtenName = multilineText().min(1);

export const nameChoice = z.object({
  kind: listKind,
  text: z.string(),
  target_id: z.string(),
  target_name: z.string(),
});
export type NameChoice = z.output<typeof nameChoice>;

export const searchList = endpoint({
  method: "GET",
  path: "/api/v1/invoices/lists/:kind",
  summary: "Searches the active entries of one of the company's lists by name; at most 20",
  ...memberCall,
  params: z.object({ kind: listKind }),
  query: realmQuery.extend({ q: lineText().max(100).default("") }),
  response: z.object({ entries: z.array(listEntry) }),
});

export const listNameChoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices/names",
  summary: "Lists the name matches that users of the company saved",
  ...memberCall,
  response: z.object({ names: z.array(nameChoice) }),
});

export const chooseName = endpoint({
  method: "PUT",
  path: "/api/v1/invoices/names",
  summary: "Saves which entry of the books a name in a sheet stands for",
  ...memberCall,
  body: z.object({ kind: listKind, text: writtenName.trim().max(500), target_id: lineText().min(1) }),
  response: nameChoice,
});

export const forgetName = endpoint({
  method: "DELETE",
  path: "/api/v1/invoices/names",
  summary: "Deletes a saved name match",
  ...memberCall,
  query: realmQuery.extend({ kind: listKind, text: writtenName }),
  response: z.object({}),
});

export const createCustomer = endpoint({
  method: "POST",
  path: "/api/v1/invoices/customers",
  summary: "Creates a customer with this name in the books, at a user's request",
  ...memberCall,
  // QuickBooks accepts fewer characters; a longer name is refused with an explanation.
  body: z.object({ name: writtenName.trim().max(4_000), confirmed: z.literal(true) }),
  response: listEntry,
});
