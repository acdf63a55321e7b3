import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";

/** A kind of durable work. `kind` is stored with each run: never rename it. */
export type RunDefinition = {
  kind: string;
  /** Runs of one lane go one at a time, in the order in which they were requested. Runs of the system pass "". */
  lane(realmId: string): string;
  /** A run of the system that comes back: it ends as waiting with its next time. Each worker adds the first one. */
  every?: "minute" | "day";
  /** When a daily run is due, as HH:MM in UTC. */
  at?: string;
  /** A run that saves nothing for this long is aborted and waits; 15 minutes by default. */
  limitMs?: number;
};

export type RunHandler<Ctx> = (ctx: Ctx, work: RunWork) => Promise<Ending | EndInTransaction>;

/** A kind with the handler that works on it, as the dispatcher takes it. */
export type BoundRun = RunDefinition & { handle(work: RunWork): Promise<Ending | EndInTransaction> };

export const defineRun = (definition: RunDefinition): RunDefinition => definition;

/** @param handler runs again after every failure and death, so doing it twice must be harmless */
export const bindRun = <Ctx>(definition: RunDefinition, handler: RunHandler<Ctx>, ctx: Ctx): BoundRun => ({
  ...definition,
  handle: (work) => handler(ctx, work),
});
