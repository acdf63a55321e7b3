import { listUploads, type UploadList, type UploadSummary } from "#features/invoices/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import type { Browser } from "../../support/browser.ts";
import { settledUploads } from "../../support/uploads.ts";

/** The newest upload of a company once it is finished or waits for a user or for its vendor. */
export async function untilEnded(browser: Browser, realmId: string): Promise<UploadSummary> {
  const [newest] = (await settledUploads(browser, realmId)).uploads;
  if (!newest) throw new Error("There is no upload.");
  return newest;
}

/** The newest upload of a company once nothing of it is open: pauses for a vendor that does not answer pass by themselves. */
export async function untilFinished(browser: Browser, realmId: string): Promise<UploadSummary> {
  for (;;) {
    const newest = await untilEnded(browser, realmId);
    if (newest.counts.open === 0) return newest;
  }
}

export async function readList(browser: Browser, realmId: string): Promise<UploadList> {
  const reply = await browser.call(listUploads, { query: { realm_id: realmId, limit: "1" } });
  if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
  return reply.json() as UploadList;
}

/** Whether the control totals of ended uploads hold: what was read is what was posted, to the cent as in the books. */
export async function doReceiptsAgree(
  browser: Browser,
  realmId: string,
  uploads: readonly Pick<UploadSummary, "id">[],
): Promise<boolean> {
  const receipts = await Promise.all(
    uploads.map(async ({ id }) => {
      const params = { upload_id: id };
      const query = { realm_id: realmId, limit: "1" };
      return (await browser.call(readReceipt, { params, query })).json() as Receipt;
    }),
  );
  return receipts.every(
    ({ agrees, read, posted, difference }) =>
      agrees && read.amount === posted.amount && difference === "0.00" && read.invoices === posted.invoices,
  );
}
