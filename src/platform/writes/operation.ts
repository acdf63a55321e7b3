import type { Db } from "#platform/db/connect.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import type { Command, Moment, Write } from "#platform/writes/store.ts";

/** The data read before a call are outdated: nothing is sent, and the writes are read again. */
export class OutdatedRead extends Error {
  override name = "OutdatedRead";
}

/** A write and its body. */
export type Item<Body> = { write: Write; body: Body };

/** Outcome of one item of a call: the vendor's answer, or its failure. */
export type Outcome<Answer> = { ok: Answer } | { error: unknown };

/** Matches open writes with the objects a search found, by part. */
type MatchOpen<Body> = (items: readonly Item<Body>[]) => ReadonlyMap<string, Evidence>;

/**
 * An operation of a vendor. `Request` and `Answer` are the vendor's own types.
 */
export type Operation<Body, Request, Answer> = {
  /** Loads the bodies of writes, by part. They are stored with their subject. */
  loadBodies(writes: readonly Write[]): Promise<ReadonlyMap<string, Body>>;
  toRequest(item: Item<Body>): Request;
  /**
   * Makes one call for one write, under its own request id.
   * @param beforeSend runs right before the socket opens; if it throws, nothing is sent
   */
  sendAlone(request: Request, options: { requestId: string; beforeSend(): Promise<void> }): Promise<Answer>;
  /**
   * Makes one call for several keyed writes, if the vendor supports batches. Only a transport: it has no
   * request id and is never repeated.
   */
  sendTogether?(
    requests: readonly Request[],
    options: { beforeSend(): Promise<void> },
  ): Promise<readonly Outcome<Answer>[]>;
  /**
   * Reads what the answer to a repeated call names: the vendor may have repeated its first answer, and others may have
   * removed the object since. @returns evidence against the answer, null when it holds
   */
  readRepeated?(item: Item<Body>, answer: Answer): Promise<Evidence | null>;
  /** @throws any failure that is not the vendor's */
  classify(item: Item<Body>, outcome: Outcome<Answer>): Evidence;
  /** Searches the vendor's data for exactly these items. @throws the vendor's failure */
  lookUp(items: readonly Item<Body>[]): Promise<ReadonlyMap<string, Evidence>>;
  /**
   * Reads objects created since, once, for a run whose previous holder may have sent more than this ledger
   * shows.
   * @returns matchers, in order: each gets the open writes that the previous ones did not match; none if
   * nothing was created that may be ours
   */
  findCreatedSince(since: Date): Promise<readonly MatchOpen<Body>[]>;
  /**
   * Reads the objects of planned writes before they are sent. @returns evidence that excludes some of them, or that the vendor
   * did not answer about them now (`notDone`)
   */
  checkPlanned?(items: readonly Item<Body>[]): Promise<ReadonlyMap<string, Evidence>>;
  /** When a call that leaves now may arrive, by the vendor's clock; absent where no search compares times. */
  moment?(): Moment | null;
  /** Finds the cause for which a failure halts the run, null if it does not. */
  findHalt(error: unknown): Cause | null;
  /** Whether a failure is the vendor's. */
  isVendorFailure(error: unknown): boolean;
  /** Whether a failure of a search is an outage, and not a refusal that comes again. */
  isOutage(error: unknown): boolean;
};

/** A time slice of work on a command's writes, by the holder of its run. */
export type WriteJob<Body, Request, Answer> = {
  command: Command;
  vendor: string;
  operation: Operation<Body, Request, Answer>;
  policy: WritePolicy;
  /**
   * `together`: keyed writes per call, and `callsTogether`: concurrent calls of this kind, if the operation
   * has batches. `checked`: planned writes that are checked before the first of them is sent; a page if absent.
   */
  concurrency: { together?: number; callsTogether?: number; callsAlone: number; checked?: number };
  /** Runs a write in one transaction under the run's fence. @throws if the run has another holder */
  withFence<T>(write: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Initial search of a run: its start time, and the callback that records its completion. Null once it is
   * done.
   */
  reconcileFrom: { since: Date; onDone(): Promise<void> } | null;
  stop: AbortSignal;
  sliceEnds(): boolean;
  /** Called after outcomes were stored. */
  onStored?(): Promise<void>;
  /** Called after every change of the ledger. */
  onProgress(): Promise<void>;
};

/** Progress of a job so far. */
export type JobState = {
  /** Consecutive calls without a clear answer. */
  unansweredCalls: number;
  inDoubt: number;
  /** When the first write in doubt is due for a lookup. */
  dueAt: Date | null;
  /** A write was certainly not done, and is planned again. */
  isPostponed: boolean;
  /** Cause for which the vendor rejects all writes of this company. */
  halt: Cause | null;
};
