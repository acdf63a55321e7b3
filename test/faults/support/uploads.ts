import { listUploads, type UploadList, type UploadSummary } from "#features/invoices/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import type { Browser } from "../../support/browser.ts";
import { growingWaits } from "../../support/pace.ts";

/** After so long a test gives up. Long forms run for minutes, and on a busy machine for many. */
export const MAX_WAIT_MS = 1_200_000;

/** The newest upload of a company once it is finished or waits for a user or for its vendor, however long that takes. */
export const untilEnded = (browser: Browser, realmId: string): Promise<UploadSummary> =>
  pollNewest(browser, realmId, () => true);

/** The newest upload of a company once nothing of it is open: pauses for a vendor that does not answer pass by themselves. */
export const untilFinished = (browser: Browser, realmId: string): Promise<UploadSummary> =>
  pollNewest(browser, realmId, ({ counts }) => counts.open === 0);

async function pollNewest(
  browser: Browser,
  realmId: string,
  isDone: (upload: UploadSummary) => boolean,
): Promise<UploadSummary> {
  const nextLook = growingWaits();
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await nextLook()) {
    const list = await readList(browser, realmId);
    const [newest] = list.uploads;
    if (!list.in_process && newest && isDone(newest)) return newest;
  }
  throw new Error("The upload never ended.");
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
