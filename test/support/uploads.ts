import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import type { Browser, Reply } from "./browser.ts";
import { growingWaits } from "./pace.ts";
import { invoiceWorkbook, type InvoiceRow } from "./workbooks.ts";

export async function uploadRows(
  browser: Browser,
  realmId: string,
  rows: readonly InvoiceRow[],
): Promise<Reply> {
  const file = { name: "invoices.xlsx", bytes: await invoiceWorkbook(rows) };
  return browser.call(postInvoices, { query: { realm_id: realmId }, file });
}

const MAX_WAIT_MS = 60_000;

/**
 * The list of a company's uploads once none of them is being worked on.
 * @param options.maxWaitMs after so long it gives up
 */
export async function settledUploads(
  browser: Browser,
  realmId: string,
  { maxWaitMs = MAX_WAIT_MS } = {},
): Promise<UploadList> {
  const nextLook = growingWaits();
  for (const end = Date.now() + maxWaitMs; Date.now() < end; await nextLook()) {
    const reply = await browser.call(listUploads, { query: { realm_id: realmId } });
    const list = reply.json() as UploadList;
    if (list.in_process === false) return list;
  }
  throw new Error("The uploads never settled.");
}
