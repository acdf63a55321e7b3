import { sql } from "kysely";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { openDesk, OWNERS } from "../../support/desk.ts";
import { steppedClock } from "../../support/stepped-clock.ts";
import type { JournalEntry } from "../../support/intuit.ts";
import { finishRun, startRun } from "../../support/ledger.ts";
import { uploadRows } from "../../support/uploads.ts";

/** A company of a test's own, whose uploads are worked on by a worker or, without one, run by run. */
export async function startBooks(realmId: string, { clock = steppedClock(), worker = true } = {}) {
  const { app, browser, query, list, made, faults, noFaults } = await openDesk(realmId, { clock, worker });
  const newest = async () => {
    const [upload] = ((await browser.call(listUploads, { query })).json() as UploadList).uploads;
    if (!upload) throw new Error("There is no upload.");
    return upload;
  };
  return {
    ...app,
    clock,
    browser,
    query,
    newest,
    made,
    faults,
    noFaults,
    upload: (rows: Parameters<typeof uploadRows>[2]) => uploadRows(browser, realmId, rows),
    connect: () => browser.connect(OWNERS[realmId] ?? "", realmId),
    /** Makes what an upload sends in the books, as a user does who enters it by hand. */
    enterByHand: async () => {
      const { rows } = await sql<{ draft: object }>`select draft from upload_invoice order by seq`.execute(
        app.db,
      );
      for (const { draft } of rows) await app.intuit.control(`books/${realmId}/Invoice`, draft);
    },
    settled: async () => (await list())[0],
    /** One start of the run of an upload, of the newest one if none is named, as a worker makes it. @returns ms until the next, null when there is none */
    run: async (attempt = 3, uploadId?: string) =>
      (await startRun(app, uploadId ?? (await newest()).id, attempt)).afterMs,
    /** Starts of the newest upload's run, each when the one before said so. @returns how long that took by the clock */
    finish: async () => finishRun(app, (await newest()).id, { clock }),
    /** How often the only fault asked for an operation has hit. */
    fired: async (operation: string) => {
      const { rules } = await app.intuit.control<{
        rules: { match?: { operation?: string }; fired: number }[];
      }>("faults");
      return rules.find(({ match }) => match?.operation === operation)?.fired ?? 0;
    },
    sent: async (operation: string) => {
      const { entries } = await app.intuit.control<{ entries: JournalEntry[] }>(
        `journal?operation=${operation}&limit=5000`,
      );
      return entries;
    },
  };
}
