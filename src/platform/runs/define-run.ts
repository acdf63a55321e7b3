import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";

/** A kind of durable work. `kind` is stored with each run: never rename it. */
export type RunDefinition = {
  kind: string;
  /**
   * Runs of one lane run one at a time, in the order of their requests. Runs of the system pass "".
   * @param part of the company that the run was added for; "" for most kinds
   */
  lane(realmId: string, part?: string): string;
  /** A periodic run of the system: it ends as waiting with its next time. Each worker adds the first one. */
  every?: "minute" | "day";
  /** When a daily run is due, as HH:MM in UTC. */
  at?: string;
  /** Whether its handler ends it when it is canceled. */
  isCancelable?: true;
  /** Maximum time without saved progress, after which a run is aborted and waits; 15 minutes by default. */
  limitMs?: number;
};

export type RunHandler<Ctx> = (ctx: Ctx, work: RunWork) => Promise<Ending | EndInTransaction>;

/** A kind with its handler, for the dispatcher. */
export type BoundRun = RunDefinition & { handle(work: RunWork): Promise<Ending | EndInTransaction> };

export const defineRun = (definition: RunDefinition): RunDefinition => definition;

/** @param handler runs again after every failure and crash, so running it twice must be harmless */
export const bindRun = <Ctx>(definition: RunDefinition, handler: RunHandler<Ctx>, ctx: Ctx): BoundRun => ({
  ...definition,
  handle: (work) => handler(ctx, work),
});
