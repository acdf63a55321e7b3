import { findTimeZone } from "#features/companies/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readLists, unreadableBooks } from "#features/books/index.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { readForRequest } from "#features/sheets/index.ts";
import type { OwnTemplate } from "#features/sheets/reading.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";

const MEANWHILE = "Until then, you can download the template without the company's own lists.";

/**
 * Writes the template with drop-downs of a company's current customers, items, terms, classes, and locations.
 * @throws AppError 409 if the company must be reconnected or QuickBooks refuses; 503 if it cannot be read
 */
export async function writeOwnTemplate(
  ctx: InvoicesCtx,
  realmId: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const lists = await readLists(ctx, realmId).catch((error: unknown) => {
    throw unreadableBooks(error, { what: "lists", hint: MEANWHILE });
  });
  const day = dayIn(await findTimeZone(ctx.db, realmId))(ctx.clock.now());
  const bytes = await readForRequest<Uint8Array>(
    invoiceSheet,
    new URL("./build-template.ts", import.meta.url),
    {
      bytes: new Uint8Array(),
      input: { company: lists.companyName, day, lists: offeredLists(lists) } satisfies OwnTemplate,
      owner: realmId,
    },
  );
  return { name: `${lists.companyName} - invoice upload.xlsx`, bytes };
}
