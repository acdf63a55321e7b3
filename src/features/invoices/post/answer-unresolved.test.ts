import { sql } from "kysely";
import { expect, test } from "vitest";
import { answerUnresolved } from "#features/invoices/post/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { openDesk } from "../../../../test/support/desk.ts";
import { BAY } from "../../../../test/support/intuit.ts";
import { invoiceLine, invoiceRows } from "../../../../test/support/workbooks.ts";

test.each([
  ["delete", "deleted"],
  ["void", "voided"],
])(
  "an invoice that a user says isn't in QuickBooks (%s) is not reported as posted by QuickBooks' first answer",
  async (action, what) => {
    const desk = await openDesk(BAY);
    const upload = await desk.upload([invoiceLine("")]);
    const [made] = await desk.made();
    await desk.app.intuit.control(`books/${BAY}/invoice/${made?.Id}/${action}`, {});
    await sql`update write set state = 'unresolved', vendor_id = null, answer = null`.execute(desk.app.db);
    const params = { upload_id: upload?.id ?? "", seq: "0" };
    const call = { params, query: desk.query, json: { is_in_books: false } };
    expect((await desk.browser.call(answerUnresolved, call)).status).toBe(202);
    const [answered] = await desk.list();
    expect(answered?.counts).toMatchObject({ completed: 0, problems: 1, open: 0 });
    expect(answered?.results[0]?.message).toContain(
      `QuickBooks created this invoice as ${made?.DocNumber}, but it was ${what} there`,
    );
  },
);

test("while an upload is being undone, no invoice of it is posted because a user says that it isn't in QuickBooks", async () => {
  const desk = await openDesk(BAY);
  const upload = await desk.upload(invoiceRows(3, { prefix: "" }));
  await sql`update write set state = 'unresolved', vendor_id = null, answer = null where seq = 0`.execute(
    desk.app.db,
  );
  const params = { upload_id: upload?.id ?? "" };
  await desk.faults([{ fault: "503", match: { operation: "query" } }]);
  const undo = { params, query: desk.query, json: { action: "delete" } };
  expect((await desk.browser.call(startUndo, undo)).status).toBe(202);
  await desk.app.settle();
  const call = { params: { ...params, seq: "0" }, query: desk.query, json: { is_in_books: false } };
  const refused = await desk.browser.call(answerUnresolved, call);
  expect([refused.status, refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: "undo_in_process" }),
  ]);
  await desk.noFaults();
  await desk.app.settle(600_000);
  expect(await desk.made()).toHaveLength(1);
  expect((await desk.browser.call(answerUnresolved, call)).status).toBe(202);
});

test("before a file is planned, an invoice in doubt is looked up behind hundreds that were", async () => {
  const desk = await openDesk(BAY);
  const upload = await desk.upload([invoiceLine("")]);
  await sql`update write set state = 'unresolved', vendor_id = null, answer = null, due_at = null`.execute(
    desk.app.db,
  );
  await sql`insert into write select (jsonb_populate_record(w, jsonb_build_object('part', 'searched ' || n, 'seq', n,
      'request_id', 'searched ' || n, 'due_at', w.last_sent_at, 'last_sent_at', w.last_sent_at + n * interval '1 s'))).*
    from write w, generate_series(1, 250) n`.execute(desk.app.db);
  await desk.upload([invoiceLine("", { Rate: "7", Amount: "" })]);
  const { rows } = await sql<{
    state: string;
  }>`select state from ledger_entry where upload_id = ${upload?.id}::uuid`.execute(desk.app.db);
  expect(rows).toEqual([{ state: "posted" }]);
});
