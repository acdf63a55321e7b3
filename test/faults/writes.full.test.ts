import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME, BAY } from "../support/intuit.ts";
import { steppedClock, type SteppedClock } from "../support/stepped-clock.ts";
import { reopenRun, startRun } from "../support/ledger.ts";
import { invoiceLine, invoiceRows } from "../support/workbooks.ts";
import { compareBooks } from "./support/invoices.ts";
import { startBooks } from "./support/run-books.ts";

const HOUR_MS = 3_600_000;

type Books = Awaited<ReturnType<typeof startBooks>>;

const open = (realmId: string, clock: SteppedClock = steppedClock()) =>
  startBooks(realmId, { worker: false, clock });
const companies = [
  { numbers: "of the sheet", realmId: ACME, prefix: "W", operation: "batch" },
  { numbers: "given by QuickBooks", realmId: BAY, prefix: "", operation: "invoice.create" },
] as const;

const once = (count: number) => ({ once: count, missing: 0, doubled: 0, strangers: 0 });
const posted = (count: number) => ({ total: count, completed: count, problems: 0, open: 0 });

/** From now on Intuit does not know the request ids of what was sent. */
const forgetRequests = ({ db }: Books) =>
  sql`update write set request_id = 'forgotten ' || seq where state = 'sent'`.execute(db);

test.each(companies)(
  "a batch is sent once and has no request id; a single call has the request id of its invoice (numbers $numbers)",
  async ({ realmId, prefix, operation }) => {
    // Its calls are concurrent. A wait of one that is skipped would be ten seconds of another one's call, and an invoice made
    // so late is asked about.
    const books = await open(realmId);
    const rows = invoiceRows(60, { prefix });
    await books.faults([
      { fault: "committed_answer_lost", match: { operation }, everyN: 3 },
      { fault: "503", match: { operation }, everyN: 4 },
    ]);
    await books.upload(rows);
    await books.finish();
    expect((await books.newest()).counts).toEqual(posted(60));
    expect(compareBooks(await books.made(), rows)).toEqual(once(60));
    expect((await books.sent("batch")).filter(({ requestid }) => requestid)).toEqual([]);
    const { rows: ids } = await sql<{ request_id: string }>`select request_id from write`.execute(books.db);
    const known = new Set(ids.map(({ request_id }) => request_id));
    expect(known.size).toBe(60);
    const alone = await books.sent("invoice.create");
    expect(alone.filter(({ requestid }) => !known.has(String(requestid)))).toEqual([]);
  },
);

test.each(companies)(
  "an invoice whose response was lost and whose request was forgotten is found and not created twice (numbers $numbers)",
  async ({ realmId, prefix, operation }) => {
    const books = await open(realmId);
    const rows = invoiceRows(4, { prefix });
    await books.faults([{ fault: "committed_answer_lost", match: { operation }, count: 4 }]);
    await books.upload(rows);
    await books.run();
    await forgetRequests(books);
    await books.noFaults();
    await books.finish();
    expect((await books.newest()).counts).toEqual(posted(4));
    expect(compareBooks(await books.made(), rows)).toEqual(once(4));
  },
);

test.each(companies)(
  "an invoice that was not created is sent again, but not before QuickBooks' own time-out has passed (numbers $numbers)",
  async ({ realmId, prefix, operation }) => {
    const books = await open(realmId);
    await books.faults([{ fault: "503", match: { operation }, count: 1 }]);
    await books.upload(invoiceRows(2, { prefix }));
    const waitedMs = await books.finish();
    expect(waitedMs).toBeGreaterThanOrEqual(realmId === ACME ? 115_000 : 415_000);
    expect((await books.newest()).counts).toEqual(posted(2));
    expect(await books.made()).toHaveLength(2);
  },
);

test("one invoice in doubt holds up no others", async () => {
  const books = await open(BAY);
  await books.faults([{ fault: "503", match: { operation: "invoice.create" }, count: 1 }]);
  await books.upload(invoiceRows(20, { prefix: "" }));
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 19, open: 1 });
});

test.each([
  { numbers: "of the sheet", realmId: ACME, prefix: "W", first: "batch.item" },
  { numbers: "given by QuickBooks", realmId: BAY, prefix: "", first: "invoice.create" },
])(
  "an invoice that QuickBooks never answers is unresolved after some hours, and the others are posted (numbers $numbers)",
  async ({ realmId, prefix, first }) => {
    const books = await open(realmId);
    await books.faults([{ fault: "code", code: "10000", match: { operation: first }, count: 2 }]);
    await books.upload(invoiceRows(10, { prefix }));
    await books.run();
    await books.faults([{ fault: "503", match: { operation: "invoice.create" } }]);
    const waitedMs = await books.finish();
    expect(waitedMs).toBeGreaterThan(4 * HOUR_MS);
    expect(waitedMs).toBeLessThan(12 * HOUR_MS);
    const { counts, results } = await books.newest();
    expect(counts).toEqual({ total: 10, completed: 8, problems: 2, open: 0 });
    const messages = results.map(({ message }) => message).join("\n");
    expect(messages).toContain("QuickBooks gave no clear answer");
    expect(await books.made()).toHaveLength(8);
  },
);

test("a batch that QuickBooks refuses is sent one invoice at a time, and only the faulty invoice is rejected", async () => {
  const books = await open(ACME);
  const detail = "Unsupported property";
  await books.faults([
    { fault: "code", code: "2010", detail, match: { operation: "batch" } },
    { fault: "code", code: "2010", detail, match: { operation: "invoice.create" }, once: true },
  ]);
  const rows = invoiceRows(30, { prefix: "B" });
  await books.upload(rows);
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 30, completed: 29, problems: 1, open: 0 });
  expect(results.find(({ status }) => status === 3)?.message).toContain(detail);
  expect(compareBooks(await books.made(), rows)).toMatchObject({ once: 29, missing: 1, doubled: 0 });
});

test("when the subscription ends while the invoices of a refused batch go one at a time, no more of them are sent", async () => {
  const books = await open(ACME);
  await books.faults([
    { fault: "code", code: "2010", detail: "Unsupported property", match: { operation: "batch" } },
    { fault: "code", code: "6190", detail: "ended", match: { operation: "invoice.create" } },
  ]);
  await books.upload(invoiceRows(25, { prefix: "E" }));
  await books.finish();
  expect(await books.sent("invoice.create")).toHaveLength(1);
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 25, completed: 0, problems: 25, open: 0 });
  const messages = new Set(results.map(({ message }) => message));
  expect([...messages]).toEqual([
    expect.stringContaining("Not posted: the company's QuickBooks subscription has ended."),
  ]);
});

test("once 200 invoices are in doubt no more are sent until some are settled", async () => {
  const books = await open(ACME);
  const rows = invoiceRows(500, { prefix: "D" });
  // A few in each batch get a clear answer, so it does not count as an outage.
  await books.faults([
    { fault: "code", code: "10000", match: { operation: "batch.item" }, probability: 0.8, seed: 7 },
  ]);
  await books.upload(rows);
  await books.run();
  const { rows: states } = await sql<{ state: string; n: number }>`select state, count(*) as n from write
    group by state`.execute(books.db);
  const count = Object.fromEntries(states.map(({ state, n }) => [state, n]));
  expect(count["sent"]).toBeGreaterThanOrEqual(200);
  expect(count["sent"]).toBeLessThan(200 + 3 * 25);
  expect(count["planned"]).toBeGreaterThan(0);
  await books.noFaults();
  await books.finish();
  expect((await books.newest()).counts).toEqual(posted(500));
  expect(compareBooks(await books.made(), rows)).toEqual(once(500));
});

test("an upload whose summary cannot be written while its invoices are sent posts each of them", async () => {
  const books = await open(BAY);
  const rows = invoiceRows(3, { prefix: "" });
  await books.upload(rows);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if exists (select from write where state = 'sent') then raise 'no summary now'; end if; return new; end $$`.execute(
    books.db,
  );
  await sql`create trigger refuse before update of summary on upload for each row execute function refuse()`.execute(
    books.db,
  );
  await books.run();
  expect((await books.newest()).counts).toEqual(posted(3));
  expect(compareBooks(await books.made(), rows)).toEqual(once(3));
});

test("when the subscription ends, invoices never sent are reported as not posted, and those in doubt as unresolved", async () => {
  const books = await open(BAY);
  await books.faults([
    { fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 1 },
    { fault: "code", code: "6190", detail: "ended", match: { operation: "invoice.create" } },
  ]);
  await books.upload(invoiceRows(6, { prefix: "" }));
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 6, completed: 0, problems: 6, open: 0 });
  const messages = results.map(({ message }) => message).join("\n");
  expect(messages).toContain("gave no clear answer before the upload stopped");
  expect(messages).toContain("Not posted: the company's QuickBooks subscription has ended.");
  expect(await books.made()).toHaveLength(1);
});

test("our own invoices, stored differently than sent, with lost responses and forgotten requests, are never reported as another user's numbers", async () => {
  const books = await open(ACME);
  await books.upload(invoiceRows(2, { prefix: "R" }));
  await books.faults([
    { fault: "altered_rate", match: { operation: "batch.item" } },
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
  ]);
  await books.run();
  await books.noFaults();
  await forgetRequests(books);
  await books.finish();
  const { results } = await books.newest();
  expect(results.map(({ message }) => message)).toEqual([
    expect.stringContaining("It may be this invoice"),
    expect.stringContaining("It may be this invoice"),
  ]);
  expect(await books.made()).toHaveLength(2);
});

test("our own invoices, sent while our clock was an hour ahead, are never reported as another user's numbers", async () => {
  const books = await open(ACME);
  await books.upload(invoiceRows(2, { prefix: "CL" }));
  await books.faults([{ fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 }]);
  await books.run();
  await sql`update write set first_sent_at = first_sent_at + interval '1 h',
    last_sent_at = last_sent_at + interval '1 h'`.execute(books.db);
  await books.finish();
  expect((await books.newest()).counts).toEqual(posted(2));
  expect(await books.made()).toHaveLength(2);
});

test("our own invoice that no query shows yet is recognized by the id in QuickBooks' duplicate-number error", async () => {
  const books = await open(ACME);
  await books.intuit.control("settings", { queryLagS: 86_400 }, "PATCH");
  await books.upload(invoiceRows(1, { prefix: "LAG" }));
  await books.faults([{ fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 1 }]);
  await books.run();
  await books.noFaults();
  await forgetRequests(books);
  await books.finish();
  expect((await books.newest()).counts).toEqual(posted(1));
  expect(await books.made()).toHaveLength(1);
});

test("a number that another user took meanwhile is reported as taken", async () => {
  const books = await open(ACME);
  await books.upload([invoiceLine("LAGS-1", { Customer: "Red Rock Diner" })]);
  await books.faults([{ fault: "503", match: { operation: "invoice.create" }, count: 1 }]);
  await books.run();
  const { rows } = await sql<{ draft: { CustomerRef: object } }>`select draft from upload_invoice`.execute(
    books.db,
  );
  await books.intuit.control(`books/${ACME}/Invoice`, { ...rows[0]?.draft, CustomerRef: { value: "5" } });
  await books.finish();
  expect((await books.newest()).results[0]?.message).toContain("The number LAGS-1 is already in QuickBooks.");
});

test.each([
  { what: "differ in their notes alone", notes: ["one", "two", "three"] },
  { what: "are equal", notes: ["same", "same", "same"] },
])(
  "invoices without numbers that $what are each created once, whichever answers were lost",
  async ({ notes }) => {
    const books = await open(BAY);
    const rows = notes.flatMap((note) => [
      invoiceLine("", { "Private Note": note }),
      invoiceLine("", { Customer: "Red Rock Diner" }),
    ]);
    await books.faults([
      { fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 1 },
      { fault: "503", match: { operation: "invoice.create" }, count: 1 },
    ]);
    await books.upload(rows);
    await books.finish();
    const made = await books.made();
    expect((await books.newest()).counts).toEqual(posted(6));
    expect(made).toHaveLength(6);
    expect(made.flatMap(({ PrivateNote }) => PrivateNote ?? []).toSorted()).toEqual(notes.toSorted());
  },
);

test("an equal invoice entered by hand long before is not mistaken for one that QuickBooks did not create", async () => {
  const books = await open(BAY);
  const rows = invoiceRows(1, { prefix: "" });
  await books.upload(rows);
  await books.faults([{ fault: "revoked", match: { operation: "invoice.create" }, once: true }]);
  await books.run();
  await books.enterByHand();
  books.clock.advance(HOUR_MS);
  await books.noFaults();
  await books.connect();
  await books.finish();
  expect(await books.made()).toHaveLength(2);
  expect((await books.newest()).counts).toEqual(posted(1));
});

test.each(companies)(
  "a ledger restored from a copy made during an upload posts nothing twice, though its request ids are forgotten (numbers $numbers)",
  async ({ realmId, prefix }) => {
    const books = await open(realmId);
    const rows = invoiceRows(40, { prefix });
    await books.upload(rows);
    await books.finish();
    expect(compareBooks(await books.made(), rows)).toEqual(once(40));
    // As the copy has it: planned, held by a process that is gone, and Intuit knows none of the ids.
    await sql`update write set state = 'planned', vendor_id = null, answer = null, first_sent_at = null,
      last_sent_at = null, settled_at = null, request_id = 'other ' || seq where seq >= 10`.execute(books.db);
    const { id } = await books.newest();
    await sql`update run set state = 'queued', finished_at = null where subject = ${id}::uuid`.execute(
      books.db,
    );
    await startRun(books, id, 1, { tookOver: true });
    expect((await books.newest()).counts).toEqual(posted(40));
    expect(compareBooks(await books.made(), rows)).toEqual(once(40));
  },
);

test.each(companies)(
  "a ledger restored from a copy made before its check says of each invoice that it is posted, and posts none twice (numbers $numbers)",
  async ({ realmId, prefix }) => {
    const books = await open(realmId);
    const rows = invoiceRows(40, { prefix });
    await books.upload(rows);
    await books.finish();
    const { id } = await books.newest();
    await sql`delete from write`.execute(books.db);
    await sql`delete from upload_invoice`.execute(books.db);
    await sql`update upload set stage = 'confirmed'`.execute(books.db);
    await reopenRun(books.db, id);
    await startRun(books, id, 1, { tookOver: true });
    expect(compareBooks(await books.made(), rows)).toEqual(once(40));
    expect((await books.newest()).counts).toEqual(posted(40));
  },
);

/** Makes an upload's ledger what a copy of it is: planned, held by a process that is gone, and Intuit knows none of the ids. */
async function restore({ db, newest }: Books): Promise<string> {
  await sql`update write set state = 'planned', vendor_id = null, answer = null, first_sent_at = null,
    last_sent_at = null, settled_at = null, request_id = 'other ' || seq`.execute(db);
  const { id } = await newest();
  await sql`update run set state = 'queued', finished_at = null where subject = ${id}::uuid`.execute(db);
  return id;
}

test.each(companies)(
  "a ledger restored from a copy in which invoices are in doubt posts none of them twice, however long after it they were created (numbers $numbers)",
  async ({ realmId, prefix, operation }) => {
    const books = await open(realmId);
    const rows = invoiceRows(3, { prefix });
    await books.faults([{ fault: "503", match: { operation }, count: 3 }]);
    await books.upload(rows);
    await books.run();
    await sql`create table copied_write as select * from write where state = 'sent'`.execute(books.db);
    books.clock.advance(2 * HOUR_MS);
    await books.noFaults();
    await books.finish();
    expect(compareBooks(await books.made(), rows)).toEqual(once(3));
    books.clock.advance(2 * HOUR_MS);
    await sql`delete from write`.execute(books.db);
    await sql`update copied_write set request_id = 'other ' || seq`.execute(books.db);
    await sql`insert into write select * from copied_write`.execute(books.db);
    const { id } = await books.newest();
    await reopenRun(books.db, id);
    await startRun(books, id, 1, { tookOver: true });
    expect((await books.newest()).counts).toEqual(posted(3));
    expect(compareBooks(await books.made(), rows)).toEqual(once(3));
  },
);

test.each(companies)(
  "a restored ledger posts nothing twice when the first search after it fails (numbers $numbers)",
  async ({ realmId, prefix }) => {
    const books = await open(realmId);
    const rows = invoiceRows(4, { prefix });
    await books.upload(rows);
    await books.finish();
    const id = await restore(books);
    await books.faults([{ fault: "503", match: { operation: "query" } }]);
    await startRun(books, id, 1, { tookOver: true });
    await books.noFaults();
    await books.finish();
    expect((await books.newest()).counts).toEqual(posted(4));
    expect(compareBooks(await books.made(), rows)).toEqual(once(4));
  },
);

test("a restored ledger whose company can no longer be searched says for each invoice that it may be there", async () => {
  const books = await open(BAY);
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.finish();
  const id = await restore(books);
  await books.faults([{ fault: "code", code: "6190", match: { operation: "query" } }]);
  await startRun(books, id, 1, { tookOver: true });
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 2, completed: 0, problems: 2, open: 0 });
  expect(results.map(({ message }) => message)).toEqual([
    expect.stringContaining("Look for it in QuickBooks before you send it again."),
  ]);
  await books.noFaults();
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.finish();
  expect(await books.made()).toHaveLength(2);
});
