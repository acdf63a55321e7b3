import { findTrackingSettings, findUpsState, hasService } from "#features/companies/index.ts";
import { nameZone } from "#features/packages/index.ts";
import { BETWEEN_CHECKS_MS } from "#features/tracking/check-now.ts";
import type {
  Shown,
  TrackedDetailsView,
  TrackedInvoiceView,
  TrackedPackageView,
  TrackingView,
} from "#features/tracking/contract.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { findShipments, readFreight } from "#features/tracking/find-shipments.ts";
import { UNLINKED } from "#features/tracking/plan-writes.ts";
import { planFreight, type LabelShipment } from "#features/tracking/rules-freight.ts";
import { isDelay, STATES_SHOWN } from "#features/tracking/rules-states.ts";
import { problemText } from "#features/tracking/sentences.ts";
import { whenChangesAreRead } from "#features/tracking/find-invoices.ts";
import { findFollowed, type FollowedCompany } from "#features/tracking/store.ts";
import {
  countDays,
  countPackages,
  findListed,
  findPackagesOfInvoice,
  findWritesOfInvoice,
  listInvoices,
  type ListedInvoice,
  type ListPlace,
  type ViewedPackage,
  type ViewedWrite,
} from "#features/tracking/store-views.ts";
import { listNumbers } from "#features/tracking/store-writes.ts";
import { badRequest, notFound } from "#platform/errors.ts";
import { DAY_MS } from "#platform/time.ts";

const PAGE_ROWS = 50;
/** Two weeks, and a day for places that are behind or ahead. */
const DAYS_MS = 15 * DAY_MS;

/** Reads how a company's packages are followed. */
export async function readTracking(ctx: TrackingCtx, realmId: string): Promise<TrackingView> {
  const company = await findFollowed(ctx.db, realmId);
  const counted = await countPackages(ctx.db, realmId);
  const isOn = await hasService(ctx.db, { realmId, service: "tracking", now: ctx.clock.now() });
  const sum = (of: readonly { count: number }[]) => of.reduce((total, { count }) => total + count, 0);
  const shown = (show: Shown) => sum(counted.filter(({ state }) => STATES_SHOWN[show].includes(state)));
  const unpolled = counted.reduce((total, each) => total + each.unpolled, 0);
  const times = (of: readonly (Date | null | undefined)[]) => of.flatMap((at) => (at ? [at.getTime()] : []));
  const polled = times(counted.map(({ polledAt }) => polledAt));
  const next = times([company?.next_at, ...counted.map(({ nextAt }) => nextAt)]);
  const of = sum(counted);
  return {
    state: isOn ? "on" : "off",
    ups_state: await findUpsState(ctx.db, realmId),
    shipping_fields: toSwitch(company?.shipping_fields ?? null),
    counts: {
      watched: sum(counted.filter(({ state }) => state !== "voided")),
      delivered: shown("delivered"),
      moving: shown("moving"),
      attention: shown("attention"),
      delayed: counted.reduce((total, each) => total + each.delayed, 0),
      without_proof: counted.reduce((total, each) => total + each.withoutProof, 0),
    },
    days: await countDays(ctx.db, realmId, new Date(ctx.clock.now().getTime() - DAYS_MS)),
    progress: isOn && unpolled > 0 ? { polled: of - unpolled, of } : null,
    checked_at: polled.length > 0 ? new Date(Math.max(...polled)).toISOString() : null,
    next_check_at: isOn && next.length > 0 ? new Date(Math.min(...next)).toISOString() : null,
    changes_read_at: isOn && company ? await findNextRead(ctx, company) : null,
    check_allowed_at: findNextRequest(company?.asked_at ?? null, ctx.clock.now()),
    problem: problemText(company?.problem ?? null),
    problem_at: company?.problem ? isoText(company.problem_at) : null,
  };
}

async function findNextRead(ctx: TrackingCtx, company: FollowedCompany): Promise<string | null> {
  if (company.changed_at === null) return null;
  const settings = await findTrackingSettings(ctx.db, company.realm_id);
  return isoText(await whenChangesAreRead(ctx, company, settings));
}

function findNextRequest(askedAt: Date | null, now: Date): string | null {
  const at = askedAt ? new Date(askedAt.getTime() + BETWEEN_CHECKS_MS) : now;
  return at > now ? at.toISOString() : null;
}

const toSwitch = (isOn: boolean | null) => (isOn === null ? "unknown" : isOn ? "on" : "off");

const isoText = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

type Query = { show: Shown; day?: string | undefined; q: string; after?: string | undefined };

/** Lists invoices, ordered by state, most urgent first, then newest scan. @throws AppError 400 for a place of no page */
export async function listTracked(
  ctx: TrackingCtx,
  realmId: string,
  { show, day, q, after }: Query,
): Promise<{ invoices: TrackedInvoiceView[]; next: string | null }> {
  const page = { show, day: day ?? null, q: q.trim(), after: readPlace(after), limit: PAGE_ROWS + 1 };
  const found = await listInvoices(ctx.db, realmId, page);
  const shown = found.slice(0, PAGE_ROWS);
  const last = shown.at(-1);
  return {
    invoices: shown.map(toInvoice),
    next: found.length > PAGE_ROWS && last ? `${last.need}-${last.place.getTime()}-${last.qbo_id}` : null,
  };
}

function readPlace(text: string | undefined): ListPlace | null {
  if (text === undefined) return null;
  const [, need, time, id] = /^(\d{1,2})-(-?\d{1,15})-(\S{1,40})$/.exec(text) ?? [];
  if (time === undefined || id === undefined)
    throw badRequest("invalid_page", "This page doesn't exist. Reload.");
  return { need: Number(need), at: new Date(Number(time)), id };
}

const toInvoice = (row: ListedInvoice): TrackedInvoiceView => ({
  id: row.qbo_id,
  number: row.number,
  customer: row.customer,
  state: row.state ?? "ended",
  is_delayed: row.state === "exception" && isDelay(row.newest),
  packages: row.packages,
  delivered: row.delivered,
  tracking_number: row.tracking_number ?? "",
  at: isoText(row.at),
  local_date: row.newest?.local_date ?? "",
  local_time: row.newest?.local_time ?? "",
  zone: row.newest ? nameZone(row.newest) : "",
  scheduled_on: row.scheduled_on,
  not_followed: row.other_carriers,
});

/** Reads an invoice with everything about its packages. @throws AppError 404 for an invoice that isn't followed */
export async function readTracked(
  ctx: TrackingCtx,
  realmId: string,
  qboId: string,
): Promise<TrackedDetailsView> {
  const invoice = await findListed(ctx.db, realmId, qboId);
  if (!invoice) throw notFound("This invoice isn't tracked for this company. Reload the page.");
  const packages = await findPackagesOfInvoice(ctx.db, realmId, qboId);
  const writes = await findWritesOfInvoice(ctx.db, realmId, qboId);
  const { attach_pods: isAttached, freight_since: since } = await findTrackingSettings(ctx.db, realmId);
  const known = { packages: new Map([[qboId, packages]]), writes: new Map([[qboId, writes]]), since };
  const shipments = (await findShipments(ctx.db, realmId, known)).get(qboId) ?? [];
  return {
    ...toInvoice(invoice),
    url: ctx.invoicePage({ realmId, id: qboId }),
    details: packages.map((pkg) => toPackage(pkg, writes, isAttached ? null : NOT_ATTACHED)),
    written: { ...toWritten(writes), ...toFreight(invoice, writes, shipments) },
  };
}

const NOT_ATTACHED = { code: "attach_off", params: {} };

/** @param otherwise why a proof without a planned attachment isn't on the invoice; null if it will be */
function toPackage(
  pkg: ViewedPackage,
  writes: readonly ViewedWrite[],
  otherwise: typeof NOT_ATTACHED | null,
): TrackedPackageView {
  const attached = writes.find(
    (write) =>
      write.operation === "attach" &&
      write.cause?.code !== UNLINKED &&
      listNumbers(write).includes(pkg.number),
  );
  const isDone = attached?.state === "done";
  return {
    number: pkg.number,
    state: pkg.state,
    is_delayed: pkg.state === "exception" && isDelay(pkg.activities[0]),
    service: pkg.service,
    delivered: pkg.delivered && { ...pkg.delivered, zone: nameZone(pkg.delivered) },
    left_at: pkg.left_at,
    received_by: pkg.received_by,
    scheduled_on: pkg.scheduled_on,
    due_hours: pkg.due_hours,
    pickup_by: pkg.pickup_by,
    is_label: pkg.of_label,
    activities: pkg.activities.map((each) => ({ ...each, zone: nameZone(each) })),
    polled_at: isoText(pkg.polled_at),
    proof: {
      state: pkg.proof_state ?? "none",
      due_at: pkg.proof_state === "waiting" ? isoText(pkg.proof_due_at) : null,
      attached_at: isDone ? isoText(attached.settled_at) : null,
      problem: isDone ? "" : problemText(attached ? attached.cause : otherwise),
    },
  };
}

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** The shipping amount that was written and is still there, and why there is none. */
function toFreight(
  invoice: ListedInvoice,
  writes: readonly ViewedWrite[],
  shipments: readonly LabelShipment[],
): Pick<TrackedDetailsView["written"], "freight" | "freight_problem"> {
  const ours = readFreight(writes);
  const isThere = ours !== null && ours.cents > 0 && invoice.shipping_cents === ours.cents;
  const [latest] = writes.filter(({ operation }) => operation === "freight");
  const { problem } = planFreight(invoice, ours, shipments);
  const isRefused = latest !== undefined && latest.state !== "done" && latest.cause !== null;
  const cause = problem === null ? (isRefused ? latest.cause : null) : { code: problem, params: {} };
  return {
    freight: isThere ? DOLLARS.format(ours.cents / 100) : null,
    freight_problem: problemText(cause),
  };
}

/** Values that the latest done updates wrote; those that were withdrawn are absent. */
function toWritten(
  writes: readonly ViewedWrite[],
): Omit<TrackedDetailsView["written"], "freight" | "freight_problem"> {
  const updates = writes.filter(({ operation }) => operation === "update");
  const done = updates.filter(({ state }) => state === "done");
  const find = (name: "ship_date" | "ship_via" | "tracking_number") =>
    done.find(({ fields }) => fields?.[name] !== undefined)?.fields?.[name] || null;
  const [latest] = updates;
  return {
    at: isoText(
      writes.find(({ operation, state }) => operation !== "attach" && state === "done")?.settled_at,
    ),
    ship_date: find("ship_date"),
    ship_via: find("ship_via"),
    tracking_number: find("tracking_number"),
    problem: latest && latest.state !== "done" ? problemText(latest.cause) : "",
  };
}
