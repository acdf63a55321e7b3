import type { Db } from "#platform/db/connect.ts";
import { insertRun } from "#platform/runs/store.ts";
import type { Cause, EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";

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

type NewRun = {
  realmId: string;
  id: string;
  subject: string;
  requestedBy: string;
  requestedAt: Date;
  /** Given for a run that has nothing to do: it is written down as done. */
  doneBecause?: Cause;
};

/**
 * Adds a run, in the transaction of `tx` when it is one: the run exists exactly when the transaction commits. While one of
 * the same kind and subject is open nothing is added.
 */
export async function addRun(tx: Db, { kind, lane }: RunDefinition, run: NewRun): Promise<void> {
  await insertRun(tx, { ...run, kind, lane: lane(run.realmId) });
}
