import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME, BAY, type BooksInvoice } from "../support/intuit.ts";
import { fastClock } from "../support/fast-clock.ts";
import { startBooks } from "./support/run-books.ts";
import { compareBooks } from "./support/invoices.ts";
import { invoiceLine, invoiceRows } from "../support/workbooks.ts";

const HOUR_MS = 3_600_000;
const BATCH_ITEM_FAILS = {
  fault: "code",
  code: "10000",
  match: { operation: "batch.item" },
};

test("an invoice on its way alone when another worker takes the upload is made once, where QuickBooks gives the numbers too", async () => {
  const books = await startBooks(BAY, { clock: fastClock(60), worker: false });
  await books.faults([
    { ...BATCH_ITEM_FAILS, once: true },
    { fault: "latency", ms: 2_000, match: { operation: "invoice.create" } },
  ]);
  const rows = invoiceRows(2, { prefix: "" });
  await books.upload(rows);
  const late = books.run();
  await expect.poll(() => books.fired("invoice.create")).toBe(1);
  await Promise.all([expect(late).rejects.toThrow("taken by another worker"), books.run()]);
  while ((await books.newest()).counts.open > 0) await books.run();
  expect((await books.newest()).counts).toEqual({ total: 2, completed: 2, problems: 0, open: 0 });
  expect(compareBooks(await books.made(), rows)).toEqual({ once: 2, missing: 0, doubled: 0, strangers: 0 });
  expect(await books.sent("batch")).toHaveLength(1);
});

test("an invoice that QuickBooks will not take alone for a while waits and is posted under the same request", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload(invoiceRows(1, { prefix: "S" }));
  await books.faults([
    { ...BATCH_ITEM_FAILS, once: true },
    { fault: "503", match: { operation: "invoice.create" } },
  ]);
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 0, problems: 0, open: 1 });
  await books.noFaults();
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(1);
  const requests = (await books.sent("invoice.create")).map(({ requestid }) => requestid);
  expect(new Set(requests).size).toBe(1);
  expect(await books.sent("batch")).toHaveLength(1);
});

test("what QuickBooks never answers, though it answers else, is settled after some hours by what is in the books", async () => {
  const books = await startBooks(ACME, { worker: false });
  const rows = invoiceRows(50, { prefix: "P" });
  await books.upload(rows);
  // Whichever of the two batches comes first is made.
  await books.faults([
    { fault: "committed_500", match: { operation: "batch" }, count: 1 },
    { fault: "500", match: { operation: "batch" } },
  ]);
  let waitedMs = 0;
  while ((await books.newest()).counts.open > 0) {
    expect(waitedMs).toBeLessThan(8 * HOUR_MS);
    const waitMs = (await books.run()) ?? 0;
    books.clock.advance(waitMs);
    waitedMs += waitMs;
  }
  expect(waitedMs).toBeGreaterThan(4 * HOUR_MS);
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 50, completed: 25, problems: 25, open: 0 });
  expect(results.map(({ message }) => message).join(" ")).toContain(
    "Look for it in QuickBooks before you send it again.",
  );
  expect(compareBooks(await books.made(), rows)).toMatchObject({ once: 25, doubled: 0, strangers: 0 });
});

test("where QuickBooks answers no batch, three of them are left to be settled and the rest of the upload is posted", async () => {
  const books = await startBooks(ACME, { worker: false });
  const rows = invoiceRows(80, { prefix: "K" });
  await books.upload(rows);
  await books.faults([{ fault: "500", match: { operation: "batch" } }]);
  await books.run();
  const count = async (state: string) => {
    const found = await sql<{ n: number }>`select count(*) as n from upload_invoice
      where state = ${state}`.execute(books.db);
    return Number(found.rows[0]?.n);
  };
  expect([await count("sending"), await count("ready")]).toEqual([75, 5]);
  // As after all the rounds but one.
  await sql`update upload_invoice set vain_rounds = 15 where state = 'sending'`.execute(books.db);
  await books.run();
  await books.noFaults();
  await books.run();
  expect((await books.newest()).counts).toEqual({ total: 80, completed: 5, problems: 75, open: 0 });
  expect(await books.made()).toHaveLength(5);
});

test("a batch that QuickBooks clearly refuses as a whole goes out one by one, and only the faulty invoice is rejected", async () => {
  const books = await startBooks(ACME);
  await books.faults([
    { fault: "code", code: "2010", detail: "Unsupported property", match: { operation: "batch" } },
    {
      fault: "code",
      code: "2010",
      detail: "Unsupported property",
      match: { operation: "invoice.create" },
      once: true,
    },
  ]);
  const rows = invoiceRows(30, { prefix: "B" });
  await books.upload(rows);
  const upload = await books.settled();
  expect(upload?.counts).toEqual({ total: 30, completed: 29, problems: 1, open: 0 });
  expect(upload?.results.find(({ status }) => status === 3)?.message).toContain("Unsupported property");
  expect(compareBooks(await books.made(), rows)).toMatchObject({ once: 29, missing: 1, doubled: 0 });
});

const BATCH_TURNED_AWAY = {
  fault: "code",
  code: "2010",
  detail: "Unsupported property",
  match: { operation: "batch" },
};

test("a batch that QuickBooks refused as a whole goes on one by one when another worker takes the upload", async () => {
  const books = await startBooks(ACME, { clock: fastClock(60), worker: false });
  await books.faults([
    BATCH_TURNED_AWAY,
    { fault: "latency", ms: 800, match: { operation: "invoice.create" } },
  ]);
  const rows = invoiceRows(6, { prefix: "T" });
  await books.upload(rows);
  const late = books.run();
  await expect.poll(() => books.fired("invoice.create")).toBe(2);
  await Promise.all([expect(late).rejects.toThrow("taken by another worker"), books.run()]);
  for (let again = 0; again < 3 && (await books.newest()).counts.open > 0; again += 1) await books.run();
  expect((await books.newest()).counts).toEqual({ total: 6, completed: 6, problems: 0, open: 0 });
  expect(compareBooks(await books.made(), rows)).toEqual({ once: 6, missing: 0, doubled: 0, strangers: 0 });
  expect(await books.sent("batch")).toHaveLength(1);
});

test("when the subscription ends while a refused batch goes out one by one, only what may be stored is told as unknown", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.faults([
    BATCH_TURNED_AWAY,
    { fault: "503", match: { operation: "invoice.create" }, count: 4 },
    { fault: "code", code: "6190", detail: "ended", match: { operation: "invoice.create" } },
  ]);
  await books.upload(invoiceRows(6, { prefix: "E" }));
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 6, completed: 0, problems: 6, open: 0 });
  expect(results.map(({ rows, message }) => [rows, message])).toEqual([
    ["2", expect.stringContaining("gave no clear answer before the upload stopped")],
    ["3-7", expect.stringContaining("Not posted: the company's QuickBooks subscription has ended.")],
  ]);
  expect(await books.made()).toHaveLength(0);
});

test("our own invoice, kept otherwise than sent, its answer lost and its request forgotten, is never told as somebody else's number", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload(invoiceRows(1, { prefix: "R" }));
  await books.faults([
    { fault: "altered_rate", match: { operation: "batch.item" } },
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
    { fault: "503", match: { operation: "batch" } },
  ]);
  await books.run();
  expect(await books.made()).toHaveLength(1);
  await books.noFaults();
  // How long Intuit remembers a request is not documented.
  await sql`update upload_invoice set batch_id = 'forgotten'`.execute(books.db);
  await books.run();
  const [result] = (await books.newest()).results;
  expect(result?.message).toContain("It may be this invoice");
  expect(result?.message).not.toContain("Change the Invoice No");
  expect(await books.made()).toHaveLength(1);
});

/** Which note each posted ledger row has, and which one its invoice in the books has. */
async function notesOf({ db }: Pick<Awaited<ReturnType<typeof startBooks>>, "db">, made: BooksInvoice[]) {
  const { rows } = await sql<{
    note: string;
    id: string | null;
  }>`select draft ->> 'PrivateNote' as note, qbo_id as id
    from upload_invoice where draft ->> 'PrivateNote' is not null order by note`.execute(db);
  return rows.map(({ note, id }) => [note, made.find(({ Id }) => Id === id)?.PrivateNote ?? null]);
}

test.each([
  ["differ in their notes alone", ["PO 1", "PO 2"]],
  ["are equal", ["PO 1", "PO 1"]],
])(
  "invoices of one batch that %s are never taken for each other, and each is made once",
  async (_, notes) => {
    const books = await startBooks(BAY, { worker: false });
    await books.upload([
      invoiceLine("", { "Private Note": notes[0] }),
      invoiceLine("", { Customer: "Red Rock Diner" }),
      invoiceLine("", { "Private Note": notes[1] }),
    ]);
    await books.faults([
      { ...BATCH_ITEM_FAILS, count: 1 },
      { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
      { fault: "503", match: { operation: "batch" } },
    ]);
    await books.run();
    await books.noFaults();
    while ((await books.newest()).counts.open > 0) await books.run();
    expect((await books.newest()).counts).toEqual({ total: 3, completed: 3, problems: 0, open: 0 });
    const made = await books.made();
    expect(made).toHaveLength(3);
    expect(await notesOf(books, made)).toEqual(notes.map((note) => [note, note]));
  },
);

test("an invoice of another upload whose end is still open is never taken for one that differs in its note", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("", { "Private Note": "PO 1" })]);
  await books.run();
  const first = await books.newest();
  // As an upload is left whose company lost its connection before QuickBooks had told of its invoice.
  await sql`update upload_invoice set state = 'sending', qbo_id = null`.execute(books.db);
  await sql`update upload set state = 'paused'`.execute(books.db);
  await books.upload([invoiceLine("", { "Private Note": "PO 2" })]);
  await books.faults([{ ...BATCH_ITEM_FAILS, once: true }]);
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 1, open: 0 });
  await books.run(3, first.id);
  const made = await books.made();
  expect(made).toHaveLength(2);
  expect(await notesOf(books, made)).toEqual([
    ["PO 1", "PO 1"],
    ["PO 2", "PO 2"],
  ]);
});

test("an invoice that QuickBooks tells of and another row has already ends as unknown, and the rest is posted", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("", { "Invoice Date": "2026-11-09" })]);
  await books.run();
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.run();
  const [, taken] = await books.made();
  // As after an answer that was lost, when another row was wrongly given the first of the two.
  await sql`update upload_invoice set state = 'sending', qbo_id = null where draft ->> 'TxnDate' <> '2026-11-09'`.execute(
    books.db,
  );
  await sql`update upload_invoice set qbo_id = ${taken?.Id} where state = 'posted'`.execute(books.db);
  await sql`update upload set state = 'paused'`.execute(books.db);
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 2, completed: 1, problems: 1, open: 0 });
  expect(results.map(({ message }) => message).join(" ")).toContain("belongs to other rows already");
});

test("an invoice without a number, kept otherwise than sent and its request forgotten by the next day, is not made twice", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("")]);
  await books.faults([
    { fault: "altered_rate", match: { operation: "batch.item" } },
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1 },
    { fault: "503", match: { operation: "batch" } },
  ]);
  await books.run();
  await books.noFaults();
  await sql`update upload_invoice set batch_id = 'forgotten', sent_at = sent_at - interval '13 hours'`.execute(
    books.db,
  );
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("Look for it in QuickBooks before you send it again.");
  expect(await books.made()).toHaveLength(1);
});

test.each([
  ["with other rates than were sent", true, ["unknown", "posted", "posted"]],
  ["as it was sent", false, ["posted", "posted", "posted"]],
])(
  "an invoice without a number that QuickBooks says it failed to make, and keeps %s, is not made twice",
  async (_, altered, states) => {
    // A day of its own: other tests' invoices in the same books are not this product's.
    const day = { "Invoice Date": altered ? "2026-11-03" : "2026-11-04" };
    const books = await startBooks(BAY, { worker: false });
    await books.upload([
      invoiceLine("", { ...day, "Private Note": "A" }),
      invoiceLine("", { ...day, Customer: "Red Rock Diner" }),
      invoiceLine("", { ...day, "Private Note": "B" }),
    ]);
    await books.faults([{ fault: "committed_500", altered, match: { operation: "batch.item" }, once: true }]);
    await books.run();
    await sql`update upload_invoice set vain_rounds = 15 where state = 'sending'`.execute(books.db);
    await books.run();
    const { rows } = await sql<{ state: string }>`select state from upload_invoice order by seq`.execute(
      books.db,
    );
    expect(rows.map(({ state }) => state)).toEqual(states);
    expect(await books.made()).toHaveLength(3);
  },
);

test("a batch is not repeated for an item that QuickBooks still works on when the answer tells of another that it failed to make", async () => {
  const books = await startBooks(BAY, { worker: false });
  // A day of their own: other tests' invoices in the same books are not this product's.
  const day = { "Invoice Date": "2026-11-10" };
  await books.upload([invoiceLine("", { ...day, Customer: "Red Rock Diner" }), invoiceLine("", day)]);
  await books.faults([
    { fault: "code", code: "600", match: { operation: "batch.item" }, once: true },
    { fault: "committed_500", match: { operation: "batch.item" }, everyN: 2, once: true },
  ]);
  await books.run();
  while ((await books.newest()).counts.open > 0) await books.run();
  expect((await books.newest()).counts).toEqual({ total: 2, completed: 2, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(2);
});

test("what QuickBooks says it failed to make is looked for by the next worker too, and its batch is never asked again", async () => {
  const books = await startBooks(BAY, { clock: fastClock(60), worker: false });
  // A day of their own: other tests' invoices in the same books are not this product's.
  const day = { "Invoice Date": "2026-11-05" };
  await books.upload([invoiceLine("", { ...day, Customer: "Red Rock Diner" }), invoiceLine("", day)]);
  await books.faults([
    { ...BATCH_ITEM_FAILS, once: true },
    { fault: "committed_500", match: { operation: "batch.item" }, everyN: 2, once: true },
    { fault: "latency", ms: 2_000, match: { operation: "invoice.create" } },
  ]);
  const late = books.run();
  await expect.poll(() => books.fired("invoice.create")).toBe(1);
  await Promise.all([expect(late).rejects.toThrow("taken by another worker"), books.run()]);
  while ((await books.newest()).counts.open > 0) await books.run();
  expect((await books.newest()).counts).toEqual({ total: 2, completed: 2, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(2);
  expect(await books.sent("batch")).toHaveLength(1);
});

test("of an upload that waited for days, an equal invoice that a person entered meanwhile is not taken for ours", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("")]);
  await books.faults([{ fault: "503", match: { operation: "batch" } }]);
  await books.run();
  await books.noFaults();
  const waited = sql`interval '49 hours'`;
  await sql`update upload_invoice set sent_at = sent_at - ${waited}, last_sent_at = last_sent_at - ${waited}`.execute(
    books.db,
  );
  await books.enterByHand();
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("Look for it in QuickBooks before you send it again.");
  expect(await books.made()).toHaveLength(1);
});

test.each([
  ["three days after it went out last", 72, ["unknown", "posted"]],
  ["when it went out last", 0, ["posted", "posted"]],
])(
  "an invoice of unknown end is looked for again, and one made %s is judged by that",
  async (_, hours, states) => {
    const books = await startBooks(BAY, { worker: false });
    await books.upload([invoiceLine("")]);
    await books.run();
    // As the ledger is left when QuickBooks never told of it.
    await sql`update upload_invoice set state = 'unknown', qbo_id = null, sent_at = sent_at - interval '73 hours',
    last_sent_at = last_sent_at - make_interval(hours => ${hours})`.execute(books.db);
    await books.upload([invoiceLine("", { "Invoice Date": "2026-11-09" })]);
    await books.run();
    const { rows } = await sql<{ state: string }>`select state from upload_invoice
    order by draft ->> 'TxnDate'`.execute(books.db);
    expect(rows.map(({ state }) => state)).toEqual(states);
  },
);
