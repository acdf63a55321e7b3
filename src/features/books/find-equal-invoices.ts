import { earliestAt } from "#features/books/rules-match.ts";
import type { BooksCtx } from "#features/books/ctx.ts";
import { findHalt, isOutage, isVendorFailure } from "#features/books/rules-faults.ts";
import { isCreatedSince } from "#features/books/rules-match.ts";
import { isIdentical, sortInvoices } from "#features/books/rules-same.ts";
import { VENDOR, type InvoiceToMake } from "#features/books/rules.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { findClaims } from "#platform/writes/store.ts";

/** Whose invoice it is and of which day, as QuickBooks has them. */
export type CustomerDay = { customer: string; day: string };

/** An invoice to be sent; `fingerprint` names its content. */
export type Unsent = InvoiceToMake & { fingerprint: string };

/** An invoice of the books that says the same as one to be sent. */
export type EqualInBooks = { fingerprint: string; qboId: string; number: string | null; madeAt: Date };

type Search = {
  realmId: string;
  places: readonly CustomerDay[];
  /** Only invoices made since count. */
  since: Date;
  /** Invoices made from then on may be this file's own; null when none of it is sent yet. */
  ownFrom: Date | null;
  /** Open writes of the company may have made what is equal to them. */
  openFingerprints(): Promise<ReadonlySet<string>>;
  /** Called only when the books have invoices of these customers and days. */
  toMake(): Iterable<Unsent>;
};

/**
 * Finds invoices of the books that equal ones to be sent, whatever their numbers, and that no write of ours made: users
 * typed them, or a ledger that was put back has forgotten them.
 */
export async function findEqualInvoices(ctx: BooksCtx, search: Search): Promise<EqualInBooks[]> {
  const { realmId, places, since, ownFrom } = search;
  if (places.length === 0) return [];
  const books = ctx.books(realmId);
  const [customers, days] = [
    [...new Set(places.map(({ customer }) => customer))],
    [...new Set(places.map(({ day }) => day))],
  ];
  const data = await findOnDays(ctx, realmId, { customers, days, since: earliestAt(books, since) });
  const ownSince = ownFrom && { firstSentAt: ownFrom, madeFrom: earliestAt(books, ownFrom) };
  const foreign = data.filter((invoice) => !ownSince || !isCreatedSince(ownSince, invoice));
  if (foreign.length === 0) return [];
  // Read before the claims: what is settled meanwhile is among the one or the other.
  const open = await search.openFingerprints();
  const ids = foreign.map(({ Id }) => Id);
  const claims = await findClaims(ctx.db, { realmId, vendor: VENDOR }, ids);
  const claimed = new Set(claims.map(({ vendorId }) => vendorId));
  const free = foreign.filter(({ Id }) => !claimed.has(Id));
  return free.length === 0 ? [] : matchEach(search.toMake(), free, open);
}

type OnDays = { customers: readonly string[]; days: readonly string[]; since: Date };

/** A search that Intuit refuses for good shows nothing: it must keep no upload from its end. */
async function findOnDays(ctx: BooksCtx, realmId: string, where: OnDays): Promise<Invoice[]> {
  try {
    return (await ctx.books(realmId).findInvoicesOnDays(where)).data;
  } catch (error) {
    if (!isVendorFailure(error) || isOutage(error) || findHalt(error)) throw error;
    ctx.log.error({ err: error, realm: realmId }, "QuickBooks refuses a search for equal invoices");
    return [];
  }
}

function matchEach(
  toMake: Iterable<Unsent>,
  free: readonly Invoice[],
  open: ReadonlySet<string>,
): EqualInBooks[] {
  const inBooks = sortInvoices(free);
  const seen = new Set(open);
  const found: EqualInBooks[] = [];
  for (const { fingerprint, ...body } of toMake) {
    if (seen.has(fingerprint)) continue;
    seen.add(fingerprint);
    for (const invoice of inBooks.like(body)) {
      if (!isIdentical(body, invoice)) continue;
      const madeAt = new Date(invoice.MetaData?.CreateTime ?? 0);
      found.push({ fingerprint, qboId: invoice.Id, number: invoice.DocNumber ?? null, madeAt });
    }
  }
  return found;
}
