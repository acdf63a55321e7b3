import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";

/** A kind of durable work. `kind` is stored with each run: never rename it. */
export type RunDefinition = {
  kind: string;
  /** Runs of one lane go one at a time, in the order in which they were requested. */
  lane(realmId: string): string;
};

export type RunHandler<Ctx> = (ctx: Ctx, work: RunWork) => Promise<Ending | EndInTransaction>;

/** A handler with the context it runs in, as the dispatcher takes it. */
export type BoundRun = { kind: string; handle(work: RunWork): Promise<Ending | EndInTransaction> };

export const defineRun = (definition: RunDefinition): RunDefinition => definition;

export const bindRun = <Ctx>({ kind }: RunDefinition, handler: RunHandler<Ctx>, ctx: Ctx): BoundRun => ({
  kind,
  handle: (work) => handler(ctx, work),
});
