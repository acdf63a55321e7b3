import type { BooksCtx } from "#features/books/ctx.ts";
import { isVoided } from "#integrations/intuit/judge-invoice.ts";

/** Invoices of the books by number. */
export type UsedNumbers = ReadonlyMap<string, { id: string; customer: string; voided?: boolean }>;

/** Which of some invoice numbers the books already have. */
export async function readUsedNumbers(
  ctx: BooksCtx,
  realmId: string,
  numbers: readonly string[],
): Promise<UsedNumbers> {
  const { data } = await ctx.books(realmId).findInvoicesByNumbers(numbers);
  return new Map(
    data.invoices.map((invoice) => [
      invoice.DocNumber ?? "",
      { id: invoice.Id, customer: invoice.CustomerRef?.name ?? "", voided: isVoided(invoice) },
    ]),
  );
}
