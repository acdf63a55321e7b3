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

const recording = z.object({
  /** Id of its error report. */
  id: z.string(),
  /** Path of the page. */
  page: z.string(),
  release: z.string(),
  /** Email; null for guests. */
  user: z.string().nullable(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  events: z.int(),
  /** Kind and message of the error; null when its report is no longer there, or went to another server. */
  error: z.string().nullable(),
});
export type Recording = z.output<typeof recording>;

export const listRecordings = endpoint({
  method: "GET",
  path: "/api/v1/admin/recordings",
  summary: "Lists recordings of what pages did before an error, the latest first",
  access: { kind: "user", group: "admin" },
  response: z.object({ recordings: z.array(recording) }),
});

export const readRecording = endpoint({
  method: "GET",
  path: "/api/v1/admin/recordings/:recording_id",
  summary: "Reads the events of a recording, in the format of rrweb",
  access: { kind: "user", group: "admin" },
  params: z.object({ recording_id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a recording") }),
  response: z.object({
    events: z.array(z.object({ type: z.int(), timestamp: z.number(), data: z.unknown() })),
  }),
});

export const playRecording = endpoint({
  method: "GET",
  path: "/api/v1/admin/recordings/:recording_id/player",
  summary: "Draws the page that plays a recording",
  access: { kind: "user", group: "admin" },
  params: z.object({ recording_id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a recording") }),
  response: { mediaType: "text/html" },
});
