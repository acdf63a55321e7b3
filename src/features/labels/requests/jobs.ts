import { defineRun } from "#platform/runs/define-run.ts";

/** Sheets of one company become labels one after the other: its numbers are one row. */
export const labelsRun = defineRun({ kind: "labels.make", lane: (realmId) => `labels:${realmId}` });

/** Where the files of open requests are stored. */
export const FOLDER = "labels";

/** The key of a request's file. */
export const fileOf = (id: string): string => `${FOLDER}/${id}`;
