import { endpoint } from "#contract/endpoint.ts";
import * as z from "zod";

const errorCause = z.object({
  fingerprint: z.string(),
  /** Kind and message of the latest report. */
  title: z.string(),
  /** Path of the page, route of the call, or kind of the run. */
  place: z.string(),
  source: z.enum(["browser", "server"]),
  release: z.string(),
  count: z.int(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  /** User of the latest report; null for guests and for the server's own. */
  user: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Calls of the latest report, the throwing one first. */
  stack: z.array(z.string()),
});
export type ErrorCause = z.output<typeof errorCause>;

export const listErrors = endpoint({
  method: "GET",
  path: "/api/v1/admin/errors",
  summary: "Lists errors of pages and of the server by cause, the latest first",
  access: { kind: "user", group: "admin" },
  response: z.object({ errors: z.array(errorCause) }),
});
