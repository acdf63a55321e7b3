import { sql } from "kysely";
import { expect, test } from "vitest";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { settledUploads } from "../support/uploads.ts";
import { dayLine, invoiceLine, invoiceRows } from "../support/workbooks.ts";
import { startBooks } from "./support/run-books.ts";

const HOUR_MS = 3_600_000;
const REVOKED_ONCE = { fault: "revoked", match: { operation: "batch" }, once: true };

test("an invoice that QuickBooks refused while the company was disconnected, and a person entered meanwhile, stays the person's, and no undo touches it", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload([invoiceLine("T-1")]);
  await books.faults([REVOKED_ONCE]);
  await books.run();
  await books.noFaults();
  books.clock.advance(3 * HOUR_MS);
  await books.enterByHand();
  books.clock.advance(HOUR_MS);
  await books.connect();
  await books.run();
  const { id, counts, results } = await books.newest();
  expect(counts).toMatchObject({ completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("T-1");
  const params = { upload_id: id };
  await books.browser.call(startUndo, { params, query: books.query, json: { action: "delete" } });
  await books.work();
  await settledUploads(books.browser, ACME);
  expect(await books.made()).toHaveLength(1);
});

test("an invoice that never left, since its worker died, is sent as new after days, and one entered by hand stays beside it", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("")]);
  await books.faults([{ fault: "503", match: { operation: "batch" } }]);
  await books.run();
  await books.noFaults();
  // As a worker leaves it that died while it waited for its turn at QuickBooks.
  await sql`update upload_invoice set sent_at = sent_at - interval '49 hours', last_sent_at = null`.execute(
    books.db,
  );
  await books.enterByHand();
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 1, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(2);
});

test("when the subscription has ended by the time a company is connected again, what never left is told as not posted", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload([invoiceLine("S-1"), invoiceLine("S-2")]);
  await books.faults([REVOKED_ONCE]);
  await books.run();
  await books.faults([{ fault: "code", code: "6190", match: { operation: "batch" } }]);
  await books.connect();
  await books.run();
  const { results } = await books.newest();
  expect(results.map(({ message }) => message).join(" ")).not.toContain("no clear answer");
  expect(results[0]?.message).toContain("subscription");
});

test("a batch turned away as a whole after the company was connected again goes out one by one, as at first", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([dayLine(2), dayLine(3)]);
  await books.faults([REVOKED_ONCE]);
  await books.run();
  await books.faults([{ fault: "code", code: "2010", match: { operation: "batch" } }]);
  await books.connect();
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 2, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(2);
});

test("an invoice whose first try alone was made, its answer lost, is not told as refused when a later try is", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("")]);
  const alone = { operation: "invoice.create" };
  await books.faults([
    { fault: "code", code: "10000", match: { operation: "batch.item" }, once: true },
    { fault: "committed_answer_lost", match: alone, once: true },
    { fault: "code", code: "6000", detail: "business rule", match: alone, everyN: 2, count: 1 },
  ]);
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 1, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(1);
});

test("an invoice refused alone after a try without an answer, and that is not in the books, is told as refused", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([invoiceLine("")]);
  const alone = { operation: "invoice.create" };
  await books.faults([
    { fault: "code", code: "10000", match: { operation: "batch.item" }, once: true },
    { fault: "503", match: alone, once: true },
    { fault: "code", code: "6000", detail: "business rule", match: alone },
  ]);
  // A query may not show yet what the try without an answer made.
  const waitMs = (await books.run()) ?? 0;
  expect((await books.newest()).counts).toMatchObject({ open: 1 });
  books.clock.advance(waitMs);
  await books.run();
  const { counts, results } = await books.newest();
  expect(counts).toMatchObject({ completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("business rule");
  expect(await books.made()).toHaveLength(0);
});

test("an equal invoice entered by hand half an hour before an upload is not taken for one that QuickBooks did not make", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload([dayLine(2)]);
  await books.run();
  await books.enterByHand();
  books.clock.advance(HOUR_MS / 2);
  await books.upload([dayLine(2), dayLine(9, { Customer: "Red Rock Diner" }), dayLine(2)]);
  await books.faults([{ fault: "503", match: { operation: "batch" } }]);
  await books.run();
  await books.noFaults();
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ open: 0, problems: 0 });
  // One of the first file, one by hand, two of the second file.
  expect(await books.made()).toHaveLength(4);
});

test("what was made before the connection was lost is found in the books after it, though its request is forgotten", async () => {
  const books = await startBooks(BAY, { worker: false });
  await books.upload(invoiceRows(3, { prefix: "" }));
  await books.faults([
    { fault: "committed_answer_lost", match: { operation: "batch" }, once: true },
    { fault: "revoked", match: { operation: "batch" }, everyN: 2, count: 1 },
  ]);
  await books.run();
  await books.noFaults();
  books.clock.advance(3 * HOUR_MS);
  await sql`update upload_invoice set batch_id = gen_random_uuid()::text, request_id = 'forgotten' || seq`.execute(
    books.db,
  );
  await books.connect();
  await books.run();
  expect((await books.newest()).counts).toMatchObject({ completed: 3, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(3);
});

test("when the subscription ends, batches that never left since their worker died are told as not posted", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload([invoiceLine("S-1"), invoiceLine("S-2")]);
  await books.faults([{ fault: "503", match: { operation: "batch" } }]);
  await books.run();
  // As a worker leaves them that died while two batches waited for their turn.
  await sql`update upload_invoice set last_sent_at = null, batch_id = gen_random_uuid()::text, batch_item = '1'`.execute(
    books.db,
  );
  await books.noFaults();
  await books.faults([{ fault: "code", code: "6190", match: { operation: "batch" } }]);
  await books.run();
  const { results } = await books.newest();
  expect(results.map(({ message }) => message).join(" ")).not.toContain("no clear answer");
});

test("an invoice that a person enters while its batch, turned away as a whole, goes out one by one stays the person's", async () => {
  const books = await startBooks(ACME, { worker: false });
  await books.upload([invoiceLine("TA-1")]);
  await books.faults([
    { fault: "code", code: "2010", match: { operation: "batch" } },
    { fault: "latency", ms: 3_000, match: { operation: "invoice.create" } },
  ]);
  const run = books.run();
  await expect.poll(() => books.fired("invoice.create")).toBe(1);
  await books.enterByHand();
  await run;
  const { counts, results } = await books.newest();
  expect(counts).toMatchObject({ completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("Change the Invoice No in the sheet");
  expect(await books.made()).toHaveLength(1);
});
