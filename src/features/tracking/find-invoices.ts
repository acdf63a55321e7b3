import {
  readChangedInvoices,
  readInvoicesSince,
  readShippingPreference,
  type BooksInvoice,
} from "#features/books/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { findNumbers, foldKey } from "#features/tracking/rules-numbers.ts";
import { refill, refillMs, whenRepeated, whenAllowed, whenDue } from "#features/tracking/rules-reads.ts";
import { changeFollowed, lockFollowed, type FollowedCompany } from "#features/tracking/store.ts";
import { markAllDirty, markGone, saveInvoices, type ReadInvoice } from "#features/tracking/store-invoices.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Db } from "#platform/db/connect.ts";
import { DAY_MS } from "#platform/time.ts";

type Lookback = { invoice_lookback_days: number; time_zone: string };
type Fenced = <T>(write: (tx: Db) => Promise<T>) => Promise<T>;

const isFirstRead = ({ read_until: readUntil, read_days: readDays }: FollowedCompany, settings: Lookback) =>
  readUntil === null || (readDays ?? 0) < settings.invoice_lookback_days;

/** When a company's invoices are to be read; not after `now` if they are now. */
export const whenWanted = (company: FollowedCompany, settings: Lookback, now: Date): Date =>
  isFirstRead(company, settings)
    ? now
    : whenDue(
        { readUntil: company.read_until, changedAt: company.changed_at, repeatAt: company.repeat_at },
        now,
      );

/** When the changes that were reported of a company are read: when they are due, and its reads allow it. */
export async function whenChangesAreRead(
  ctx: TrackingCtx,
  company: FollowedCompany,
  settings: Lookback,
): Promise<Date | null> {
  if (company.changed_at === null) return null;
  const now = ctx.clock.now();
  const everyMs = refillMs(await ctx.reads.readMonth());
  const times = [
    whenWanted(company, settings, now),
    whenAllowed({ left: company.reads_left, at: company.reads_at }, everyMs),
    company.read_after ?? now,
  ];
  return new Date(Math.max(...times.map((at) => at.getTime())));
}

/**
 * Reads a company's invoices from QuickBooks if that may be done: all of the lookback at first and when it grew, later what
 * changed.
 * @returns whether invoices were read, and when that is due next
 * @throws IntuitError
 */
export async function findInvoices(
  ctx: TrackingCtx,
  company: FollowedCompany,
  { settings, fenced }: { settings: Lookback; fenced: Fenced },
): Promise<{ isRead: boolean; dueAt: Date }> {
  const { realm_id: realmId, read_until: readUntil, changed_at: changedAt } = company;
  const now = ctx.clock.now();
  const { invoice_lookback_days: days } = settings;
  const isFirst = isFirstRead(company, settings);
  const everyMs = refillMs(await ctx.reads.readMonth());
  const budget = refill({ left: company.reads_left, at: company.reads_at }, now, everyMs);
  const dueAt = whenAllowed(budget, everyMs);
  if (dueAt > now) return { isRead: false, dueAt };
  const since = dayIn(settings.time_zone, new Date(now.getTime() - days * DAY_MS));
  let reads = 0;
  const take = async (invoices: BooksInvoice[], deleted: string[]) => {
    reads += 1;
    await fenced(async (tx) => {
      await lockFollowed(tx, realmId);
      await saveInvoices(tx, realmId, { invoices: invoices.map(toRead), since, now });
      const voided = invoices.filter((invoice) => invoice.isVoided).map(({ qboId }) => qboId);
      await markGone(tx, realmId, { ids: [...deleted, ...voided], now });
    });
    await ctx.onChanged(realmId, { invoices, deleted });
  };
  // Before the read: a change that is reported during it may not be in its answer. A read that is cut off is made again, and
  // is spent, so that changes that can't be stored don't use up the reads of all companies.
  await fenced((tx) =>
    changeFollowed(tx, realmId, {
      changed_at: null,
      changed_new: null,
      repeat_at: now,
      reads_left: Math.max(0, budget.left - 1),
      reads_at: now,
    }),
  );
  const until = await (
    isFirst || readUntil === null
      ? readInvoicesSince(ctx, { realmId, day: since }, (invoices) => take(invoices, []))
      : readChangedInvoices(ctx, { realmId, since: readUntil }, (changed) =>
          take(changed.invoices, changed.deleted),
        )
  ).catch(async (error: unknown) => {
    // QuickBooks didn't answer: nothing was metered.
    const { reads_left, reads_at } = company;
    if (error instanceof IntuitError)
      await fenced((tx) => changeFollowed(tx, realmId, { reads_left, reads_at }));
    throw error;
  });
  // A company that switched shipping fields off may have switched them on again.
  const asks = isFirst || company.shipping_fields === false;
  const preference = asks ? await readShippingPreference(ctx, realmId) : null;
  if (asks) reads += 1;
  const left = Math.max(0, budget.left - reads);
  const repeatAt = whenRepeated({ changedAt: isFirst ? now : changedAt }, left, now);
  await fenced(async (tx) => {
    await changeFollowed(tx, realmId, {
      repeat_at: repeatAt,
      read_after: null,
      read_until: until,
      // Invoices that a shorter lookback leaves out are read once it is longer again.
      read_days: days,
      reads_left: left,
      reads_at: now,
      ...(preference && { shipping_fields: preference === "unknown" ? null : preference === "on" }),
    });
    // Writes that became due while they were off were not planned.
    if (company.shipping_fields === false && preference !== "off") await markAllDirty(tx, realmId);
  });
  return { isRead: true, dueAt: repeatAt ?? new Date(now.getTime() + DAY_MS) };
}

/** An invoice of the books as it is stored. */
export function toRead(invoice: BooksInvoice): ReadInvoice {
  const { numbers, others } = findNumbers(invoice.trackingNumber);
  const keys = [invoice.number, ...invoice.customFields.map(({ value }) => value)].map(foldKey);
  return {
    qbo_id: invoice.qboId,
    sync_token: invoice.syncToken,
    number: invoice.number,
    customer: invoice.customer,
    txn_date: invoice.txnDate,
    ship_date: invoice.shipDate || null,
    ship_via: invoice.shipVia,
    tracking_text: invoice.trackingNumber,
    keys: [...new Set(keys.filter((key) => key !== ""))],
    other_carriers: others,
    currency: invoice.currency,
    shipping_cents: invoice.shippingCents,
    is_paid: invoice.isPaid,
    gone: invoice.isVoided,
    numbers,
  };
}

/** The day of a time in a time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at,
  );
