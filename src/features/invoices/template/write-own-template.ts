import { IntuitError } from "#integrations/intuit/errors.ts";
import { AppError, conflict } from "#platform/errors.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readLists } from "#features/books/index.ts";
import { endOf } from "#integrations/intuit/fault-meaning.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { readForRequest } from "#features/sheets/index.ts";
import type { OwnTemplate } from "#features/sheets/reading.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";
import type { BooksLists } from "#features/books/reading.ts";

/**
 * The template with drop-downs of a company's own customers, items, terms, classes and locations as they are now.
 * @throws AppError 409 when the company must be connected again or QuickBooks refuses it; 503 when it cannot be read
 */
export async function writeOwnTemplate(
  ctx: InvoicesCtx,
  realmId: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const lists = await readOrTell(ctx, realmId);
  const day = ctx.clock.now().toISOString().slice(0, 10);
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

async function readOrTell(ctx: InvoicesCtx, realmId: string): Promise<BooksLists> {
  try {
    return await readLists(ctx, realmId);
  } catch (error) {
    throw error instanceof IntuitError ? unreadable(error) : error;
  }
}

function unreadable(error: IntuitError): AppError {
  const general = "The template without the company's own lists can be downloaded meanwhile.";
  const end = endOf(error);
  if (end?.kind === "reconnect")
    return conflict(
      "reconnect_needed",
      `This company must be connected to QuickBooks again before its lists can be read. ${general}`,
    );
  if (end)
    return conflict("books_refused", `QuickBooks does not let us read this company's lists. ${general}`);
  const detail = `QuickBooks could not be read just now. Try again in a minute. ${general}`;
  return new AppError({ status: 503, code: "books_unreadable", detail, retryAfterSeconds: 60, cause: error });
}
