import type { BooksCtx } from "#features/books/ctx.ts";
import { isCreatedSince, matches, type Rivals } from "#features/books/rules-match.ts";
import { VENDOR, type InvoiceToMake } from "#features/books/rules.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { findClaims } from "#platform/writes/store.ts";

/** Invoices of the books by number. */
export type UsedNumbers = ReadonlyMap<string, { id: string; customer: string; voided?: boolean }>;

/** A file that is being posted: what it would send, by number, and since when its run may have sent it. */
export type BeingPosted = {
  since: Date;
  findToMake(numbers: ReadonlySet<string>): ReadonlyMap<string, InvoiceToMake>;
  findRivals(): Promise<Rivals>;
};

/**
 * Finds which invoice numbers the books already have. What the run of the file made itself, after a copy of the ledger
 * that was restored, is not among them: posting the file adopts it.
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

/** Finds invoices that are exactly as the file says, were made since, and belong to no other write. */
async function findOwn(ctx: BooksCtx, { realmId, invoices, posting }: Among): Promise<ReadonlySet<Invoice>> {
  const made = invoices.filter((one) => isCreatedSince({ firstSentAt: posting.since }, one));
  if (made.length === 0) return new Set();
  const toMake = posting.findToMake(new Set(made.flatMap(({ DocNumber }) => DocNumber ?? [])));
  // Read before the claims: what is settled meanwhile is among the one or the other.
  const { foreign } = await posting.findRivals();
  const ids = made.map(({ Id }) => Id);
  const claims = await findClaims(ctx.db, { realmId, vendor: VENDOR }, ids);
  const claimed = new Set(claims.map(({ vendorId }) => vendorId));
  const isOwn = (one: Invoice): boolean => {
    const sent = toMake.get(one.DocNumber ?? "");
    return sent !== undefined && matches(sent, one) && !foreign.some((rival) => matches(rival, one));
  };
  return new Set(made.filter((one) => !claimed.has(one.Id) && isOwn(one)));
}
