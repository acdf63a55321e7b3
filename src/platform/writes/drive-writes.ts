import type { Ctx } from "#platform/ctx.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import { IN_DOUBT } from "#platform/writes/decide.ts";
import type { Drive, Item, Pass } from "#platform/writes/operation.ts";
import { runConcurrently } from "#platform/writes/run-concurrently.ts";
import { isDue, judge, lookUp, mayGoOn, maySend, sendUnit } from "#platform/writes/send-unit.ts";
import { countOpenWrites, findDueWrites, findOpenWrites, type Write } from "#platform/writes/store.ts";

/**
 * How a slice of work ended. `halted`: the vendor takes nothing of this company until somebody fixes the cause.
 * `waiting`: nothing can be done before `until`.
 */
export type DriveEnd =
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
 * Drives the writes of a command as far as it goes now: settles what is in doubt and due, then sends what is planned. May
 * run again at any moment, also after a process died in the middle.
 * @throws what is no failure of the vendor, LeaseLost among others
 */
export async function driveWrites<Body, Request, Answer>(
  ctx: Ctx,
  drive: Drive<Body, Request, Answer>,
): Promise<DriveEnd> {
  const open = await countOpenWrites(ctx.db, drive.command);
  const pass: Pass = {
    unansweredCalls: 0,
    inDoubt: open.sent,
    dueAt: open.dueAt,
    isPostponed: false,
    halt: null,
  };
  try {
    await adoptMade(ctx, drive, pass);
    do {
      await settleDue(ctx, drive, pass);
      await sendPlanned(ctx, drive, { pass, keyed: true });
      await sendPlanned(ctx, drive, { pass, keyed: false });
    } while (mayGoOn(drive, pass) && isDue(ctx, pass));
  } catch (error) {
    const cause = drive.operation.haltOf(error);
    if (cause) return { kind: "halted", cause };
    if (!drive.operation.isVendorFailure(error)) throw error;
    ctx.log.warn({ err: error, ...drive.command }, "A search at a vendor failed; its writes wait");
    return { kind: "waiting", until: after(ctx, drive.policy.outageMs), cause: NO_ANSWER };
  }
  return endOf(ctx, drive, pass);
}

/** Settles what a previous holder of this run made, also at a later time than this ledger says: it may be a copied one. */
async function adoptMade<B, R, A>(ctx: Ctx, drive: Drive<B, R, A>, pass: Pass): Promise<void> {
  if (!drive.look) return;
  const judges = await drive.operation.findMadeSince(drive.look.since);
  for (const judgeOpen of judges) {
    // A keyed one first: what carries its key is no equal one's without a key.
    for (const keyed of [true, false]) {
      for await (const page of openPages(ctx, drive, { keyed, states: ["planned", "sent"] })) {
        const items = await itemsOf(drive, page);
        await judge(ctx, drive, { pass, judged: judgedBy(items, judgeOpen(items)) });
      }
    }
  }
  await drive.look.onDone();
}

const judgedBy = <B>(items: readonly Item<B>[], found: ReadonlyMap<string, Evidence>) =>
  items.flatMap((item) => {
    const evidence = found.get(item.write.part);
    return evidence ? [{ item, evidence, repeated: item.write.firstSentAt !== null }] : [];
  });

/** Looks up what is in doubt and due, and sends again what is not there. */
async function settleDue<B, R, A>(ctx: Ctx, drive: Drive<B, R, A>, pass: Pass): Promise<void> {
  while (mayGoOn(drive, pass)) {
    const due = await findDueWrites(ctx.db, drive.command, { now: ctx.clock.now(), limit: DUE_AT_ONCE });
    if (due.length === 0) break;
    const judged = await lookUp(drive, await itemsOf(drive, due));
    const resend = await judge(ctx, drive, { pass, judged });
    const units = resend.values();
    await runConcurrently(drive.concurrency.callsAlone, async () => {
      const next = mayGoOn(drive, pass) ? units.next() : { done: true as const, value: undefined };
      if (next.done) return false;
      await sendUnit(ctx, drive, { pass, items: [next.value] });
      return true;
    });
  }
  const open = await countOpenWrites(ctx.db, drive.command);
  pass.inDoubt = open.sent;
  pass.dueAt = open.dueAt;
}

/** Sends planned writes: keyed ones share calls where the vendor has batches, each other has a call of its own. */
async function sendPlanned<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, keyed }: { pass: Pass; keyed: boolean },
): Promise<void> {
  const { together = 1, callsTogether, callsAlone } = drive.concurrency;
  const isShared = keyed && drive.operation.sendTogether !== undefined && together > 1;
  const units = plannedUnits(ctx, drive, { pass, keyed, size: isShared ? together : 1 });
  await runConcurrently(isShared ? (callsTogether ?? callsAlone) : callsAlone, async () => {
    const { value: unit, done } = await units.next();
    if (done) return false;
    await sendUnit(ctx, drive, { pass, items: await itemsOf(drive, unit) });
    return true;
  });
}

async function* plannedUnits<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, keyed, size }: { pass: Pass; keyed: boolean; size: number },
): AsyncGenerator<Write[], void> {
  for await (const planned of openPages(ctx, drive, { keyed, states: ["planned"] })) {
    const page = await checkPlanned(ctx, drive, { pass, planned });
    for (let start = 0; start < page.length; start += size) {
      if (!maySend(ctx, drive, pass)) return;
      yield page.slice(start, start + size);
    }
  }
}

/** Settles what can no longer be done. @returns the others */
async function checkPlanned<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, planned }: { pass: Pass; planned: Write[] },
): Promise<Write[]> {
  if (!drive.operation.checkPlanned) return planned;
  const items = await itemsOf(drive, planned);
  const found = await drive.operation.checkPlanned(items);
  await judge(ctx, drive, { pass, judged: judgedBy(items, found) });
  return planned.filter(({ part }) => !found.has(part));
}

async function* openPages<B, R, A>(
  ctx: Ctx,
  { command }: Drive<B, R, A>,
  which: { keyed: boolean; states: readonly Write["state"][] },
): AsyncGenerator<Write[], void> {
  for (let after = -1; ;) {
    const page = await findOpenWrites(ctx.db, command, { ...which, after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.seq;
  }
}

async function itemsOf<B, R, A>({ operation }: Drive<B, R, A>, writes: readonly Write[]) {
  const bodies = await operation.loadBodies(writes);
  return writes.map((write) => {
    const body = bodies.get(write.part);
    if (body === undefined) throw new Error(`Write ${write.part} has nothing to send.`);
    return { write, body };
  });
}

async function endOf<B, R, A>(ctx: Ctx, drive: Drive<B, R, A>, pass: Pass): Promise<DriveEnd> {
  if (pass.halt) return { kind: "halted", cause: pass.halt };
  if (drive.stop.aborted) return { kind: "interrupted" };
  const open = await countOpenWrites(ctx.db, drive.command);
  if (open.planned + open.sent === 0) return { kind: "done" };
  return waitOrGoOn(ctx, drive, { pass, open });
}

function waitOrGoOn<B, R, A>(
  ctx: Ctx,
  { policy }: Drive<B, R, A>,
  { pass, open: { planned, sent, dueAt } }: { pass: Pass; open: Awaited<ReturnType<typeof countOpenWrites>> },
): DriveEnd {
  const isAway = pass.isPostponed || pass.unansweredCalls >= policy.maxUnansweredCalls;
  const nextAt = dueAt !== null && dueAt > ctx.clock.now() ? dueAt : null;
  const maySend = planned > 0 && sent < policy.maxInDoubt;
  if (!isAway && (maySend || nextAt === null)) return { kind: "sliceOver" };
  const until = nextAt ?? after(ctx, policy.outageMs);
  const isLong = until > after(ctx, policy.vendorLimitMs + policy.indexLagMs);
  return { kind: "waiting", until, cause: isAway || isLong ? NO_ANSWER : IN_DOUBT };
}

const after = ({ clock }: Ctx, ms: number) => new Date(clock.now().getTime() + ms);
