import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import type { Browser, Reply } from "./browser.ts";
import { invoiceWorkbook, type InvoiceRow } from "./workbooks.ts";

export async function uploadRows(
  browser: Browser,
  realmId: string,
  rows: readonly InvoiceRow[],
): Promise<Reply> {
  const file = { name: "invoices.xlsx", bytes: await invoiceWorkbook(rows) };
  return browser.call(postInvoices, { query: { realm_id: realmId }, file });
}

/** The list of a company's uploads once none of them is being worked on, or after the time the test allows. */
export async function settledUploads(browser: Browser, realmId: string): Promise<UploadList> {
  for (;;) {
    await browser.settle();
    const reply = await browser.call(listUploads, { query: { realm_id: realmId } });
    const list = reply.json() as UploadList;
    if (list.in_process === false) return list;
  }
}
