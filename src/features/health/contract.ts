import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

const group = "admin";

const health = z.object({
  /** Null if the database did not answer in time. */
  queue: z
    .object({ queued: z.int(), working: z.int(), waiting: z.int(), oldest_queued_seconds: z.int() })
    .nullable(),
  /** Reads of QuickBooks that Intuit meters. */
  intuit_reads: z.object({ this_month: z.int(), limit: z.int() }).nullable(),
  disk: z.object({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
  /** The last call of each vendor by this process. */
  vendors: z.array(z.object({ vendor: z.string(), outcome: z.string(), at: z.iso.datetime() })),
});
export type Health = z.output<typeof health>;

export const showHealth = endpoint({
  method: "GET",
  path: "/api/v1/admin/health",
  summary: "Shows the queue, the disk and the vendors' last answers",
  access: { kind: "user", group },
  response: health,
});

/** Maximum length of a reason, in characters. */
export const MAX_REASON = 300;

export const retryRun = endpoint({
  method: "POST",
  path: "/api/v1/admin/runs/retry",
  summary: "Makes a waiting run due now",
  access: { kind: "user", group },
  body: z.object({
    realm_id: lineText().max(30),
    id: z.uuid(),
    reason: lineText().trim().min(1).max(MAX_REASON),
  }),
  response: z.object({}),
});
