import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { finishRun, startRun } from "../../../../test/support/ledger.ts";
import { dayLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";
import { openDesk, listOutcomes } from "../../../../test/support/plan-desk.ts";

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
    from ledger_entry, generate_series(101, 1100) n where state = 'posted' and seq = 0`.execute(desk.app.db);
  await sql`insert into write (realm_id, subject, part, command_id, seq, vendor, operation, request_id, fingerprint,
      planned_at, state, vendor_id, answer)
    select w.realm_id, w.subject, 'more:' || n, w.command_id, n, w.vendor, w.operation, 'more:' || n, '', w.planned_at,
      w.state, 900000 + n, w.answer
    from write w, generate_series(101, 1100) n where w.seq = 0 and w.state = 'done'`.execute(desk.app.db);
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

/** A desk whose first upload, of the invoices W-2, W-3 and W-4, waits for QuickBooks to answer again. */
async function openWaiting() {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example", worker: false });
  const { app } = desk;
  const rows = [2, 3, 4].map((day) => dayLine(day, { "Invoice No": `W-${day}` }));
  const accept = async (sent: typeof rows, name: string) =>
    (await desk.accept(await invoiceWorkbook(sent), name)).id;
  const first = await accept(rows, "november.xlsx");
  const away = ["batch", "invoice.create"].map((operation) => ({ fault: "503", match: { operation } }));
  await app.intuit.control("faults", away);
  expect((await startRun(app, first, 3)).state).toBe("waiting");
  await app.intuit.control("faults", undefined, "DELETE");
  const finish = (id: string) => finishRun(app, id, { clock: app.clock });
  return {
    rows,
    finishFirst: () => finish(first),
    /** Posts another file to its end. @returns its results */
    post: async (sent: typeof rows) => {
      await finish(await accept(sent, "saved again.xlsx"));
      const { uploads } = (await desk.browser.call(listUploads, { query: desk.query })).json() as UploadList;
      if (!uploads[0]) throw new Error("There is no upload.");
      return uploads[0];
    },
    numbers: async () => (await desk.made()).map(({ DocNumber }) => String(DocNumber)).toSorted(),
  };
}

test("numbered invoices that another upload is about to post are left out while it waits for QuickBooks, and posted once", async () => {
  const { rows, post, finishFirst, numbers } = await openWaiting();
  const again = await post([...rows, dayLine(4, { "Invoice No": "W-9" })]);
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 7],
    ["5", 0],
  ]);
  expect(again.results[0]?.message).toMatch(/^Skipped: .+ that upload was still working on it/);
  await finishFirst();
  expect(await numbers()).toEqual(["W-2", "W-3", "W-4", "W-9"]);
});

test("a number that another upload is about to post is left out with other amounts too, which are named", async () => {
  const { rows, post, finishFirst, numbers } = await openWaiting();
  const other = (number: string) => dayLine(5, { "Invoice No": number, Qty: 3, Amount: 30 });
  const again = await post([other("W-2"), ...rows.slice(1), other("W-9")]);
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 7],
    ["5", 0],
  ]);
  expect(again.results[0]?.message).toMatch(
    /^Skipped: "november.xlsx", uploaded on .+ by owner@acme.example, has an invoice with this number and was still working on it. See its results; if it isn't posted there, upload this one again. There it's \$10.00; here it's \$30.00. Nothing is sent.$/,
  );
  await finishFirst();
  expect(await numbers()).toEqual(["W-2", "W-3", "W-4", "W-9"]);
});
