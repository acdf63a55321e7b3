import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY, holdCalls } from "../../../../test/support/intuit.ts";
import { findRun, startRun } from "../../../../test/support/ledger.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { dayLine, invoiceWorkbook, type InvoiceRow } from "../../../../test/support/workbooks.ts";
import { chooseName } from "#features/books/names/contract.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { downloadProblemRows, postInvoices, type UploadSummary } from "#features/invoices/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";

/** A company whose numbers QuickBooks assigns: nothing in the books keeps an invoice from being created twice. */
async function openDesk({ realmId = BAY, email = "platform@dockside.example", worker = true } = {}) {
  const app = await startApp({ clock: steppedClock(), worker });
  const browser = await app.owner(realmId, email);
  const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
  const query = { realm_id: realmId };
  const accept = async (bytes: Uint8Array, name: string): Promise<UploadSummary> => {
    const accepted = await browser.call(postInvoices, { query, file: { name, bytes } });
    expect([accepted.status, accepted.status === 202 ? "" : accepted.text]).toEqual([202, ""]);
    return accepted.json() as UploadSummary;
  };
  const post = async (bytes: Uint8Array, name = "november.xlsx"): Promise<UploadSummary> => {
    const { id } = await accept(bytes, name);
    const found = (await settledUploads(browser, realmId)).uploads.find((upload) => upload.id === id);
    if (!found) throw new Error("The upload is not in the list.");
    return found;
  };
  const ask = async ({ id }: UploadSummary) => {
    const asked = await browser.call(startUndo, {
      query,
      params: { upload_id: id },
      json: { action: "delete" },
    });
    expect(asked.status).toBe(202);
  };
  return {
    app,
    browser,
    query,
    accept,
    post,
    /** Holds a lock, lets others begin, and once that many wait for it runs an action and releases it. */
    holdUp: async (
      lock: RawBuilder<unknown>,
      others: { begin: () => Promise<void>; waiting: number; act: () => Promise<void> },
    ) => {
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ '(for share|pg_advisory_xact_lock)'`;
      await app.db.transaction().execute(async (tx) => {
        await lock.execute(tx);
        await others.begin();
        await app.settle();
        expect((await waiting.execute(app.db)).rows[0]?.count).toBe(others.waiting);
        await others.act();
      });
    },
    upload: async (rows: readonly InvoiceRow[], name?: string) => post(await invoiceWorkbook(rows), name),
    ask,
    undo: async (upload: UploadSummary) => {
      await ask(upload);
      await settledUploads(browser, realmId);
    },
    remove: async ({ Id }: { Id: string }, action: "delete" | "void") =>
      app.intuit.control(`books/${realmId}/invoice/${Id}/${action}`, {}),
    countQueries: async () => {
      const { entries } = await app.intuit.control<{ entries: unknown[] }>(
        "journal?operation=query&limit=5000",
      );
      return entries.length;
    },
    /** In the order of their days. */
    made: async () =>
      (await app.intuit.invoices(realmId))
        .filter(({ Id }) => !known.has(Id))
        .toSorted((one, other) => one.TxnDate.localeCompare(other.TxnDate)),
  };
}

const SKIPPED =
  /^Skipped: an identical invoice was uploaded on \w+ \d+, \d{4} in row 2 of "november\.xlsx", and is in QuickBooks as invoice \d+\. If this is another one, give it an Invoice No of its own/;

const listOutcomes = ({ results }: UploadSummary) => results.map(({ rows, status }) => [rows, status]);

test("UP-42 when a user's own workbook is corrected and uploaded again, only what was not posted is posted", async () => {
  const desk = await openDesk();
  const first = await desk.upload([dayLine(2), dayLine(3), dayLine(4, { Item: "Claw Hamer" })]);
  expect(first.counts).toMatchObject({ completed: 2, problems: 1 });
  const corrected = await desk.upload([dayLine(2), dayLine(3), dayLine(4)], "november corrected.xlsx");
  expect(listOutcomes(corrected)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 0],
  ]);
  expect(corrected.results[0]?.message).toMatch(SKIPPED);
  expect(await desk.made()).toHaveLength(3);
});

test("UP-42 a workbook whose rows moved and whose bytes changed on saving posts nothing twice", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2), dayLine(3)]);
  const text =
    "Customer,Date,Product,Qty,Rate,Amount\ncool cars,03-Nov-2026,claw hammer,1,10.00,10\nCool Cars,02-Nov-2026,Claw Hammer,1,10,10.00\n";
  const again = await desk.post(new TextEncoder().encode(text), "saved.csv");
  expect(again.results.filter(({ status }) => status === 0)).toEqual([]);
  expect(await desk.made()).toHaveLength(2);
});

test("equal invoices within one file are all posted, and from the next file only as many as are still missing", async () => {
  const desk = await openDesk();
  const other = dayLine(9, { Customer: "Red Rock Diner" });
  await desk.upload([dayLine(2), other, dayLine(2)]);
  expect(await desk.made()).toHaveLength(3);
  const again = await desk.upload([dayLine(2), other, dayLine(2), dayLine(8), dayLine(2)]);
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 7],
    ["5-6", 0],
  ]);
  expect(await desk.made()).toHaveLength(5);
});

test("what an undo took out of the books is posted again from another file", async () => {
  const desk = await openDesk();
  await desk.undo(await desk.upload([dayLine(2)]));
  expect(await desk.made()).toHaveLength(0);
  const again = await desk.upload([dayLine(2), dayLine(3)]);
  expect(listOutcomes(again)).toEqual([["2-3", 0]]);
  expect(await desk.made()).toHaveLength(2);
});

test("an upload waits for an undo of equal invoices that was requested after it, and then posts them again", async () => {
  const desk = await openDesk({ worker: false });
  const stop = await desk.app.work();
  const first = await desk.upload([dayLine(2), dayLine(3)]);
  await stop();
  const file = { name: "december.xlsx", bytes: await invoiceWorkbook([dayLine(2), dayLine(4)]) };
  expect((await desk.browser.call(postInvoices, { query: desk.query, file })).status).toBe(202);
  await desk.ask(first);
  await desk.app.work();
  const { uploads } = await settledUploads(desk.browser, BAY);
  expect(uploads.map(({ counts }) => counts)).toEqual([
    { total: 2, completed: 2, problems: 0, open: 0 },
    { total: 2, completed: 0, problems: 0, open: 0, undone: 2 },
  ]);
  expect(uploads[0]?.results).toMatchObject([{ rows: "2-3", status: 0 }]);
  expect(await desk.made()).toHaveLength(2);
});

for (const [kind, rows] of [
  ["the very same file", [dayLine(2), dayLine(3)]],
  ["another file with equal invoices", [dayLine(2), dayLine(3), dayLine(4)]],
] as const)
  test(`an undo of ${kind} requested after an upload has checked for one, and before its ledger is written, is waited for`, async () => {
    const desk = await openDesk();
    const first = await desk.upload([dayLine(2), dayLine(3)]);
    const hold = await holdCalls(desk.app.intuit, { operation: "query" });
    const second = await desk.accept(await invoiceWorkbook(rows), "december.xlsx");
    await hold.hit();
    await desk.holdUp(sql`select from run where subject = ${second.id}::uuid for update`, {
      begin: hold.release,
      waiting: 1,
      act: () => desk.ask(first),
    });
    const { uploads } = await settledUploads(desk.browser, BAY);
    expect(uploads.map(({ counts }) => [counts.completed, counts.undone ?? 0])).toEqual([
      [rows.length, 0],
      [0, 2],
    ]);
    expect(await desk.made()).toHaveLength(rows.length);
  });

test("UP-44 a posted file that has no rows with its columns as now matched ends as one without rows", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example", worker: false });
  const bytes = new TextEncoder().encode(
    "Customer,Invoice Date,Item,Amount\nCool Cars,2026-11-02,Claw Hammer,10\nKunde,Datum,Artikel,Betrag,Menge",
  );
  const work = ({ id }: UploadSummary) => startRun(desk.app, id);
  await work(await desk.accept(bytes, "two-heads.csv"));
  expect(await desk.made()).toHaveLength(1);
  const columns = Object.entries({
    Kunde: "customer",
    Datum: "invoiceDate",
    Artikel: "item",
    Betrag: "amount",
    Menge: "qty",
  }).map(([header, field]) => ({ header, field }));
  const chosen = await desk.browser.call(chooseColumns, { query: desk.query, json: { columns } });
  expect(chosen.status).toBe(200);
  const again = await desk.accept(bytes, "two-heads.csv");
  await work(again);
  expect((await findRun(desk.app.db, again.id))?.state).toBe("done");
  const { rows } = await sql`select data_rows from upload where id = ${again.id}::uuid`.execute(desk.app.db);
  expect(rows).toEqual([{ data_rows: 0 }]);
  expect(await desk.made()).toHaveLength(1);
});

test("UP-42 invoices of the same file that others deleted or voided in QuickBooks since are reported as such, and not sent again", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2), dayLine(3), dayLine(4)]);
  const [deleted, voided] = await desk.made();
  if (!deleted || !voided) throw new Error("Too few invoices.");
  await desk.remove(deleted, "delete");
  await desk.remove(voided, "void");
  const again = await desk.upload([dayLine(2), dayLine(3), dayLine(4)]);
  const gone = (number: string | undefined, how: string) =>
    expect.stringMatching(
      new RegExp(
        `^Skipped: already uploaded on \\w+ \\d+, \\d{4} in "november\\.xlsx" \\(invoice ${number}\\), which was ${how} in QuickBooks since\\. To post it again, put its rows into a new file and upload that\\.$`,
      ),
    );
  expect(again.results.map(({ message }) => message)).toEqual([
    gone(deleted?.DocNumber, "deleted"),
    gone(voided?.DocNumber, "voided"),
    expect.stringMatching(/^Skipped: already uploaded on .+ in "november\.xlsx" \(invoice \d+\)\.$/),
  ]);
  expect(await desk.made()).toHaveLength(2);
  await desk.upload([dayLine(2), dayLine(3)], "a new file.xlsx");
  expect(await desk.made()).toHaveLength(4);
});

test("an equal invoice that a QuickBooks query does not show yet is not posted again; one deleted or voided by hand is", async () => {
  const desk = await openDesk();
  const rows = [dayLine(2), dayLine(3), dayLine(4)];
  await desk.upload(rows);
  const [deleted, voided] = await desk.made();
  if (!deleted || !voided) throw new Error("Too few invoices.");
  await desk.remove(deleted, "delete");
  await desk.remove(voided, "void");
  await desk.app.intuit.control("settings", { queryLagS: 86_400 }, "PATCH");
  const another = await desk.upload([...rows, dayLine(5)], "another.xlsx");
  expect(listOutcomes(another)).toEqual([
    ["2-3", 0],
    ["4", 7],
    ["5", 0],
  ]);
  expect(another.results[1]?.message).toContain(", and is in QuickBooks as invoice ");
});

test("for a long file that was posted before, only the newest invoices are looked up, and all are named by their numbers", async () => {
  const desk = await openDesk();
  const rows = [dayLine(2), dayLine(3)];
  await desk.upload(rows);
  const spent = async () => {
    const before = await desk.countQueries();
    const again = await desk.upload(rows);
    return { again, queries: (await desk.countQueries()) - before };
  };
  const short = await spent();
  expect(short.again.results[0]?.message).toMatch(/\(invoice \d+\)\.$/);
  await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, customer_name, verdict)
    select realm_id, upload_id, 'more:' || n, n, array[n], customer_name, 'ready'
    from ledger_entry, generate_series(101, 5100) n where state = 'posted' and seq = 0`.execute(desk.app.db);
  await sql`insert into write (realm_id, subject, part, command_id, seq, vendor, operation, request_id, fingerprint,
      planned_at, state, vendor_id, answer)
    select w.realm_id, w.subject, 'more:' || n, w.command_id, n, w.vendor, w.operation, 'more:' || n, '', w.planned_at,
      w.state, 900000 + n, w.answer
    from write w, generate_series(101, 5100) n where w.seq = 0 and w.state = 'done'`.execute(desk.app.db);
  const long = await spent();
  expect(long.again.results.map(({ message }) => message)).toEqual([
    expect.stringMatching(/\(invoice \d+\)\.$/),
    expect.stringMatching(/\(invoice \d+\)\.$/),
  ]);
  expect(long.queries - short.queries).toBe(4);
});

test("an invoice equal to one uploaded more than 400 days ago is a new one", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2)]);
  await sql`update upload set uploaded_at = uploaded_at - interval '401 days'`.execute(desk.app.db);
  await desk.upload([dayLine(2), dayLine(3)]);
  expect(await desk.made()).toHaveLength(3);
});

test("an invoice equal to a posted one is posted once it has a number of its own, or differs in anything", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example" });
  await desk.upload([dayLine(2)]);
  const again = await desk.upload([
    dayLine(2, { Amount: 20, Qty: 2 }),
    dayLine(2, { "Invoice No": "OWN-1" }),
  ]);
  expect(listOutcomes(again)).toEqual([["2-3", 0]]);
  expect(await desk.made()).toHaveLength(3);
});

test("after columns were matched differently, rows that were never posted are reported, and are alone in the problem workbook", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example" });
  const text = [
    "Order,Customer,Invoice Date,Item,Qty,Rate",
    "O-1,Cool Cars,2026-11-02,Claw Hammer,1,10",
    "O-2,Red Rock Diner,2026-11-02,Claw Hammer,1,20",
    "O-1,Cool Cars,2026-11-02,Klaw Hamer X,1,30",
  ].join("\n");
  const bytes = new TextEncoder().encode(text);
  await desk.post(bytes, "orders.csv");
  expect(await desk.made()).toHaveLength(2);
  const json = { columns: [{ header: "Order", field: "invoiceNo" }] };
  expect((await desk.browser.call(chooseColumns, { query: desk.query, json })).status).toBe(200);
  const name = { kind: "item", text: "Klaw Hamer X", target_id: "3" };
  expect((await desk.browser.call(chooseName, { query: desk.query, json: name })).status).toBe(200);
  const again = await desk.post(bytes, "orders.csv");
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 2],
  ]);
  expect(again.results[2]?.message).toMatch(
    /^The same file was uploaded as "orders\.csv" on \w+ \d+, \d{4}, and of the rows of this invoice row 2 was or may have been posted as invoice \d+, row 4 was not\. Undo that upload/,
  );
  expect(again.counts).toMatchObject({ completed: 0, skipped: 2, problems: 1 });
  const params = { upload_id: again.id };
  const rest = await desk.browser.download(downloadProblemRows, { params, query: desk.query });
  expect(listOutcomes(await desk.post(rest))).toEqual([["2", 0]]);
  expect((await desk.made()).map(({ TotalAmt }) => TotalAmt).toSorted((one, two) => one - two)).toEqual([
    10, 20, 30,
  ]);
});
