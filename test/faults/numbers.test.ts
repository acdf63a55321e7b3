import { sql } from "kysely";
import { expect, test } from "vitest";
import { fastClock } from "../support/fast-clock.ts";
import { ACME, BAY, type Intuit, type JournalEntry, liftLimits } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { battery, seededRandom, tell } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { untilEnded } from "./support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";

const run = battery({ short: 1, long: 10 });
const COUNT = 20;
const TAKEN = 5;
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

const ALL_POSTED = { total: COUNT, completed: COUNT, problems: 0, open: 0 };
const ALL_ONCE = { once: COUNT, missing: 0, doubled: 0, strangers: 0 };

/** A batch id Intuit never saw: how long it remembers those it saw is not documented. */
const FORGOTTEN = "forgotten";

test(
  `${run.times} times numbers clash with our own invoices, whose answers were lost and whose request is forgotten: recognised as ours`,
  { timeout: run.timeout },
  async () => {
    for (let time = 0; time < run.times; time += 1) {
      const { app, rows, goOn, madeNow } = await loseAnswers(ACME, "OWN");
      await sql`update upload_invoice set batch_id = ${FORGOTTEN} where state = 'sending'`.execute(app.db);
      expect(await goOn()).toEqual(ALL_POSTED);
      expect(compareBooks(await madeNow(), rows)).toEqual(ALL_ONCE);
      expect(await unlinked(app, ACME)).toEqual([]);
    }
    tell(run, "numbers, clash with our own", { times: run.times, linked: run.times * COUNT, doubled: 0 });
  },
);

test(
  `${run.times} times where QuickBooks gives the numbers, a send that is days old is looked for and not repeated`,
  { timeout: run.timeout },
  async () => {
    for (let time = 0; time < run.times; time += 1) {
      const { app, rows, goOn, madeNow } = await loseAnswers(BAY, "");
      await sql`update upload_invoice set batch_id = ${FORGOTTEN}, sent_at = sent_at - interval '2 days'
        where state = 'sending'`.execute(app.db);
      expect(await goOn()).toEqual(ALL_POSTED);
      expect(compareBooks(await madeNow(), rows)).toEqual(ALL_ONCE);
      expect(await sentInvoices(app.intuit)).toBe(0);
      expect(await unlinked(app, BAY)).toEqual([]);
    }
    tell(run, "numbers, days old", { times: run.times, linked: run.times * COUNT, doubled: 0 });
  },
);

test(
  `${run.times} times somebody else takes ${TAKEN} numbers between check and posting: an error of those rows alone, naming the clash`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const app = await startApp({ clock: fastClock(60) });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    for (let time = 0; time < run.times; time += 1) {
      const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
      await app.intuit.control("faults", [
        { fault: "latency", ms: 3_000, match: { operation: "batch" }, count: 1 },
      ]);
      await uploadRows(browser, ACME, invoiceRows(COUNT, { prefix: `C${time}`, firstCents: 5_000 }));
      const sending = sql<{ n: number }>`select count(*) as n from upload_invoice where state = 'sending'`;
      await expect.poll(async () => (await sending.execute(app.db)).rows[0]?.n).toBe(COUNT);
      const taken = new Set<string>();
      while (taken.size < TAKEN) taken.add(`C${time}-${1 + Math.floor(random() * COUNT)}`);
      for (const DocNumber of taken) await app.intuit.control(`books/${ACME}/Invoice`, byHand({ DocNumber }));
      const { counts, results } = await untilEnded(browser, ACME);
      expect(counts).toEqual({ total: COUNT, completed: COUNT - TAKEN, problems: TAKEN, open: 0 });
      const told = results.filter(({ status }) => status === 3);
      expect(told.map(({ message }) => message).toSorted()).toEqual(
        [...taken]
          .toSorted()
          .map((number) => expect.stringContaining(`The number ${number} is already in QuickBooks.`)),
      );
      const made = (await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id));
      expect(new Set(made.map(({ DocNumber }) => DocNumber)).size).toBe(COUNT);
      expect(made).toHaveLength(COUNT);
    }
    tell(run, "numbers, taken by others", { times: run.times, told: run.times * TAKEN, doubled: 0 });
  },
);

test(
  `${run.times} times QuickBooks gives the numbers: none is sent, and the one it gave is recorded`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ clock: fastClock(60) });
    const browser = await app.owner(BAY, PEOPLE[BAY]);
    await liftLimits(app.intuit, BAY);
    const all = run.times * COUNT;
    for (let time = 0; time < run.times; time += 1) {
      await uploadRows(browser, BAY, invoiceRows(COUNT, { prefix: "", firstCents: 1_000 + time * COUNT }));
      expect((await untilEnded(browser, BAY)).counts).toMatchObject({ completed: COUNT });
    }
    const { rows } = await sql<{ sent: number; given: number }>`select
      count(*) filter (where draft ? 'DocNumber') as sent, count(distinct qbo_doc_number) as given
      from upload_invoice where realm_id = ${BAY}`.execute(app.db);
    expect(rows).toEqual([{ sent: 0, given: all }]);
    expect(await unlinked(app, BAY)).toEqual([]);
    tell(run, "numbers, given by QuickBooks", { times: run.times, recorded: all });
  },
);

test("an invoice somebody made by hand long before is not taken for ours, though it looks the same", async () => {
  const clock = fastClock(60);
  const app = await startApp({ clock });
  const browser = await app.owner(BAY, PEOPLE[BAY]);
  await liftLimits(app.intuit, BAY);
  const [row] = invoiceRows(1, { prefix: "" });
  await app.intuit.control(`books/${BAY}/Invoice`, byHand({ TxnDate: "2026-11-02" }));
  clock.advance(6 * 3_600_000);
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "batch" }, count: 5 }]);
  const before = (await app.intuit.invoices(BAY)).length;
  await uploadRows(browser, BAY, [row ?? {}]);
  expect((await untilEnded(browser, BAY)).counts).toMatchObject({ completed: 1, problems: 0 });
  expect(await app.intuit.invoices(BAY)).toHaveLength(before + 1);
});

/** An invoice that somebody makes in the books, alike the first of `invoiceRows`. */
const byHand = (fields: object) => ({
  CustomerRef: { value: "1" },
  Line: [{ Amount: 10, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "3" } } }],
  ...fields,
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
