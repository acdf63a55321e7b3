import { defineRun } from "#platform/runs/define-run.ts";

/** Posts one message. The lane is the endpoint's, so one that hangs holds up its own messages only. */
export const deliverRun = defineRun({
  kind: "companies.deliver-webhook",
  lane: (realmId, endpointId) => `webhooks:${realmId}:${endpointId}`,
});
