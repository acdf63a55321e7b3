import { callUps, type CarrierCtx } from "#features/carrier/index.ts";
import type { Scan } from "#features/packages/contract.ts";
import type { PackagesCtx } from "#features/packages/ctx.ts";
import { planPoll, type Followed } from "#features/packages/rules-poll.ts";
import {
  findScanTimes,
  isScanned,
  listLate,
  nextState,
  placeDelivery,
  toScan,
} from "#features/packages/rules-states.ts";
import { pollRun } from "#features/packages/runs.ts";
import { savePackage } from "#features/packages/save-package.ts";
import {
  changePackage,
  isAnsweredSince,
  listDuePackages,
  postponePolls,
  type StoredPackage,
} from "#features/packages/store.ts";
import { forgetFormer, subscribePackages } from "#features/packages/subscribe-packages.ts";
import { UpsError, type UpsErrorKind } from "#integrations/ups/errors.ts";
import type { TrackedPackage } from "#integrations/ups/track-answer.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

/** Packages asked about in a row. */
const BATCH_SIZE = 30;
/**
 * Wait of a package after a failure of UPS, and of all packages of a company whose account fails, so that
 * they don't keep others from their turn.
 */
const RETRY_MS = 5 * 60_000;
/** Shortest wait for scans that UPS sent as events, and that its tracking doesn't have yet. */
const LATE_MS = 5 * 60_000;
/** Failures in a row after which UPS counts as unavailable: packages that were not polled keep their place. */
const MAX_FAILURES = 3;

/** Failures that are about no package: a login that is refused or isn't refreshed, or a host that isn't reached. */
const PROBLEM_OF_ALL: Partial<Record<UpsErrorKind, "ups_auth" | "ups_down">> = {
  auth: "ups_auth",
  network: "ups_down",
};

export const packageRuns = (ctx: PackagesCtx): BoundRun[] =>
  ctx.ups ? [bindRun(pollRun, pollPackages, ctx)] : [];

/** Asks UPS about packages that are due, in turns of their companies, and stores what it says. */
async function pollPackages(ctx: PackagesCtx, { run, stop }: RunWork): Promise<Ending> {
  await forgetFormer(ctx);
  const due = await listDuePackages(ctx.db, { now: ctx.clock.now(), limit: BATCH_SIZE });
  const changed = new Set<string>();
  const failed = new Set<string>();
  let failures = 0;
  for (const realmId of new Set(due.map((known) => known.realm_id))) await subscribePackages(ctx, realmId);
  for (const known of due) {
    const { realm_id: realmId } = known;
    if (stop.aborted || failures === MAX_FAILURES) break;
    if (failed.has(realmId)) continue;
    try {
      const isForInvoice = await pollPackage(ctx, known);
      if (isForInvoice || known.poll_problem !== null) changed.add(realmId);
      failures = 0;
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      ctx.log.warn({ err: error, realm: realmId }, "UPS could not be asked about packages");
      changed.add(realmId);
      const now = ctx.clock.now();
      const until = new Date(now.getTime() + RETRY_MS);
      if (error.kind !== "auth") failures += 1;
      const problem = PROBLEM_OF_ALL[error.kind];
      if (problem) {
        failed.add(realmId);
        await postponePolls(ctx.db, realmId, { now, until, problem });
      } else await postponePackage(ctx, known, { now, until });
    }
    run.noteProgress?.();
  }
  for (const realmId of changed) await publishChange(ctx.db, { realmId, kind: "packages" });
  const isMoreDue = due.length === BATCH_SIZE && failures < MAX_FAILURES;
  return { state: stop.aborted || isMoreDue ? "queued" : "done" };
}

/** Lets a package wait about which UPS gave no answer. One that failed before, while others were answered, waits as if UPS had no news. */
async function postponePackage(
  ctx: PackagesCtx,
  known: StoredPackage,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  const failedAt = new Date((known.next_poll_at ?? now).getTime() - RETRY_MS);
  const isOfNumber =
    known.poll_problem === "ups_down" && (await isAnsweredSince(ctx.db, known.realm_id, failedAt));
  if (isOfNumber) await savePackage(ctx, known, (current) => passOver(current, now));
  else await changePackage(ctx.db, known, { next_poll_at: until, poll_problem: "ups_down" });
}

/** The next poll of a package about which alone UPS doesn't answer: as if nothing had changed. */
function passOver(known: StoredPackage, now: Date): Partial<StoredPackage> {
  const polls = known.polls + 1;
  const next = planPoll(toFollowed({ ...known, polls }, now), now);
  return { state: next.state, polls, next_poll_at: next.pollAt, poll_problem: null };
}

async function pollPackage(ctx: PackagesCtx, asked: StoredPackage): Promise<boolean> {
  const found = await trackPackage(ctx, asked, { withProof: false });
  return savePackage(ctx, asked, (known) => {
    if (known.polls !== asked.polls) return null;
    const change = readAnswer(known, found, ctx.clock.now());
    // An event that came during the call may say more than the answer: UPS is asked again.
    const isNewer =
      known.activities.length !== asked.activities.length ||
      known.next_poll_at?.getTime() !== asked.next_poll_at?.getTime();
    return isNewer ? { ...change, next_poll_at: known.next_poll_at } : change;
  });
}

/**
 * Asks UPS about a package.
 * @returns null for a number that UPS doesn't know, or refuses: a refusal concerns its number
 * @throws UpsError
 */
export async function trackPackage(
  ctx: CarrierCtx,
  { realm_id: realmId, number }: Pick<StoredPackage, "realm_id" | "number">,
  { withProof }: { withProof: boolean },
): Promise<TrackedPackage | null> {
  const parts = { withProof, withSignature: withProof };
  try {
    const packages = await callUps(ctx, realmId, (ups, { token }) => ups.track(token, number, parts));
    const own = packages.find((found) => found.trackingNumber === number);
    // UPS's test environment masks numbers, and several could be other packages.
    return own ?? (packages.length === 1 ? (packages[0] ?? null) : null);
  } catch (error) {
    if (error instanceof UpsError && error.kind === "refused") return null;
    throw error;
  }
}

/** Derives what an answer changes; null says that UPS does not know the number. */
function readAnswer(known: StoredPackage, found: TrackedPackage | null, now: Date): Partial<StoredPackage> {
  const scans = found?.activities.map(toScan) ?? [];
  const late = listLate(known.activities, scans);
  const all = [...late, ...scans];
  const facts = found ? readFacts(found, all) : {};
  const state = nextState(known.state, found, all);
  const polls = known.polls + 1;
  const followed = { ...known, ...facts, state, polls };
  const next = planPoll(toFollowed(followed, now), now);
  const firstScanAt = findScanTimes(followed.activities).first ?? (isScanned(state) ? now : null);
  return {
    ...facts,
    state: next.state,
    scanned_at: known.scanned_at ?? firstScanAt,
    polls,
    polled_at: now,
    next_poll_at: next.pollAt && pollLate(next.pollAt, late, now),
    poll_problem: null,
  };
}

/** UPS is asked soon for what its answer doesn't have yet: a waiting time is half of the time since, in case that it never will. */
function pollLate(pollAt: Date, [newest]: readonly Scan[], now: Date): Date {
  if (!newest) return pollAt;
  const waitMs = Math.max(LATE_MS, (now.getTime() - Date.parse(newest.at ?? "")) / 2);
  return new Date(Math.min(pollAt.getTime(), now.getTime() + waitMs));
}

const toFollowed = (known: StoredPackage, now: Date): Followed => ({
  state: known.state,
  addedAt: known.added_at,
  newestAt: known.newest_at,
  polls: known.polls,
  scheduledOn: known.scheduled_on,
  offsetMinutes: known.activities[0] ? findOffset(known.activities[0]) : null,
  isPushed: known.pushed_until !== null && known.pushed_until > now,
  isOfLabel: known.of_label,
});

function readFacts({ activities, service, delivery, ...found }: TrackedPackage, scans: readonly Scan[]) {
  return {
    activities: scans,
    newest_at: findScanTimes(scans).newest,
    service: service?.description.trim() ?? "",
    left_at: delivery?.location ?? "",
    received_by: delivery?.receivedBy ?? "",
    scheduled_on: found.scheduledOn,
    due_hours: found.window,
    pickup_by: found.pickupBy,
    delivered: found.state === "delivered" ? placeDelivery({ activities, ...found }) : null,
  };
}

/** Minutes from UTC to the local time of a scan; null if UPS names one of them only. */
function findOffset({ at, local_date: day, local_time: time }: Scan): number | null {
  const minutes = (Date.parse(`${day}T${time}Z`) - Date.parse(at ?? "")) / 60_000;
  return Number.isNaN(minutes) ? null : Math.round(minutes);
}
