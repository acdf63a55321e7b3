import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { adminCall, realmQuery } from "#features/companies/contract.ts";
import * as z from "zod";

/** One value that an action changed: what it was and what it is; null for what was not there. */
const change = z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() });

const trailEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** The e-mail of who did it; null for somebody who was not signed in. */
  user: z.string().nullable(),
  action: z.string(),
  /** What was done, in words. */
  title: z.string(),
  changes: z.array(change),
  request_id: z.string(),
});
export type TrailEntry = z.output<typeof trailEntry>;

const search = lineText().trim().max(100).default("");
/** When the last entry of a page was made, in ms, and its id. */
const PLACE = /^\d{1,15}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const listTrail = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/trail",
  summary: "What was done in a company, the newest first",
  query: realmQuery.extend({
    search,
    before: z.string().regex(PLACE, "must be the next of another page").optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    entries: z.array(trailEntry),
    /** `before` of the next page; null at the end. */
    next: z.string().nullable(),
  }),
});

export const downloadTrail = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/trail/csv",
  summary: "The same as a CSV file, all of it",
  query: realmQuery.extend({ search }),
  response: { mediaType: "text/csv" },
});
