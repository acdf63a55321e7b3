import { findHalt } from "#features/books/index.ts";
import { findTrackingSettings, hasService } from "#features/companies/index.ts";
import { findPollProblem } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { findInvoices, whenWanted } from "#features/tracking/find-invoices.ts";
import { followChanges } from "#features/tracking/follow-changes.ts";
import { linkLabels } from "#features/tracking/link-labels.ts";
import { notifyContact } from "#features/tracking/notify-contact.ts";
import { planWrites } from "#features/tracking/plan-writes.ts";
import { requestProofs } from "#features/tracking/request-proofs.ts";
import { BURST } from "#features/tracking/rules-reads.ts";
import { addWatch, startRun, wakeWatch, WATCHING, watchRun } from "#features/tracking/runs.ts";
import {
  addFollowed,
  changeFollowed,
  findDue,
  findFollowed,
  findUnwatched,
  dropReportsOfKnownInvoices,
  lockFollowed,
  type FollowedCompany,
} from "#features/tracking/store.ts";
import { markAllDirty } from "#features/tracking/store-invoices.ts";
import { listOpenBatches } from "#features/tracking/store-writes.ts";
import { writeInvoices } from "#features/tracking/write-invoices.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange, type ChangeFeed } from "#platform/events/change-feed.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";
import { HOUR_MS, MINUTE_MS } from "#platform/time.ts";

/** A vendor that doesn't answer is asked again after this. */
const RETRY_MS = 5 * MINUTE_MS;
/** A pass that leaves due work gives other companies their turn first. */
const TURN_MS = 250;

export const trackingRuns = (ctx: TrackingCtx): BoundRun[] =>
  ctx.ups ? [bindRun(watchRun, watch, ctx)] : [];
export const startRuns = (ctx: TrackingCtx): BoundRun[] =>
  ctx.ups ? [bindRun(startRun, startWatches, ctx)] : [];

/** Adds the run of each company that has the service and no run: new ones, ones that return, and ones of a restored database. */
async function startWatches(ctx: TrackingCtx): Promise<Ending> {
  const now = ctx.clock.now();
  for (const realmId of await findUnwatched(ctx.db, { kind: watchRun.kind, now }))
    await startWatch(ctx, realmId);
  return { state: "done" };
}

/** Makes sure that a company with the service is followed, and that its run sees what changed. */
export async function startWatch(ctx: TrackingCtx, realmId: string): Promise<void> {
  const now = ctx.clock.now();
  if (!(await hasService(ctx.db, { realmId, service: "tracking", now }))) return;
  await ctx.db.transaction().execute(async (tx) => {
    await addFollowed(tx, realmId, { reads: BURST, now });
    await addWatch(tx, { realmId, id: ctx.ids.uuid(), now });
    // The cause of failed reads may be over: a company was connected again.
    await changeFollowed(tx, realmId, { read_after: null });
    await wakeWatch(tx, realmId, now);
  });
}

/** One part of a pass: when it is due again, and the problem that kept it from its work. */
type Part = { dueAt: Date | null; problem: Problem | null };
type Problem = { code: string; params: Readonly<Record<string, string | number | null>> };

/**
 * One pass over a company: reads changed invoices, links labels, follows what changed in packages, requests proofs, writes, then
 * waits for what is due first.
 * Each step is saved by itself and harmless to repeat. A vendor that fails holds up its own steps only.
 */
async function watch(ctx: TrackingCtx, work: RunWork): Promise<Ending | EndInTransaction> {
  const { run, stop, sliceEnds } = work;
  const { realmId } = run;
  const startedAt = ctx.clock.now();
  if (!(await hasService(ctx.db, { realmId, service: "tracking", now: startedAt }))) return { state: "done" };
  const fenced = <T>(write: (tx: Db) => Promise<T>) => withFence(ctx.db, run, write);
  await fenced((tx) => dropReportsOfKnownInvoices(tx, realmId));
  const company = await findFollowed(ctx.db, realmId);
  if (!company) {
    await fenced((tx) => addFollowed(tx, realmId, { reads: BURST, now: startedAt }));
    return { state: "queued" };
  }
  if (run.canceledBy) return pause(ctx, realmId, run.canceledBy);
  const settings = await findTrackingSettings(ctx.db, realmId);
  const wanted = toJson([settings.attach_pods, settings.pods_together, settings.freight_since]);
  if (company.settings !== wanted)
    await fenced(async (tx) => {
      await changeFollowed(tx, realmId, { settings: wanted });
      await markAllDirty(tx, realmId);
    });
  let hasRead = false;
  const { read_after: readAfter } = company;
  const wantedAt = whenWanted(company, settings, startedAt);
  const reading =
    readAfter !== null && readAfter > startedAt
      ? { dueAt: readAfter, problem: company.problem }
      : wantedAt > startedAt
        ? { dueAt: wantedAt, problem: null }
        : await readBooks(ctx, realmId, async () => {
            const { isRead, dueAt } = await findInvoices(ctx, company, { settings, fenced });
            hasRead = isRead;
            return dueAt;
          });
  if (reading.problem && reading.dueAt !== readAfter)
    await fenced((tx) => changeFollowed(tx, realmId, { read_after: reading.dueAt }));
  await linkLabels(ctx.db, company, { hasNewInvoices: hasRead, now: ctx.clock.now(), fenced });
  await followChanges(ctx, realmId, fenced);
  const asking =
    settings.ups_state === "none"
      ? NOT_LINKED
      : await askUps(ctx, realmId, () => requestProofs(ctx, { realmId, fenced, stop }));
  if ((await findDue(ctx.db, realmId)).isDirty)
    await fenced(async (tx) => planWrites(ctx, tx, { company: await lockFollowed(tx, realmId), settings }));
  const isSentAlong = settings.pods_on_send;
  const batches = await listOpenBatches(ctx.db, realmId);
  const write = async () => {
    const ends = await writeInvoices(ctx, { realmId, isSentAlong, fenced, stop, sliceEnds }, batches);
    const halt = ends.find((end) => end.kind === "halted");
    if (halt) throw new Halted(halt.cause.code);
    return first(ends.map((end) => (end.kind === "waiting" ? end.until : ctx.clock.now())));
  };
  const writing = batches.length > 0 ? await readBooks(ctx, realmId, write) : NOTHING_DUE;
  const hadKnownChanges = company.changed_at !== null && !hasRead;
  return finish(ctx, {
    realmId,
    settings,
    hadKnownChanges,
    isStopped: stop.aborted,
    startedAt,
    reading,
    asking,
    writing,
  });
}

/** Ends a canceled pass: the next one comes in an hour, or when something wakes the run. */
const pause =
  (ctx: TrackingCtx, realmId: string, by: string): EndInTransaction =>
  async (tx, save) => {
    await lockFollowed(tx, realmId);
    const now = ctx.clock.now();
    const dueAt = new Date(now.getTime() + HOUR_MS);
    const problem = toJson({ code: "canceled", params: { by } });
    await changeFollowed(tx, realmId, { next_at: dueAt, problem, problem_at: now });
    await publishChange(tx, { realmId, kind: "tracking" });
    await save({ state: "waiting", cause: WATCHING, dueAt });
  };

const NOTHING_DUE: Part = { dueAt: null, problem: null };

/** The run is woken when an account is connected. */
const NOT_LINKED: Part = { dueAt: new Date(8.64e15), problem: { code: "ups_none", params: {} } };

/** QuickBooks accepts nothing of this company until a user acts. */
class Halted extends Error {
  override name = "Halted";
  readonly code: string;

  constructor(code: string) {
    super(`QuickBooks accepts no write: ${code}`);
    this.code = code;
  }
}

/** Does a step of a pass that asks QuickBooks. */
async function readBooks(ctx: TrackingCtx, realmId: string, step: () => Promise<Date | null>): Promise<Part> {
  const grant = await ctx.findGrant(realmId);
  try {
    return { dueAt: await step(), problem: null };
  } catch (error) {
    if (!(error instanceof IntuitError || error instanceof Halted)) throw error;
    const halt = error instanceof Halted ? error.code : (findHalt(error)?.code ?? null);
    ctx.log.warn({ err: error, realm: realmId }, "QuickBooks could not be asked while packages are followed");
    if (halt === "reconnect")
      await ctx.db.transaction().execute((tx) => ctx.onReconnectNeeded(tx, { realmId, grant }));
    const now = ctx.clock.now().getTime();
    return {
      dueAt: new Date(now + (halt ? HOUR_MS : RETRY_MS)),
      problem: { code: halt === "reconnect" ? "books_reconnect" : "books_down", params: {} },
    };
  }
}

/** Requests proofs. @returns when UPS may be asked again after it failed, here or when packages were polled */
async function askUps(ctx: TrackingCtx, realmId: string, step: () => Promise<void>): Promise<Part> {
  try {
    await step();
    const code = await findPollProblem(ctx.db, realmId);
    return { dueAt: null, problem: code && { code, params: {} } };
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "UPS could not be asked for proofs of delivery");
    const dueAt = new Date(ctx.clock.now().getTime() + RETRY_MS);
    return { dueAt, problem: { code: error.kind === "auth" ? "ups_auth" : "ups_down", params: {} } };
  }
}

type Pass = {
  realmId: string;
  settings: Awaited<ReturnType<typeof findTrackingSettings>>;
  /** Whether changes were already known, so that this pass has scheduled their read. */
  hadKnownChanges: boolean;
  isStopped: boolean;
  startedAt: Date;
  reading: Part;
  asking: Part;
  writing: Part;
};

/** Ends a pass: mails what is new, and lets the run wait for what is due first, found while no change can come in between. */
const finish =
  (
    ctx: TrackingCtx,
    { realmId, settings, hadKnownChanges, isStopped, startedAt, reading, asking, writing }: Pass,
  ): EndInTransaction =>
  async (tx, save) => {
    const current = await lockFollowed(tx, realmId);
    const digestAt = await notifyContact(ctx, tx, { company: current, settings });
    const { proofAt, isChanged, isDirty } = await findDue(tx, realmId);
    const now = ctx.clock.now();
    const isWoken =
      isChanged || (current.wake_requested_at !== null && current.wake_requested_at >= startedAt);
    const changeDueAt = current.changed_at !== null && !hadKnownChanges ? now : null;
    const requestAt = proofAt && asking.dueAt ? later(proofAt, asking.dueAt) : proofAt;
    const dirtyAt = isDirty ? (writing.problem ? writing.dueAt : now) : null;
    const dueAt =
      first([
        reading.dueAt,
        requestAt,
        writing.dueAt,
        dirtyAt,
        changeDueAt,
        isWoken ? now : null,
        digestAt,
      ]) ?? new Date(now.getTime() + HOUR_MS);
    const problem = reading.problem ?? asking.problem ?? writing.problem;
    await changeFollowed(tx, realmId, {
      next_at: dueAt,
      ...noteProblem(current, problem, now),
    });
    await publishChange(tx, { realmId, kind: "tracking" });
    if (isStopped) return save({ state: "queued" });
    await save({ state: "waiting", cause: WATCHING, dueAt: later(dueAt, new Date(now.getTime() + TURN_MS)) });
  };

function noteProblem(current: FollowedCompany, problem: Problem | null, now: Date) {
  if (!problem) return { problem: null, problem_at: null };
  return {
    problem: toJson(problem),
    problem_at: current.problem?.code === problem.code ? current.problem_at : now,
    // QuickBooks reports no changes meanwhile: they are read when the company is connected again.
    ...(problem.code === "books_reconnect" && { changed_at: current.changed_at ?? now }),
  };
}

const later = (a: Date, b: Date): Date => (a > b ? a : b);

function first(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((at) => at !== null).map((at) => at.getTime());
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

/**
 * Wakes a company's run when its service, settings, UPS account, labels or packages change. A missed event is caught within a minute,
 * or by the next pass.
 * @returns a function that unsubscribes
 */
export const watchChanges = (ctx: TrackingCtx & { changes: ChangeFeed }): (() => void) =>
  ctx.changes.subscribe(({ realmId, kind }) => {
    if (!["companies", "labels", "packages"].includes(kind)) return;
    void startWatch(ctx, realmId).catch((error: unknown) =>
      ctx.log.warn({ err: error, realm: realmId }, "Failed to wake a company's run after a change"),
    );
  });
