import { defineRun } from "#platform/runs/define-run.ts";

/** Uploads of one company run one at a time, because they share its serials. */
export const labelsRun = defineRun({ kind: "labels.make", lane: (realmId) => `labels:${realmId}` });
