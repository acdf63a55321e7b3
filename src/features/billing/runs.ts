import { defineRun } from "#platform/runs/define-run.ts";

/** Processes events from webhooks; requested with each delivery. */
export const syncEventsRun = defineRun({ kind: "billing.sync-events", lane: () => "billing:events" });

/** Polls for events that no webhook delivered, and retries failed ones. */
export const readEventsRun = defineRun({
  kind: "billing.read-events",
  lane: () => "billing:look",
  every: "minute",
});

/** Reads every subscription again. */
export const syncAllRun = defineRun({
  kind: "billing.sync-all",
  lane: () => "billing:all",
  every: "day",
  at: "02:41",
});
