import { expect, test } from "vitest";
import { listUploads, RESULT_STATUS, type UploadList } from "#features/invoices/contract.ts";
import { cancelUpload } from "#features/invoices/post/contract.ts";
import { startDyingProcess } from "../../../../test/support/dying-process.ts";
import { ACME, BAY, type JournalEntry } from "../../../../test/support/intuit.ts";
import { openDesk } from "../../../../test/support/desk.ts";
import { everyNth } from "../../../../test/support/rules/every-nth.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";

const INVOICES = 20;

test.each([
  [ACME, "with numbers of the file"],
  [BAY, "numbered by QuickBooks"],
])(
  "a worker that dies between any two statements of an upload leaves it to another one, and each invoice is in the books once (%s, %s)",
  async (realmId) => {
    const deaths = everyNth(
      Array.from({ length: 12 }, (_, at) => 5 * 2 ** at),
      2,
    );
    let lastDeath = 0;
    for (const dies of deaths) {
      const desk = await openDesk(realmId, { worker: false });
      const process = await startDyingProcess(desk.app, { dies });
      await desk.send(invoiceRows(INVOICES, { prefix: realmId === ACME ? "D" : "" }));
      await desk.app.settle();
      const isDead = process.isDead();
      await desk.app.work();
      const [upload] = await desk.list();
      expect([dies, upload?.counts]).toMatchObject([dies, { completed: INVOICES, problems: 0 }]);
      const made = await desk.made();
      expect(made).toHaveLength(INVOICES);
      expect(new Set(made.map(({ TotalAmt }) => TotalAmt)).size).toBe(INVOICES);
      const { entries } = await desk.app.intuit.control<{ entries: JournalEntry[] }>("journal?limit=5000");
      const ids = entries.flatMap(({ requestid }) => (requestid ? [requestid] : []));
      expect(new Set(ids).size).toBe(ids.length);
      if (!isDead) break;
      lastDeath = dies;
    }
    expect(lastDeath).toBeGreaterThanOrEqual(80);
    expect(lastDeath).toBeLessThan(deaths.at(-1) ?? 0);
  },
);

test.each([
  [ACME, "with numbers of the file"],
  [BAY, "numbered by QuickBooks"],
])(
  "an upload that is canceled after its worker died says so of what was never sent, and the same file posts that (%s, %s)",
  async (realmId) => {
    const desk = await openDesk(realmId, { worker: false });
    // Calls have 25 invoices with numbers, or one without: one call is made, and the next isn't noted anymore.
    const counts = (statement: string) => /^update "write" set .*"first_sent_at"/.test(statement);
    const process = await startDyingProcess(desk.app, { dies: 2, counts });
    const rows = invoiceRows(60, { prefix: realmId === ACME ? "C" : "" });
    await desk.send(rows);
    await desk.app.settle();
    expect(process.isDead()).toBe(true);
    const { uploads } = (await desk.browser.call(listUploads, { query: desk.query })).json() as UploadList;
    const params = { upload_id: uploads[0]?.id ?? "" };
    expect((await desk.browser.call(cancelUpload, { params, query: desk.query })).status).toBe(202);
    await desk.app.work();
    const [canceled] = await desk.list();
    const made = await desk.made();
    expect(made.length).toBeLessThan(60);
    expect(canceled?.counts).toMatchObject({ completed: made.length, problems: 60 - made.length, open: 0 });
    const unsent = canceled?.results.filter(({ status }) => status !== RESULT_STATUS.completed);
    expect(new Set(unsent?.map(({ message }) => message))).toEqual(
      new Set([expect.stringMatching(/canceled by \S+@/i)]),
    );

    await desk.send(rows);
    expect((await desk.list())[0]?.counts).toMatchObject({
      completed: 60 - made.length,
      skipped: made.length,
      problems: 0,
    });
    expect(new Set((await desk.made()).map(({ TotalAmt }) => TotalAmt)).size).toBe(60);
    expect(await desk.made()).toHaveLength(60);
  },
);
