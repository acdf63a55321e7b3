import { sql } from "kysely";
import { expect, test } from "vitest";
import { fastClock } from "../support/fast-clock.ts";
import { ACME, BAY, type Intuit, type JournalEntry } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { compareBooks, invoiceRows, liftLimits } from "./support/invoices.ts";
import { untilEnded } from "./support/uploads.ts";

const COUNT = 20;
const PEOPLE: Record<string, string> = { [ACME]: "owner@acme.example", [BAY]: "platform@dockside.example" };

/** An upload whose invoices QuickBooks made, though the answer was lost and then the company's authorisation ended. */
async function loseAnswers(realmId: string, prefix: string) {
  const app = await startApp({ clock: fastClock(60) });
  const browser = await app.owner(realmId, PEOPLE[realmId]);
  await liftLimits(app.intuit, realmId);
  const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
  await app.intuit.control("faults", [
    { fault: "revoked", match: { operation: "batch" }, everyN: 2, count: 1 },
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
  ]);
  const rows = invoiceRows(COUNT, { prefix });
  await uploadRows(browser, realmId, rows);
  const paused = await settledUploads(browser, realmId);
  expect(paused.uploads[0]?.counts).toMatchObject({ completed: 0, open: COUNT });
  const madeNow = async () => (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
  expect(await madeNow()).toHaveLength(COUNT);
  const goOn = async () => {
    await app.intuit.control("journal", undefined, "DELETE");
    await browser.connect(PEOPLE[realmId] ?? "", realmId);
    return (await untilEnded(browser, realmId)).counts;
  };
  return { app, rows, goOn, madeNow };
}

/** A batch id Intuit never saw: how long it remembers those it saw is not documented. */
const FORGOTTEN = "forgotten";

test("a number that clashes with our own invoice, whose answer was lost and whose request is forgotten, is recognised as ours", async () => {
  const { app, rows, goOn, madeNow } = await loseAnswers(ACME, "OWN");
  await sql`update upload_invoice set batch_id = ${FORGOTTEN} where state = 'sending'`.execute(app.db);
  expect(await goOn()).toEqual({ total: COUNT, completed: COUNT, problems: 0, open: 0 });
  expect(compareBooks(await madeNow(), rows)).toEqual({ once: COUNT, missing: 0, doubled: 0, strangers: 0 });
  expect(await unlinked(app, ACME)).toEqual([]);
});

test("where QuickBooks gives the numbers, a send that is days old is looked for and not repeated", async () => {
  const { app, rows, goOn, madeNow } = await loseAnswers(BAY, "");
  await sql`update upload_invoice set batch_id = ${FORGOTTEN}, sent_at = sent_at - interval '2 days'
    where state = 'sending'`.execute(app.db);
  expect(await goOn()).toEqual({ total: COUNT, completed: COUNT, problems: 0, open: 0 });
  expect(compareBooks(await madeNow(), rows)).toEqual({ once: COUNT, missing: 0, doubled: 0, strangers: 0 });
  expect(await sentInvoices(app.intuit)).toBe(0);
  expect(await unlinked(app, BAY)).toEqual([]);
});

test("where QuickBooks gives the numbers none is sent, and the one it gave is recorded", async () => {
  const app = await startApp({ clock: fastClock(60) });
  const browser = await app.owner(BAY, PEOPLE[BAY]);
  await liftLimits(app.intuit, BAY);
  await uploadRows(browser, BAY, invoiceRows(COUNT, { prefix: "" }));
  expect((await untilEnded(browser, BAY)).counts).toMatchObject({ completed: COUNT });
  const { rows } = await sql<{ sent: number; given: number }>`select
    count(*) filter (where draft ? 'DocNumber') as sent, count(distinct qbo_doc_number) as given
    from upload_invoice where realm_id = ${BAY}`.execute(app.db);
  expect(rows).toEqual([{ sent: 0, given: COUNT }]);
  expect(await unlinked(app, BAY)).toEqual([]);
});

test("an invoice somebody made by hand long before is not taken for ours, though it looks the same", async () => {
  let aheadMs = 0;
  const fast = fastClock(60);
  const app = await startApp({ clock: { ...fast, now: () => new Date(fast.now().getTime() + aheadMs) } });
  const browser = await app.owner(BAY, PEOPLE[BAY]);
  await liftLimits(app.intuit, BAY);
  const [row] = invoiceRows(1, { prefix: "" });
  await app.intuit.control(`books/${BAY}/Invoice`, {
    CustomerRef: { value: "1" },
    TxnDate: "2026-11-02",
    Line: [
      { Amount: 10, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "3" } } },
    ],
  });
  aheadMs = 6 * 3_600_000;
  await app.intuit.control("clock", { advanceMs: aheadMs });
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "batch" }, count: 5 }]);
  const before = (await app.intuit.invoices(BAY)).length;
  await uploadRows(browser, BAY, [row ?? {}]);
  expect((await untilEnded(browser, BAY)).counts).toMatchObject({ completed: 1, problems: 0 });
  expect(await app.intuit.invoices(BAY)).toHaveLength(before + 1);
});

/** Posted rows whose invoice in the books has another number than the ledger says. */
async function unlinked({ db, intuit }: TestApp, realmId: string) {
  const books = new Map((await intuit.invoices(realmId)).map(({ Id, DocNumber }) => [Id, DocNumber]));
  const { rows } = await sql<{ qbo_id: string; qbo_doc_number: string }>`select qbo_id, qbo_doc_number
    from upload_invoice where realm_id = ${realmId} and state = 'posted'`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  return rows.filter(({ qbo_id, qbo_doc_number }) => books.get(qbo_id) !== qbo_doc_number);
}

async function sentInvoices(intuit: Intuit): Promise<number> {
  const { entries } = await intuit.control<{ entries: JournalEntry[] }>("journal?limit=50000");
  return entries.filter(({ operation }) => operation === "batch" || operation === "invoice.create").length;
}
