import { defineRun } from "#platform/runs/define-run.ts";

/** Posts one message. An endpoint that hangs holds up only those of its company. */
export const deliverRun = defineRun({
  kind: "companies.deliver-webhook",
  lane: (realmId) => `webhooks:${realmId}`,
});
