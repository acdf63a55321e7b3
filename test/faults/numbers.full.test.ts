import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDesk } from "../support/desk.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { ACME, BAY, holdCalls } from "../support/intuit.ts";
import type { TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { untilEnded, untilFinished } from "./support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";

const run = battery({ short: 1, long: 10 });
const COUNT = 20;
const TAKEN = 5;

test(
  `${run.times} times another user takes ${TAKEN} numbers between the check and the posting: only those rows fail, and their error names the duplicate`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const { app, browser } = await openDesk(ACME);
    for (let time = 0; time < run.times; time += 1) {
      const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
      const hold = await holdCalls(app.intuit, { operation: "batch" });
      await uploadRows(browser, ACME, invoiceRows(COUNT, { prefix: `C${time}`, firstCents: 5_000 }));
      await hold.hit();
      const taken = new Set<string>();
      while (taken.size < TAKEN) taken.add(`C${time}-${1 + Math.floor(random() * COUNT)}`);
      for (const DocNumber of taken) await app.intuit.control(`books/${ACME}/Invoice`, byHand({ DocNumber }));
      await hold.release();
      const { counts, results } = await untilFinished(browser, ACME);
      expect(counts).toEqual({ total: COUNT, completed: COUNT - TAKEN, problems: TAKEN, open: 0 });
      const reported = results.filter(({ status }) => status === 3);
      expect(reported.map(({ message }) => message).toSorted()).toEqual(
        [...taken]
          .toSorted()
          .map((number) => expect.stringContaining(`The number ${number} is already in QuickBooks.`)),
      );
      const made = (await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id));
      expect(new Set(made.map(({ DocNumber }) => DocNumber)).size).toBe(COUNT);
      expect(made).toHaveLength(COUNT);
    }
    printCounts(run, "numbers, taken by others", {
      times: run.times,
      reported: run.times * TAKEN,
      doubled: 0,
    });
  },
);

test(
  `${run.times} times QuickBooks assigns the numbers: none is sent, and the one it assigned is recorded`,
  { timeout: run.timeout },
  async () => {
    const { app, browser } = await openDesk(BAY);
    const all = run.times * COUNT;
    for (let time = 0; time < run.times; time += 1) {
      await uploadRows(browser, BAY, invoiceRows(COUNT, { prefix: "", firstCents: 1_000 + time * COUNT }));
      expect((await untilFinished(browser, BAY)).counts).toMatchObject({ completed: COUNT });
    }
    const { rows } = await sql<{ sent: number; given: number }>`select
      count(*) filter (where draft ? 'DocNumber') as sent, count(distinct qbo_doc_number) as given
      from ledger_entry where realm_id = ${BAY}`.execute(app.db);
    expect(rows).toEqual([{ sent: 0, given: all }]);
    expect(await unlinked(app, BAY)).toEqual([]);
    printCounts(run, "numbers, given by QuickBooks", { times: run.times, recorded: all });
  },
);

test("an invoice entered by hand long before is not mistaken for ours, even if it looks the same", async () => {
  const clock = steppedClock();
  const { app, browser } = await openDesk(BAY, { clock });
  const [row] = invoiceRows(1, { prefix: "" });
  await app.intuit.control(`books/${BAY}/Invoice`, byHand({ TxnDate: "2026-11-02" }));
  clock.advance(6 * 3_600_000);
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "batch" }, count: 5 }]);
  const before = (await app.intuit.invoices(BAY)).length;
  await uploadRows(browser, BAY, [row ?? {}]);
  expect((await untilEnded(browser, BAY)).counts).toMatchObject({ completed: 1, problems: 0 });
  expect(await app.intuit.invoices(BAY)).toHaveLength(before + 1);
});

/** An invoice that a user enters in the books, equal to the first of `invoiceRows`. */
const byHand = (fields: object) => ({
  CustomerRef: { value: "1" },
  Line: [{ Amount: 10, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "3" } } }],
  ...fields,
});

/** Posted rows whose invoice in the books has another number than the ledger says. */
async function unlinked({ db, intuit }: TestApp, realmId: string) {
  const books = new Map((await intuit.invoices(realmId)).map(({ Id, DocNumber }) => [Id, DocNumber]));
  const { rows } = await sql<{ qbo_id: string; qbo_doc_number: string }>`select qbo_id, qbo_doc_number
    from ledger_entry where realm_id = ${realmId} and state = 'posted'`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  return rows.filter(({ qbo_id, qbo_doc_number }) => books.get(qbo_id) !== qbo_doc_number);
}
