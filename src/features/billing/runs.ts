import { defineRun } from "#platform/runs/define-run.ts";

/** Follows up what webhooks brought; requested with each of them. */
export const syncEventsRun = defineRun({ kind: "billing.sync-events", lane: () => "billing:events" });

/** Looks for events that no webhook brought, and follows up what failed before. */
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
