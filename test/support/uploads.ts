import { expect } from "vitest";
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

/** The list of a company's uploads once none of them is being worked on. */
export async function settledUploads(browser: Browser, realmId: string): Promise<UploadList> {
  let list: UploadList | undefined;
  await expect
    .poll(
      async () => {
        list = (await browser.call(listUploads, { query: { realm_id: realmId } })).json() as UploadList;
        return list.in_process;
      },
      { interval: 50 },
    )
    .toBe(false);
  if (!list) throw new Error("The list was never read.");
  return list;
}
