import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { ACME, BAY } from "../support/intuit.ts";
import { startBooks } from "./support/run-books.ts";
import { invoiceLine, invoiceRows } from "../support/workbooks.ts";

const MINUTE_MS = 60_000;
const COOL_CARS = "5";

type Books = Awaited<ReturnType<typeof startBooks>>;

/** From now on a query shows nothing that was written since. @returns what lets it show all again */
async function lag({ app }: { app: Books }) {
  const set = (queryLagS: number) => app.intuit.control("settings", { queryLagS }, "PATCH");
  await set(86_400);
  onTestFinished(async () => {
    await set(0);
  });
  return () => set(0);
}

/** An upload of one invoice that QuickBooks made; its answer was lost, and the request is forgotten. */
async function loseAnswer(books: Books, ...faults: object[]) {
  await books.faults([
    ...faults,
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
    { fault: "503", match: { operation: "batch" } },
  ]);
  await books.run();
  await books.noFaults();
  await sql`update upload_invoice set batch_id = 'forgotten' where state = 'sending'`.execute(books.db);
}

test("our own invoice that no query shows yet is recognised by the id that QuickBooks names when it calls its number taken", async () => {
  const books = await startBooks(ACME, { worker: false });
  await lag({ app: books });
  await books.upload(invoiceRows(1, { prefix: "LAG" }));
  await loseAnswer(books);
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(1);
});

test("kept otherwise than sent, and shown by no query yet, it is not told as somebody else's number", async () => {
  const books = await startBooks(ACME, { worker: false });
  await lag({ app: books });
  await books.upload(invoiceRows(1, { prefix: "LAGA" }));
  await loseAnswer(books, { fault: "altered_rate", match: { operation: "batch.item" } });
  await books.run();
  const [result] = (await books.newest()).results;
  expect(result?.message).toContain("It may be this invoice");
  expect(await books.made()).toHaveLength(1);
});

test("a number that somebody else took meanwhile is told as taken, though no query shows whose it is", async () => {
  const books = await startBooks(ACME, { worker: false });
  await lag({ app: books });
  await books.upload([invoiceLine("LAGS-1", { Customer: "Red Rock Diner" })]);
  await books.faults([{ fault: "503", match: { operation: "batch" } }]);
  await books.run();
  const { rows } = await sql<{ draft: object }>`select draft from upload_invoice`.execute(books.db);
  await books.intuit.control(`books/${ACME}/Invoice`, {
    ...rows[0]?.draft,
    CustomerRef: { value: COOL_CARS },
  });
  await books.noFaults();
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("Change the Invoice No");
});

test("an invoice refused at a repeat stays open until a query would show what its first try made", async () => {
  const books = await startBooks(BAY, { worker: false });
  const showAll = await lag({ app: books });
  await books.upload([invoiceLine("", { "Invoice Date": "2026-11-06" })]);
  const alone = { operation: "invoice.create" };
  await books.faults([
    { fault: "code", code: "10000", match: { operation: "batch.item" }, once: true },
    { fault: "committed_answer_lost", match: alone, once: true },
    { fault: "code", code: "6000", detail: "business rule", match: alone },
  ]);
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 0, problems: 0, open: 1 });
  await showAll();
  books.clock.advance(5 * MINUTE_MS);
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(1);
});

test.each([
  ["as an item of its batch", []],
  [
    "alone, after QuickBooks failed to make it",
    [{ fault: "code", code: "10000", match: { operation: "batch.item" }, once: true }],
  ],
])(
  "where QuickBooks gives the numbers and calls its own one taken %s, whose it is is not taken for ours, and the sentence says what to do",
  async (_, failed) => {
    const books = await startBooks(BAY, { worker: false });
    await lag({ app: books });
    const day = { "Invoice Date": "2026-11-12" };
    await books.upload([invoiceLine("", day)]);
    await books.faults([{ fault: "503", match: { operation: "batch" } }]);
    await books.run();
    await books.noFaults();
    const { rows } = await sql<{ draft: object }>`select draft from upload_invoice`.execute(books.db);
    await books.intuit.control(`books/${BAY}/Invoice`, { ...rows[0]?.draft, PrivateNote: "theirs" });
    const [theirs] = await books.made();
    const detail = `DocNumber=1 is assigned to TxnType=Invoice with TxnId=${theirs?.Id}`;
    const taken = { fault: "code", code: "6140", detail };
    await books.faults([
      ...failed,
      { ...taken, match: { operation: "batch.item" } },
      { ...taken, match: { operation: "invoice.create" } },
    ]);
    await books.run();
    books.clock.advance(5 * MINUTE_MS);
    await books.run();
    const { counts, results } = await books.newest();
    expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
    expect(results[0]?.message).toContain("QuickBooks gave this invoice a number that is taken");
    expect(await books.made()).toHaveLength(1);
  },
);
