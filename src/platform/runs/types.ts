import type { Db } from "#platform/db/connect.ts";

/** Why a run waits or ended, as a fact; the feature's sentences.ts converts it to text. */
export type Cause = { code: string; params?: Readonly<Record<string, Param>> };

type Param = string | number | boolean | null | readonly (string | number)[];

export type RunState = "queued" | "working" | "waiting" | "done" | "stopped";

/** A run that this process holds, until another raises its fence. */
export type HeldRun = {
  /** Empty for a run of the system. */
  realmId: string;
  id: string;
  kind: string;
  subject: string;
  fence: number;
  requestedBy: string;
  requestedAt: Date;
  /** When this process took it. */
  takenAt: Date;
  /** Trace and support id of the request that added it; null for a run of the system. */
  traceId?: string | null;
  requestId?: string | null;
  /** Who asked for its end: the handler ends it, with what is left undone as canceled. Null for most runs. */
  canceledBy?: string | null;
  /** Number of processes that died while working on it. */
  starts: number;
  /** Consecutive failures on our side, before this start. */
  failures: number;
  /** Why it waited before this start, null if it did not. */
  waitedFor: Cause | null;
  needsReconcile: NeedsReconcile | null;
  /** Notes saved progress: restarts the run's time limit. Every write under the fence calls it. */
  noteProgress?: () => void;
};

/**
 * Why work begins with a search for what was done before, until that has succeeded once: no worker had the
 * run before, or another process had it. The ledger may be a copy or older than that process's work.
 */
export type NeedsReconcile = "first" | "taken_over";

/** One start of work on a run. */
export type RunWork = {
  run: HeldRun;
  /** Aborted when the process stops, the lease is lost or the time limit is reached: finish the step and return. */
  stop: AbortSignal;
  /** Whether other lanes wait for this slot: then finish the step and return `queued`. */
  sliceEnds(): boolean;
};

/**
 * State of a run after its handler returned. `queued`: continues as soon as it gets a slot again. A waiting
 * run without `dueAt` continues when woken; `failed` counts a failure on our side, `error` is recorded for operators. A periodic run that is
 * done waits for its next time.
 */
export type Ending =
  | { state: "queued" }
  | { state: "waiting"; cause: Cause; dueAt: Date | null; failed?: boolean; error?: unknown }
  | { state: "done"; cause?: Cause }
  | { state: "stopped"; cause: Cause };

/**
 * Writes the consequences of an ending for the subject, in the transaction that ends the run and under its
 * fence.
 * @param save writes the ending of the run; must be called once
 */
export type EndInTransaction = (tx: Db, save: (ending: Ending) => Promise<void>) => Promise<void>;
