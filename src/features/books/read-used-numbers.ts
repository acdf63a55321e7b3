import { earliestAt } from "#features/books/rules-match.ts";
import type { BooksCtx } from "#features/books/ctx.ts";
import { isCreatedSince, matches, type Rivals } from "#features/books/rules-match.ts";
import { VENDOR, type InvoiceToMake } from "#features/books/rules.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { findClaims } from "#platform/writes/store.ts";

/** Invoices in the books by number. */
export type UsedNumbers = ReadonlyMap<string, { id: string; customer: string; voided?: boolean }>;

/**
 * A file being posted: the invoices it would send, by number, and the time since which its run may
 * have sent them.
 */
export type BeingPosted = {
  since: Date;
  findToMake(numbers: ReadonlySet<string>): ReadonlyMap<string, InvoiceToMake>;
  findRivals(): Promise<Rivals>;
};

/**
 * Finds invoice numbers that the books already have. Excludes invoices created by the file's own
 * run, as after restoring a copy of the ledger: posting the file adopts them.
 */
export async function readUsedNumbers(
  ctx: BooksCtx,
  { realmId, numbers, posting }: { realmId: string; numbers: readonly string[]; posting: BeingPosted | null },
): Promise<UsedNumbers> {
  const { data } = await ctx.books(realmId).findInvoicesByNumbers(numbers);
  const own = posting ? await findOwn(ctx, { realmId, invoices: data.invoices, posting }) : null;
  return new Map(
    data.invoices
      .filter((invoice) => !own?.has(invoice))
      .map((invoice) => [
        invoice.DocNumber ?? "",
        { id: invoice.Id, customer: invoice.CustomerRef?.name ?? "", voided: isVoided(invoice) },
      ]),
  );
}

type Among = { realmId: string; invoices: readonly Invoice[]; posting: BeingPosted };

/** Finds invoices that match the file exactly, were created since, and belong to no other write. */
async function findOwn(ctx: BooksCtx, { realmId, invoices, posting }: Among): Promise<ReadonlySet<Invoice>> {
  const madeFrom = earliestAt(ctx.books(realmId), posting.since);
  const made = invoices.filter((invoice) =>
    isCreatedSince({ firstSentAt: posting.since, madeFrom }, invoice),
  );
  if (made.length === 0) return new Set();
  const toMake = posting.findToMake(new Set(made.flatMap(({ DocNumber }) => DocNumber ?? [])));
  // Read before the claims: an invoice settled in between shows in one or the other.
  const { foreign } = await posting.findRivals();
  const ids = made.map(({ Id }) => Id);
  const claims = await findClaims(ctx.db, { realmId, vendor: VENDOR }, ids);
  const claimed = new Set(claims.map(({ vendorId }) => vendorId));
  const isOwn = (invoice: Invoice): boolean => {
    const sent = toMake.get(invoice.DocNumber ?? "");
    return sent !== undefined && matches(sent, invoice) && !foreign.some((rival) => matches(rival, invoice));
  };
  return new Set(made.filter((invoice) => !claimed.has(invoice.Id) && isOwn(invoice)));
}
