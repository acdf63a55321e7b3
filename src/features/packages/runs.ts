import { defineRun } from "#platform/runs/define-run.ts";

/** Asks UPS about the packages of all companies. */
export const pollRun = defineRun({ kind: "packages.poll", lane: () => "packages:poll", every: "minute" });
