import { randomUUID } from "node:crypto";
import type { TestApp } from "./start-app.ts";

/** Executes a system run once, immediately and without a worker. */
export async function executeSystemRun(
  { application, clock }: Pick<TestApp, "application" | "clock">,
  kind: string,
): Promise<void> {
  const bound = application.systemRuns.find((run) => run.kind === kind);
  if (!bound) throw new Error(`There is no run of kind ${kind}.`);
  const now = application.ctx.clock.now();
  const run = {
    realmId: "",
    id: randomUUID(),
    kind,
    subject: randomUUID(),
    fence: 1,
    requestedBy: "system",
    requestedAt: now,
    takenAt: now,
    starts: 0,
    failures: 0,
    waitedFor: null,
    needsReconcile: null,
  };
  await clock.during(bound.handle({ run, stop: new AbortController().signal, sliceEnds: () => false }));
}

/** Polls UPS for packages that are due, then updates the purchases of those that changed. */
export async function pollPackages(app: Pick<TestApp, "application" | "clock">): Promise<void> {
  await executeSystemRun(app, "packages.poll");
  await executeSystemRun(app, "labels.settle");
}
