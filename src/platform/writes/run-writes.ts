import type { Ctx } from "#platform/ctx.ts";
import { IN_DOUBT } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import {
  OutdatedRead,
  type Item,
  type JobState,
  type Outcome,
  type WriteJob,
} from "#platform/writes/operation.ts";
import {
  lookUpAndResolve,
  matchEvidence,
  resolve,
  search,
  type Resolved,
} from "#platform/writes/resolve-writes.ts";
import {
  countOpenWrites,
  findDueWrites,
  findLastMark,
  findOpenWrites,
  markWritesSent,
  type Moment,
  type Write,
} from "#platform/writes/store.ts";

/**
 * Ending of a slice of work. `halted`: the vendor rejects all writes of this company until a user fixes the
 * cause. `waiting`: nothing can be done before `until`.
 */
export type JobEnd =
  | { kind: "done" }
  | { kind: "sliceOver" }
  | { kind: "interrupted" }
  | { kind: "waiting"; until: Date; cause: Cause }
  | { kind: "halted"; cause: Cause };

const PAGE = 200;
const DUE_AT_ONCE = 100;
/** The vendor answers nothing. */
const NO_ANSWER: Cause = { code: "no_answer", params: {}, tid: null };

/**
 * Runs the writes of a command as far as possible now: adopts what a previous holder did, settles writes in
 * doubt that are due, then sends planned ones. Safe to run again at any point, even after a process died in
 * the middle.
 * @throws any failure that is not the vendor's, such as LeaseLost
 */
export async function runWrites<Body, Request, Answer>(
  ctx: Ctx,
  job: WriteJob<Body, Request, Answer>,
): Promise<JobEnd> {
  const { command, operation, policy } = job;
  const state: JobState = { unansweredCalls: 0, inDoubt: 0, dueAt: null, isPostponed: false, halt: null };
  try {
    await adoptExisting(ctx, job, state);
    do {
      await settleDue(ctx, job, state);
      await sendPlanned(ctx, job, { state, keyed: true });
      await sendPlanned(ctx, job, { state, keyed: false });
    } while (shouldContinue(job, state) && isDue(ctx, state));
  } catch (error) {
    const cause = operation.findHalt(error);
    if (cause) return { kind: "halted", cause };
    if (!operation.isVendorFailure(error)) throw error;
    ctx.log.warn({ err: error, ...command }, "A search at a vendor failed; its writes wait");
    return { kind: "waiting", until: after(ctx, policy.outageMs), cause: NO_ANSWER };
  }
  return findEnd(ctx, job, state);
}

async function findEnd<B, R, A>(ctx: Ctx, job: WriteJob<B, R, A>, state: JobState): Promise<JobEnd> {
  const { command, policy, stop } = job;
  if (state.halt) return { kind: "halted", cause: state.halt };
  if (stop.aborted) return { kind: "interrupted" };
  const open = await countOpenWrites(ctx.db, command);
  if (open.planned + open.sent === 0) return { kind: "done" };
  const isAway = state.isPostponed || state.unansweredCalls >= policy.maxUnansweredCalls;
  const canSendMore = open.planned > 0 && open.sent < policy.maxInDoubt;
  const nextAt = open.dueAt !== null && open.dueAt > ctx.clock.now() ? open.dueAt : null;
  if (!isAway && (canSendMore || nextAt === null)) return { kind: "sliceOver" };
  const until = nextAt ?? after(ctx, policy.outageMs);
  const isLong = until > after(ctx, policy.vendorLimitMs + policy.indexLagMs);
  return { kind: "waiting", until, cause: isAway || isLong ? NO_ANSWER : IN_DOUBT };
}

const after = ({ clock }: Ctx, ms: number) => new Date(clock.now().getTime() + ms);

const shouldContinue = <B, R, A>(
  { stop, sliceEnds, policy }: WriteJob<B, R, A>,
  { halt, unansweredCalls }: JobState,
): boolean => halt === null && !stop.aborted && unansweredCalls < policy.maxUnansweredCalls && !sliceEnds();

const isDue = ({ clock }: Ctx, { dueAt }: JobState): boolean => dueAt !== null && dueAt <= clock.now();

/** Whether nothing may be sent any more by this work, however long its slice is. */
const mustStop = <B, R, A>(
  { stop, policy }: WriteJob<B, R, A>,
  { halt, unansweredCalls, inDoubt }: JobState,
): boolean =>
  halt !== null ||
  stop.aborted ||
  unansweredCalls >= policy.maxUnansweredCalls ||
  inDoubt >= policy.maxInDoubt;

/**
 * Whether planned writes may be sent now. Writes in doubt are settled as soon as possible, even during a long
 * file.
 */
const canSend = <B, R, A>(ctx: Ctx, job: WriteJob<B, R, A>, state: JobState): boolean =>
  !mustStop(job, state) && !job.sliceEnds() && !isDue(ctx, state);

/**
 * Settles what a previous holder of this run did, possibly later than this ledger shows, because the ledger
 * may be a copy.
 */
async function adoptExisting<B, R, A>(ctx: Ctx, job: WriteJob<B, R, A>, state: JobState): Promise<void> {
  if (!job.reconcileFrom) return;
  const mark = await findLastMark(ctx.db, job.command);
  const since = mark === null ? job.reconcileFrom.since : latest(job.reconcileFrom.since, mark);
  const matchers = await search(ctx, job, () => job.operation.findCreatedSince(since));
  for (const matchOpen of matchers ?? []) {
    // Keyed ones first: an object with the key of one belongs to no equal write without a key.
    for (const keyed of [true, false]) {
      for await (const page of openPages(ctx, job, { keyed, states: ["planned", "sent"], limit: PAGE })) {
        const items = await loadItems(job, page);
        await resolve(ctx, job, { state, resolved: matchEvidence(items, matchOpen(items)) });
      }
    }
  }
  await job.reconcileFrom.onDone();
}

/** Processes that worked on a run one after the other may have clocks that differ by this much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** Up to its last mark a ledger is complete, a copy too: nothing left before it that the ledger does not show. */
const latest = (since: Date, mark: Date) =>
  new Date(Math.max(since.getTime(), mark.getTime() - CLOCKS_DIFFER_MS));

/** Looks up due writes in doubt, and resends those that the vendor does not have. */
async function settleDue<B, R, A>(ctx: Ctx, job: WriteJob<B, R, A>, state: JobState): Promise<void> {
  while (shouldContinue(job, state)) {
    const due = await findDueWrites(ctx.db, job.command, { now: ctx.clock.now(), limit: DUE_AT_ONCE });
    if (due.length === 0) break;
    const items = await loadItems(job, due);
    const resend = (await lookUpAndResolve(ctx, job, { state, items })).values();
    await runConcurrently(job.concurrency.callsAlone, async () => {
      if (!shouldContinue(job, state)) return false;
      const next = resend.next();
      if (next.done) return false;
      await sendUnit(ctx, job, { state, items: [next.value] });
      return true;
    });
  }
  const open = await countOpenWrites(ctx.db, job.command);
  state.inDoubt = open.sent;
  state.dueAt = open.dueAt;
}

/**
 * Sends planned writes: keyed ones share calls if the vendor supports batches; each other one has its own
 * call.
 */
async function sendPlanned<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  { state, keyed }: { state: JobState; keyed: boolean },
): Promise<void> {
  const { together = 1, callsTogether, callsAlone } = job.concurrency;
  const isShared = keyed && job.operation.sendTogether !== undefined && together > 1;
  const units = plannedUnits(ctx, job, { state, keyed, size: isShared ? together : 1 });
  await runConcurrently(isShared ? (callsTogether ?? callsAlone) : callsAlone, async () => {
    const { value: unit, done } = await units.next();
    if (done) return false;
    await sendUnit(ctx, job, { state, items: await loadItems(job, unit) });
    return true;
  });
}

/** Yields planned writes in call-sized units; settles those that can no longer be done. */
async function* plannedUnits<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  { state, keyed, size }: { state: JobState; keyed: boolean; size: number },
): AsyncGenerator<Write[], void> {
  const limit = job.concurrency.checked ?? PAGE;
  for await (const planned of openPages(ctx, job, { keyed, states: ["planned"], limit })) {
    if (!canSend(ctx, job, state)) return;
    let page = planned;
    if (job.operation.checkPlanned) {
      const items = await loadItems(job, planned);
      const excluded = await job.operation.checkPlanned(items);
      if ([...excluded.values()].some(({ kind }) => kind === "notDone")) {
        state.unansweredCalls += 1;
        state.isPostponed = true;
      }
      await resolve(ctx, job, { state, resolved: matchEvidence(items, excluded) });
      page = planned.filter(({ part }) => !excluded.has(part));
    }
    for (let start = 0; start < page.length; start += size) {
      // The first unit is sent even if the slice ended during the check: else a slow check sends nothing, ever.
      if (start === 0 ? mustStop(job, state) : !canSend(ctx, job, state)) return;
      yield page.slice(start, start + size);
    }
  }
}

async function* openPages<B, R, A>(
  ctx: Ctx,
  { command }: WriteJob<B, R, A>,
  which: { keyed: boolean; states: readonly Write["state"][]; limit: number },
): AsyncGenerator<Write[], void> {
  for (let last = -1; ;) {
    const page = await findOpenWrites(ctx.db, command, { ...which, after: last });
    if (page.length === 0) return;
    yield page;
    last = page.at(-1)?.seq ?? last;
  }
}

async function loadItems<B, R, A>({ operation }: WriteJob<B, R, A>, writes: readonly Write[]) {
  const bodies = await operation.loadBodies(writes);
  return writes.map((write) => {
    const body = bodies.get(write.part);
    if (body === undefined) throw new Error(`Write ${write.part} has nothing to send.`);
    return { write, body };
  });
}

/** Makes one call, for one write or several keyed ones, and saves its outcome. */
async function sendUnit<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  { state, items }: { state: JobState; items: readonly Item<B>[] },
): Promise<void> {
  const result = await call(ctx, job, items);
  if (!result) return;
  const { outcomes, isRefusedTogether } = result;
  const resolved: Resolved<B>[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index] ?? { error: new Error("An answer leaves out one of the writes.") };
    if ("error" in outcome) state.halt ??= job.operation.findHalt(outcome.error);
    resolved.push(await toResolved(job, { item, outcome, result }));
  }
  const isUnanswered = resolved.every(({ evidence: { kind } }) => kind === "inDoubt" || kind === "notDone");
  state.unansweredCalls = isUnanswered && !isRefusedTogether ? state.unansweredCalls + 1 : 0;
  state.isPostponed ||= !isRefusedTogether && resolved.some(({ evidence }) => evidence.kind === "notDone");
  await resolve(ctx, job, { state, resolved });
  // None of them was done, and the vendor does not say which one was the cause: planned again, each is sent
  // alone.
  for (const item of isRefusedTogether ? items : [])
    if (canSend(ctx, job, state)) await sendUnit(ctx, job, { state, items: [item] });
}

/** A sent write with the evidence of its outcome. */
async function toResolved<B, R, A>(
  job: WriteJob<B, R, A>,
  { item, outcome, result }: { item: Item<B>; outcome: Outcome<A>; result: Called<A> },
): Promise<Resolved<B>> {
  const { sentAt, moment, isRefusedTogether } = result;
  const { firstSentAt, lastSentAt, madeFrom, madeUntil } = item.write;
  const answered = job.operation.classify(item, outcome);
  const isAnswered = sentAt !== null && !isRefusedTogether;
  const cause = "cause" in answered ? answered.cause : IN_DOUBT;
  const against = "ok" in outcome && firstSentAt ? await readRepeated(job, item, outcome.ok) : null;
  const evidence: Evidence = against ?? (isAnswered ? answered : { kind: "notDone", cause });
  const times = {
    firstSentAt: firstSentAt ?? sentAt,
    lastSentAt: sentAt ?? lastSentAt,
    madeFrom: madeFrom ?? moment?.from ?? null,
    madeUntil: moment?.until ?? madeUntil,
  };
  const write: Write = { ...item.write, ...times, state: "sent" };
  return { item: { ...item, write }, evidence, repeated: firstSentAt !== null };
}

/** An answer whose object can't be read now is in doubt. */
async function readRepeated<B, R, A>(
  { operation }: WriteJob<B, R, A>,
  item: Item<B>,
  answer: A,
): Promise<Evidence | null> {
  try {
    return (await operation.readRepeated?.(item, answer)) ?? null;
  } catch (error) {
    if (!operation.isVendorFailure(error)) throw error;
    return { kind: "inDoubt", cause: IN_DOUBT };
  }
}

type Called<A> = {
  outcomes: readonly Outcome<A>[];
  sentAt: Date | null;
  moment: Moment | null;
  isRefusedTogether?: boolean;
};

/**
 * Makes the call. Marks its writes as `sent` under the fence, between the budget and the socket.
 * @returns the outcome of each item; `sentAt` is null if nothing was sent. Null if the data read for it are
 * outdated: then nothing was sent and nothing changed
 */
async function call<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  items: readonly Item<B>[],
): Promise<Called<A> | null> {
  const { operation, command, policy } = job;
  const parts = items.map(({ write }) => write.part);
  let sentAt: Date | null = null;
  let moment: Moment | null = null;
  const beforeSend = async () => {
    const now = ctx.clock.now();
    const dueAt = new Date(now.getTime() + policy.firstLookMs);
    moment = operation.moment?.() ?? null;
    await job.withFence((tx) => markWritesSent(tx, command, { parts, now, dueAt, moment }));
    sentAt = now;
    // An answer may take minutes, and users see meanwhile what is being sent.
    await job.onProgress();
  };
  const [first, ...others] = items;
  if (!first) return null;
  try {
    if (others.length > 0 && operation.sendTogether) {
      const requests = items.map((item) => operation.toRequest(item));
      return { outcomes: await operation.sendTogether(requests, { beforeSend }), sentAt, moment };
    }
    const { requestId } = first.write;
    const ok = await operation.sendAlone(operation.toRequest(first), { requestId, beforeSend });
    return { outcomes: [{ ok }], sentAt, moment };
  } catch (error) {
    if (error instanceof OutdatedRead) return null;
    if (!operation.isVendorFailure(error)) throw error;
    const { kind } = operation.classify(first, { error });
    const isRefusedTogether = others.length > 0 && (kind === "refused" || kind === "conflict");
    return { outcomes: items.map(() => ({ error })), sentAt, moment, isRefusedTogether };
  }
}

/**
 * Makes calls concurrently until none is left. After a failure the others end with their current call, so
 * that nothing is written after this returns.
 * @param next makes one call; false if there is none
 * @throws the first failure, once every call has ended
 */
async function runConcurrently(concurrency: number, next: () => Promise<boolean>): Promise<void> {
  let failed = false;
  const work = async () => {
    try {
      while (!failed && (await next()));
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
