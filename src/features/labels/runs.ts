import { defineRun } from "#platform/runs/define-run.ts";

/** Uploads of one company are made one after the other: they share its serials. */
export const labelsRun = defineRun({ kind: "labels.make", lane: (realmId) => `labels:${realmId}` });
