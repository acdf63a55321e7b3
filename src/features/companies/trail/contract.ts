import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

/** A changed value before and after; null if absent. */
const change = z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() });

const trailEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** E-mail of the user, or name of the company's key; null for guests. */
  user: z.string().nullable(),
  action: z.string(),
  /** Title of the action. */
  title: z.string(),
  changes: z.array(change),
  request_id: z.string(),
});
export type TrailEntry = z.output<typeof trailEntry>;

const search = lineText().trim().max(100).default("");
/** Time of a page's last entry in ms, and its id. */
const PLACE = /^\d{1,15}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const listTrail = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/trail",
  summary: "Lists the audit trail of a company, newest first",
  query: realmQuery.extend({
    search,
    before: z.string().regex(PLACE, "must be the next of another page").optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    entries: z.array(trailEntry),
    /** Value of `before` for the next page; null at the end. */
    next: z.string().nullable(),
  }),
});

export const downloadTrail = endpoint({
  cost: "heavy",
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/trail/csv",
  summary: "Downloads the audit trail of a company as CSV",
  query: realmQuery.extend({ search }),
  response: { mediaType: "text/csv" },
});
