import type { Db } from "#platform/db/connect.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import type { Command, Write } from "#platform/writes/store.ts";

/** What was read before a call is too old to send it by that: nothing is sent, and the writes are read again. */
export class OutdatedRead extends Error {
  override name = "OutdatedRead";
}

/** A write and what it sends. */
export type Item<Body> = { write: Write; body: Body };

/** What came of one item of a call: the vendor's answer, or its failure. */
export type Outcome<Answer> = { ok: Answer } | { error: unknown };

type JudgeOpen<Body> = (items: readonly Item<Body>[]) => ReadonlyMap<string, Evidence>;

/**
 * How one operation of a vendor is done. `Request` and `Answer` are the vendor's own shapes.
 */
export type Operation<Body, Request, Answer> = {
  /** What the writes send, by part. It stays with their subject. */
  loadBodies(writes: readonly Write[]): Promise<ReadonlyMap<string, Body>>;
  toRequest(item: Item<Body>): Request;
  /**
   * One call for one write, under its own request id.
   * @param beforeSend runs right before the socket opens; when it throws nothing is sent
   */
  sendAlone(request: Request, options: { requestId: string; beforeSend(): Promise<void> }): Promise<Answer>;
  /**
   * One call for several keyed writes, at a vendor that has batches. It is transport only: it has no request id and is
   * never repeated.
   */
  sendTogether?(
    requests: readonly Request[],
    options: { beforeSend(): Promise<void> },
  ): Promise<readonly Outcome<Answer>[]>;
  /** @throws what is no failure of the vendor */
  classify(item: Item<Body>, outcome: Outcome<Answer>): Evidence;
  /** Searches the vendor's data, narrowly, for all of the items. @throws the vendor's failure */
  lookUp(items: readonly Item<Body>[]): Promise<ReadonlyMap<string, Evidence>>;
  /**
   * Reads once what was made since, for a run whose previous holder may have sent more than this ledger shows.
   * @returns what judges open writes by it, each all that are left before the next does; none when nothing was made that
   * may be ours
   */
  findMadeSince(since: Date): Promise<readonly JudgeOpen<Body>[]>;
  /** Reads what planned writes concern before any of them is sent. @returns what excludes some of them */
  checkPlanned?(items: readonly Item<Body>[]): Promise<ReadonlyMap<string, Evidence>>;
  /** Why a failure ends or suspends the run, null when it does not. */
  haltOf(error: unknown): Cause | null;
  /** Whether a failure is the vendor's: an outage, for a search. */
  isVendorFailure(error: unknown): boolean;
};

/** Work on the writes of one command, by whoever holds its run. */
export type Drive<Body, Request, Answer> = {
  command: Command;
  vendor: string;
  operation: Operation<Body, Request, Answer>;
  policy: WritePolicy;
  /** `together` keyed writes share a call, and `callsTogether` such calls go at once, where the operation has batches. */
  concurrency: { together?: number; callsTogether?: number; callsAlone: number };
  /** Runs a write in one transaction under the run's fence. @throws when the run has another holder */
  withFence<T>(write: (tx: Db) => Promise<T>): Promise<T>;
  /** The search that a run begins with: since when, and what records that it is done. Null once it is. */
  look: { since: Date; onDone(): Promise<void> } | null;
  stop: AbortSignal;
  sliceEnds(): boolean;
  /** Called after every change of the ledger. */
  onProgress(): Promise<void>;
};

/** What one slice of work has met so far. */
export type Pass = {
  /** Calls in a row without a clear answer. */
  unansweredCalls: number;
  inDoubt: number;
  /** When the first of those in doubt is to be looked at. */
  dueAt: Date | null;
  /** Whether a write was surely not done, and is planned again. */
  isPostponed: boolean;
  /** Why the vendor takes nothing more of this company. */
  halt: Cause | null;
};
