import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkInvoices, readCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { answerUnresolved } from "#features/invoices/post/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { addSeen, postSeen } from "../support/checks.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { finishRun, startRun } from "../support/ledger.ts";
import { invoiceLine, type InvoiceRow, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { startBooks } from "./support/run-books.ts";

const run = battery({ short: 5, long: 40 });
const MINUTE_MS = 60_000;
const LOST = { fault: "committed_answer_lost", match: { operation: "invoice.create" }, once: true };

const open = (realmId: string) => startBooks(realmId, { worker: false });
type Books = Awaited<ReturnType<typeof open>>;

/** The invoice that QuickBooks gets for a row. */
async function readDraft(realmId: string, row: ReturnType<typeof invoiceLine>): Promise<object> {
  const books = await open(realmId);
  await books.upload([row]);
  await books.finish();
  const { rows } = await sql<{ draft: object }>`select draft from upload_invoice`.execute(books.db);
  return rows[0]!.draft;
}

async function undoAll(books: Books): Promise<void> {
  const { id } = await books.newest();
  const undo = { params: { upload_id: id }, query: books.query, json: { action: "delete" } };
  await books.browser.call(startUndo, undo);
  await finishRun(books, id, { clock: books.clock }).catch(() => null);
}

const aboutUpload = (books: Books, id: string) => ({ params: { upload_id: id }, query: books.query });

/** Checks a file, answers that equal ones are different invoices, and posts it. @returns the number of questions */
async function postChecked(books: Books, row: InvoiceRow, beforePost = async () => {}): Promise<number> {
  const file = { name: "checked.xlsx", bytes: await invoiceWorkbook([row]) };
  const query = { ...books.query, mode: "invoice" };
  const { id } = (await books.browser.call(checkInvoices, { query, file })).json() as { id: string };
  const read = async () => {
    await finishRun(books, id, { clock: books.clock });
    return (await books.browser.call(readCheck, aboutUpload(books, id))).json() as UploadCheck;
  };
  const found = await read();
  const asked = found.report?.equal_invoices ?? 0;
  if (asked > 0) expect((await addSeen(books.browser, BAY, found)).status).toBe(202);
  const seen = asked > 0 ? await read() : found;
  await beforePost();
  expect((await postSeen(books.browser, BAY, seen)).status).toBe(202);
  await finishRun(books, id, { clock: books.clock });
  return asked;
}

/** Answers whether the only invoice of the newest upload is in QuickBooks. */
async function answer(books: Books, isInBooks: boolean): Promise<void> {
  const { id } = await books.newest();
  const { invoices } = (await books.browser.call(readReceipt, aboutUpload(books, id))).json() as Receipt;
  expect(invoices[0]).toMatchObject({
    state: "unresolved",
    sentence: expect.stringMatching(/the same invoice\?$/),
  });
  const params = { upload_id: id, seq: String(invoices[0]?.seq) };
  const json = { is_in_books: isInBooks };
  expect((await books.browser.call(answerUnresolved, { params, query: books.query, json })).status).toBe(202);
  if (!isInBooks) await finishRun(books, id, { clock: books.clock });
}

type Draft = object;

/** Enters an invoice in the books like a user. */
async function type(books: Books, draft: Draft): Promise<string> {
  const known = new Set((await books.made()).map(({ Id }) => Id));
  await books.intuit.control(`books/${BAY}/Invoice`, draft);
  const typed = (await books.made()).find(({ Id }) => !known.has(Id));
  if (!typed) throw new Error("Nothing was typed.");
  return typed.Id;
}

const lose = (books: Books, fault: string) => books.faults([{ ...LOST, fault }]);
/** From a little more than a call takes. */
const laterMs = (random: () => number) => Math.floor(15_000 + random() * MINUTE_MS);

type Typed = { typed: string; asked: number };
type Place = (books: Books, row: InvoiceRow, draft: Draft, random: () => number) => Promise<Typed>;

/** When a user types an equal invoice. Each @returns that one, and how often the user was asked whether it is the same */
const PLACES: Record<string, Place> = {
  "before it": async (books, row, draft, random) => {
    const typed = await type(books, draft);
    books.clock.advance(Math.floor(random() * 5 * MINUTE_MS));
    return { typed, asked: await postChecked(books, row) };
  },
  "before it, and its answer is lost": async (books, row, draft, random) => {
    const typed = await type(books, draft);
    books.clock.advance(Math.floor(random() * 5 * MINUTE_MS) + 5_000);
    const beforePost = async () => void (await lose(books, "committed_answer_lost"));
    return { typed, asked: await postChecked(books, row, beforePost) };
  },
  "before it, and its process dies": async (books, row, draft, random) => {
    const typed = await type(books, draft);
    books.clock.advance(Math.floor(random() * 5 * MINUTE_MS) + 5_000);
    await books.upload([row]);
    const { id } = await books.newest();
    await startRun(books, id, 1, { tookOver: true });
    const { results } = await books.newest();
    expect(results[0]?.message).toContain("QuickBooks has an identical invoice");
    return { typed, asked: 1 };
  },
  "after its call was lost, which made nothing": async (books, row, draft, random) => {
    await lose(books, "503");
    await books.upload([row]);
    await books.run();
    books.clock.advance(laterMs(random));
    const typed = await type(books, draft);
    await books.finish();
    await answer(books, false);
    return { typed, asked: 1 };
  },
  "after its answer was lost": async (books, row, draft, random) => {
    await lose(books, "committed_answer_lost");
    await books.upload([row]);
    await books.run();
    books.clock.advance(laterMs(random));
    const typed = await type(books, draft);
    await books.finish();
    await answer(books, true);
    return { typed, asked: 1 };
  },
};

test(
  `of ${run.times} uploads around which a user typed an equal invoice, none adopts it, each asks, and no undo touches it`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const row = invoiceLine("");
    const draft = await readDraft(BAY, row);
    const places = Object.values(PLACES);
    const counts = { uploads: 0, asked: 0, adopted: 0, undone: 0, doubled: 0 };
    for (let time = 0; time < run.times; time += 1) {
      const books = await open(BAY);
      const { typed, asked } = await places[time % places.length]!(books, row, draft, random);
      counts.asked += asked;
      const made = await books.made();
      const { rows } = await sql<{
        id: string;
      }>`select qbo_id as id from ledger_entry where qbo_id is not null`.execute(books.db);
      const ours = rows.map(({ id }) => id);
      counts.uploads += 1;
      if (made.length > 2) counts.doubled += 1;
      if (ours.includes(typed)) counts.adopted += 1;
      await undoAll(books);
      if (!(await books.made()).some(({ Id }) => Id === typed)) counts.undone += 1;
    }
    printCounts(run, "typed-invoices", counts);
    expect(counts).toEqual({ uploads: run.times, asked: run.times, adopted: 0, undone: 0, doubled: 0 });
  },
);

test("an equal invoice with the same number that a user typed minutes before stays that user's: the row says that its number is taken", async () => {
  const row = invoiceLine("T-7");
  const draft = await readDraft(ACME, row);
  const books = await open(ACME);
  await books.intuit.control(`books/${ACME}/Invoice`, draft);
  books.clock.advance(2 * MINUTE_MS);
  await books.upload([row]);
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toMatchObject({ completed: 0, problems: 1 });
  expect(results[0]?.message).toContain("Invoice T-7 already exists");
  await undoAll(books);
  expect(await books.made()).toHaveLength(1);
});

test("an invoice typed minutes before that differs in its description blocks no row from being posted", async () => {
  const draft = await readDraft(BAY, invoiceLine("", { "Private Note": "typed" }));
  const books = await open(BAY);
  await books.intuit.control(`books/${BAY}/Invoice`, draft);
  books.clock.advance(2 * MINUTE_MS);
  await books.upload([invoiceLine("")]);
  await books.finish();
  expect((await books.newest()).counts).toMatchObject({ completed: 1, problems: 0 });
  expect(await books.made()).toHaveLength(2);
});

const HOUR_MS = 60 * MINUTE_MS;
const clocks = [
  { what: "10 minutes ahead", aheadMs: 10 * MINUTE_MS, jumpMs: 0 },
  { what: "10 minutes behind", aheadMs: -10 * MINUTE_MS, jumpMs: 0 },
  { what: "set two days ahead after the calls", aheadMs: 0, jumpMs: 48 * HOUR_MS },
  { what: "set two days back after the calls", aheadMs: 0, jumpMs: -48 * HOUR_MS },
];
test.each(clocks.flatMap((clock) => [ACME, BAY].map((realmId) => ({ ...clock, realmId }))))(
  "with a clock $what, invoices of $realmId whose answers were lost are found as they were sent",
  async ({ realmId, aheadMs, jumpMs }) => {
    const books = await open(realmId);
    await books.intuit.control("clock", { advanceMs: -aheadMs });
    await books.faults([{ fault: "committed_answer_lost", match: { path: "/(batch|invoice)$" }, count: 5 }]);
    await books.upload(invoiceRows(5, { prefix: realmId === ACME ? "T" : "" }));
    await books.run();
    const { id } = await books.newest();
    books.clock.advance(jumpMs);
    // QuickBooks' clock follows the test's.
    await books.intuit.control("clock", { advanceMs: -jumpMs });
    await finishRun(books, id, { clock: books.clock, longestMs: 72 * HOUR_MS });
    // Read here: after two days its user is signed out.
    const { rows } = await sql<{ state: string }>`select state from ledger_entry`.execute(books.db);
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "posted"));
    expect(await books.made()).toHaveLength(5);
  },
);

test("invoices that a backup from before their upload has forgotten are asked about and none is created twice", async () => {
  const books = await open(BAY);
  const rows = invoiceRows(34, { prefix: "" });
  await books.upload(rows);
  await books.finish();
  for (const table of ["write", "upload_invoice", "upload"])
    await sql`delete from ${sql.table(table)}`.execute(books.db);
  await sql`delete from run where realm_id <> ''`.execute(books.db);
  books.clock.advance(20 * MINUTE_MS);
  await books.upload(rows);
  await books.finish();
  const { invoices, results } = await books.newest();
  expect(invoices).toMatchObject({ total: 34, posted: 0, skipped: 34 });
  expect(results[0]?.message).toContain("QuickBooks has an identical invoice");
  expect(await books.made()).toHaveLength(34);
});

test("invoices whose numbers were changed in the books while the answer of their batch was lost are not created twice", async () => {
  const books = await open(ACME);
  await books.faults([{ fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 }]);
  await books.upload(invoiceRows(3, { prefix: "R" }));
  await books.run();
  for (const { Id, DocNumber } of await books.made())
    await books.intuit.control(`books/${ACME}/Invoice/${Id}`, { DocNumber: `${DocNumber}-new` });
  await books.finish();
  expect((await books.newest()).counts).toMatchObject({ completed: 3, problems: 0 });
  expect(await books.made()).toHaveLength(3);
  const { rows } = await sql<{ number: string }>`select qbo_doc_number as number from ledger_entry`.execute(
    books.db,
  );
  expect(rows.map(({ number }) => number).toSorted()).toEqual(["R-1-new", "R-2-new", "R-3-new"]);
});

test("for numbered invoices deleted in the books while the answer of their batch was lost, each row says what is there", async () => {
  const books = await open(ACME);
  await books.faults([{ fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 }]);
  await books.upload(invoiceRows(2, { prefix: "D" }));
  await books.run();
  const [first] = await books.made();
  await books.intuit.control(`books/${ACME}/invoice/${first?.Id}/delete`, {});
  await books.finish();
  const { rows } = await sql<{ id: string; number: string }>`select qbo_id as id, qbo_doc_number as number
    from ledger_entry where state = 'posted' order by seq`.execute(books.db);
  const made = (await books.made()).map(({ Id: id, DocNumber: number }) => ({ id, number }));
  expect((await books.newest()).counts).toMatchObject({ total: 2, completed: rows.length });
  expect(rows.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(made);
});

test("for an invoice without a number that was deleted in the books while its answer was lost, the row says so", async () => {
  const books = await open(BAY);
  await lose(books, "committed_answer_lost");
  await books.upload([invoiceLine("")]);
  await books.run();
  const [first] = await books.made();
  await books.intuit.control(`books/${BAY}/invoice/${first?.Id}/delete`, {});
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toMatchObject({ completed: 0, problems: 1 });
  expect(results[0]?.message).toContain(
    `QuickBooks created this invoice as ${first?.DocNumber}, but it was deleted there`,
  );
  expect(await books.made()).toHaveLength(0);
});

test("an unresolved invoice is searched for at the next upload, among what was created during its call, and then no more", async () => {
  const books = await open(BAY);
  await books.upload([invoiceLine("")]);
  await books.finish();
  const [made] = await books.made();
  await books.intuit.control(`books/${BAY}/invoice/${made?.Id}/delete`, {});
  await sql`update write set state = 'unresolved', vendor_id = null, answer = null`.execute(books.db);
  books.clock.advance(HOUR_MS);
  const bounded = async () =>
    (await books.sent("query")).filter((entry) =>
      /CreateTime <= /.test(decodeURIComponent(JSON.stringify(entry).replaceAll("+", " "))),
    );
  for (const customer of ["Red Rock Diner", "Cool Cars"]) {
    await books.upload([invoiceLine("", { Customer: customer, Qty: 3, Amount: 59.85 })]);
    await books.finish();
    expect(await bounded()).toHaveLength(1);
  }
});

test("a search for equal invoices that Intuit refuses for good blocks no upload from being posted", async () => {
  const books = await open(BAY);
  await books.faults([{ fault: "code", code: "4001", match: { path: "/query$" }, everyN: 6, count: 1 }]);
  await books.upload([invoiceLine("")]);
  await books.finish();
  const refused = (await books.sent("query")).filter(({ fault }) => fault !== null);
  expect(refused).toMatchObject([{ query: { query: expect.stringContaining("CustomerRef in") } }]);
  expect((await books.newest()).counts).toMatchObject({ completed: 1, problems: 0 });
});

test.each(["4000", "4001"])(
  "a search that Intuit refuses for good (%s) ends: what is in doubt is unresolved, the other rows are posted",
  async (code) => {
    const books = await open(BAY);
    await books.faults([LOST]);
    await books.upload([invoiceLine("")]);
    await books.run();
    await books.noFaults();
    await books.faults([{ fault: "code", code, match: { path: "/query$" } }]);
    await books.finish();
    const { counts, results } = await books.newest();
    expect(counts).toMatchObject({ completed: 0, problems: 1, open: 0 });
    expect(results[0]?.message).toContain("Look for it in QuickBooks before you send it again.");
    expect(await books.made()).toHaveLength(1);
  },
);
