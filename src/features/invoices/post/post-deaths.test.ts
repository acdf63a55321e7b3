import { expect, test } from "vitest";
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
