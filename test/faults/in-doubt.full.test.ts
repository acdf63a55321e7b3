import { sql } from "kysely";
import { expect, test } from "vitest";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { finishRun, reopenRun, startRun } from "../support/ledger.ts";
import { invoiceLine, invoiceRows } from "../support/workbooks.ts";
import { startBooks } from "./support/run-books.ts";

const HOUR_MS = 3_600_000;
const CREATE = { operation: "invoice.create" };

const open = (realmId: string) => startBooks(realmId, { worker: false });

test("an open invoice from another upload is not mistaken for one that differs only in its note", async () => {
  const books = await open(BAY);
  await books.faults([{ fault: "committed_answer_lost", match: CREATE, count: 1 }]);
  await books.upload([invoiceLine("", { "Private Note": "PO 1" })]);
  await books.run();
  const first = await books.newest();
  await books.noFaults();
  await books.faults([{ fault: "503", match: CREATE, count: 1 }]);
  await books.upload([invoiceLine("", { "Private Note": "PO 2" })]);
  await books.finish();
  await finishRun(books, first.id, { clock: books.clock });
  const { rows } = await sql<{
    note: string;
    id: string;
  }>`select draft ->> 'PrivateNote' as note, qbo_id as id
    from ledger_entry order by note`.execute(books.db);
  const made = await books.made();
  expect(made).toHaveLength(2);
  expect(rows.map(({ id }) => made.find(({ Id }) => Id === id)?.PrivateNote)).toEqual(["PO 1", "PO 2"]);
  expect(rows.map(({ note }) => note)).toEqual(["PO 1", "PO 2"]);
});

test("an invoice whose response names one that another row already has is unresolved, and the rest is posted", async () => {
  const books = await open(BAY);
  await books.upload([invoiceLine("", { Customer: "Red Rock Diner" })]);
  await books.finish();
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.finish();
  const { id } = await books.newest();
  // As after lost responses, when the row of the other upload was wrongly given the invoice of the first row.
  const { rows } = await sql<{ vendor_id: string }>`select vendor_id from write
    where subject = ${id}::uuid and seq = 0`.execute(books.db);
  await sql`update write set state = 'sent', vendor_id = null, answer = null, settled_at = null, due_at = now()
    where subject = ${id}::uuid`.execute(books.db);
  await sql`update write set vendor_id = ${rows[0]?.vendor_id} where subject <> ${id}::uuid`.execute(
    books.db,
  );
  await reopenRun(books.db, id);
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 2, completed: 1, problems: 1, open: 0 });
  expect(results.map(({ message }) => message).join(" ")).toContain("already belongs to other rows");
  expect(await books.made()).toHaveLength(3);
});

test("our own invoice without a number, stored differently than sent, with its response lost and its request forgotten, is not created twice", async () => {
  const books = await open(BAY);
  await books.faults([{ fault: "committed_answer_lost", match: CREATE, once: true }]);
  await books.upload([invoiceLine("")]);
  await books.run();
  const [created] = await books.made();
  const { rows } = await sql<{ line: { SalesItemLineDetail: object } }>`select draft -> 'Line' -> 0 as line
    from upload_invoice`.execute(books.db);
  const stored = { ...rows[0]?.line.SalesItemLineDetail, Qty: 1, UnitPrice: 77 };
  const line = { DetailType: "SalesItemLineDetail", Amount: 77, SalesItemLineDetail: stored };
  await books.intuit.control(`books/${BAY}/Invoice/${created?.Id}`, { Line: [line] });
  await sql`update write set request_id = 'forgotten'`.execute(books.db);
  await books.finish();
  const { counts, results } = await books.newest();
  expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("Look for it in QuickBooks before you send it again.");
  expect(await books.made()).toHaveLength(1);
});

test("when an upload has waited for hours, an equal invoice that a user entered meanwhile is not adopted", async () => {
  const books = await open(BAY);
  await books.faults([{ fault: "503", match: CREATE, count: 1 }]);
  await books.upload([invoiceLine("")]);
  await books.run();
  await books.noFaults();
  books.clock.advance(3 * HOUR_MS);
  await books.enterByHand();
  const [byHand] = await books.made();
  await books.finish();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
  const { rows } = await sql<{ id: string }>`select qbo_id as id from ledger_entry`.execute(books.db);
  expect(await books.made()).toHaveLength(2);
  expect(rows[0]?.id).not.toBe(byHand?.Id);
});

test("an invoice that a user entered while the company was disconnected stays that user's, and no undo touches it", async () => {
  const books = await open(ACME);
  await books.faults([{ fault: "revoked", match: CREATE, once: true }]);
  await books.upload([invoiceLine("T-1")]);
  await books.run();
  await books.noFaults();
  books.clock.advance(3 * HOUR_MS);
  await books.enterByHand();
  books.clock.advance(HOUR_MS);
  await books.connect();
  await books.finish();
  const { id, counts, results } = await books.newest();
  expect(counts).toEqual({ total: 1, completed: 0, problems: 1, open: 0 });
  expect(results[0]?.message).toContain("The number T-1 is already in QuickBooks.");
  const undo = { params: { upload_id: id }, query: books.query, json: { action: "delete" } };
  expect((await books.browser.call(startUndo, undo)).json()).toMatchObject({
    run: { state: "finished", undone: { invoices: 0 } },
  });
  expect(await books.made()).toHaveLength(1);
});

test("a run with a new holder posts the rows that differ only in their notes from one in doubt", async () => {
  const books = await open(BAY);
  const notes = ["one", "two", "three"];
  await books.upload(
    notes.flatMap((note) => [
      invoiceLine("", { "Private Note": note }),
      invoiceLine("", { Customer: "Red Rock Diner" }),
    ]),
  );
  await books.finish();
  const { id } = await books.newest();
  // As left by a process that died after its first call, whose response was lost.
  const others = (await books.made()).filter(({ PrivateNote }) => PrivateNote !== "one");
  for (const { Id } of others) await books.intuit.control(`books/${BAY}/invoice/${Id}/delete`, {});
  await sql`update write set state = case when seq = 0 then 'sent' else 'planned' end, vendor_id = null, answer = null,
    settled_at = null, due_at = case when seq = 0 then now() end, request_id = 'other ' || seq,
    first_sent_at = case when seq = 0 then first_sent_at end`.execute(books.db);
  await reopenRun(books.db, id);
  await startRun(books, id, 1, { tookOver: true });
  expect((await books.newest()).counts).toEqual({ total: 6, completed: 6, problems: 0, open: 0 });
  const made = await books.made();
  expect(made.flatMap(({ PrivateNote }) => PrivateNote ?? []).toSorted()).toEqual(notes.toSorted());
});

test("a planned invoice that was taken for its equal's is sent once QuickBooks says whose it is", async () => {
  const books = await open(BAY);
  await books.upload([invoiceLine(""), invoiceLine("", { Customer: "Red Rock Diner" }), invoiceLine("")]);
  await books.finish();
  const { id } = await books.newest();
  const { rows } = await sql<{ seq: number; id: string }>`select seq, vendor_id as id from write
    where fingerprint in (select fingerprint from write group by 1 having count(*) = 2) order by seq`.execute(
    books.db,
  );
  const [adopter, equal] = rows;
  // As a restored ledger has it: the one adopted what the other had made, and the other is sent under its old request id.
  await books.intuit.control(`books/${BAY}/invoice/${adopter?.id}/delete`, {});
  await sql`update write set state = 'planned', vendor_id = null, answer = null, first_sent_at = null,
    last_sent_at = null, settled_at = null where seq = ${equal?.seq}`.execute(books.db);
  await sql`update write set vendor_id = ${equal?.id}, answer = answer || '{"adopted": true}', first_sent_at = null,
    last_sent_at = null, request_id = 'other' where seq = ${adopter?.seq}`.execute(books.db);
  await sql`update run set state = 'queued', finished_at = null where subject = ${id}::uuid`.execute(
    books.db,
  );
  await books.finish();
  expect((await books.newest()).counts).toEqual({ total: 3, completed: 3, problems: 0, open: 0 });
  expect(await books.made()).toHaveLength(3);
});

test("an unresolved invoice that certainly was never sent holds up no later upload of the company", async () => {
  const books = await open(BAY);
  await books.upload([invoiceLine("")]);
  await books.finish();
  await sql`update write set state = 'unresolved', vendor_id = null, answer = null, first_sent_at = null`.execute(
    books.db,
  );
  await books.upload([invoiceLine("", { Customer: "Red Rock Diner" })]);
  await books.finish();
  expect((await books.newest()).counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
});

test("one invoice in QuickBooks never belongs to two rows, whichever of two processes saves it first", async () => {
  const books = await open(BAY);
  await books.upload(invoiceRows(2, { prefix: "" }));
  await books.finish();
  const both = sql`update write set vendor_id = (select min(vendor_id) from write)`.execute(books.db);
  await expect(both).rejects.toThrow("write_vendor_id");
});
