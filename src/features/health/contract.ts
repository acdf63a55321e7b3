import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import * as z from "zod";

const group = "admin";

const health = z.object({
  /** Null if it did not answer in time. */
  database: z
    .object({
      /** Address and port of the server that is the primary; null over a socket. */
      primary: z.string().nullable(),
      /** Another primary continues under the next number. */
      timeline: z.string(),
      /** Servers that follow it; null if this product's user may not see them. */
      standbys: z
        .array(
          z.object({ name: z.string(), is_synchronous: z.boolean(), lag_seconds: z.number().nullable() }),
        )
        .nullable(),
      /** Why too few follow it, in one sentence; null if enough do. */
      fault: z.string().nullable(),
      /** The server from which lists, exports and backups are read; null without one. */
      replica: z
        .object({
          lag_seconds: z.number().nullable(),
          /** Why the primary is read instead, in one sentence; null if it is not. */
          fault: z.string().nullable(),
        })
        .nullable(),
    })
    .nullable(),
  /** Null if the database did not answer in time. */
  queue: z
    .object({ queued: z.int(), working: z.int(), waiting: z.int(), oldest_queued_seconds: z.int() })
    .nullable(),
  /** Reads of QuickBooks that Intuit meters. */
  intuit_reads: z.object({ this_month: z.int(), limit: z.int() }).nullable(),
  /** Why uploaded files can't be stored or read, in one sentence; null if they can. */
  objects: z.string().nullable(),
  /** Why UPS refuses this installation's client id or secret, in one sentence; null if it does not. */
  ups: z.string().nullable(),
  disk: z.object({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
  /** The last call of each vendor by this process. */
  vendors: z.array(z.object({ vendor: z.string(), outcome: z.string(), at: z.iso.datetime() })),
});
export type Health = z.output<typeof health>;

export const showHealth = endpoint({
  method: "GET",
  path: "/api/v1/admin/health",
  summary: "Returns the state of the queue, the disk, and the vendors' last answers",
  access: { kind: "user", group },
  response: health,
});

/** Maximum length of a reason, in characters. */
export const MAX_REASON = 300;

const changedRun = z.object({
  realm_id: lineText().max(30),
  id: z.uuid(),
  reason: filledText(MAX_REASON),
});

export const cancelRun = endpoint({
  method: "POST",
  path: "/api/v1/admin/runs/cancel",
  summary:
    "Cancels an upload, an undo, a purchase of labels, or a check of packages; what is already done stays",
  access: { kind: "user", group },
  body: changedRun,
  response: z.object({}),
});

const failure = z.object({
  at: z.iso.datetime(),
  /** How many in a row. */
  failures: z.int(),
  /** `overdue`: it saved nothing for too long. `failed_late`: where it had hung then. */
  cause: z.string(),
  message: z.string(),
  stack: z.string(),
  /** Program that worked on it, with its release. */
  worked_by: z.string(),
});

const runLog = z.object({
  /** Program that added it, with its release. */
  added_by: z.string(),
  /** Processes that died while working on it. */
  deaths: z.int(),
  canceled_by: z.string().nullable(),
  /** The last ones, oldest first. */
  failures: z.array(failure),
});
export type RunLog = z.output<typeof runLog>;

export const readRunLog = endpoint({
  method: "GET",
  path: "/api/v1/admin/runs/:run/log",
  summary: "Returns a run's history: its failures, where they happened, and workers that died",
  access: { kind: "user", group },
  params: z.object({ run: z.uuid() }),
  query: z.object({ realm_id: lineText().max(32).default("") }),
  response: runLog,
});

export const retryRun = endpoint({
  method: "POST",
  path: "/api/v1/admin/runs/retry",
  summary: "Retries a waiting run now",
  access: { kind: "user", group },
  body: changedRun,
  response: z.object({}),
});
