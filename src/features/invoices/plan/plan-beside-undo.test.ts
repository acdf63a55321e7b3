import { sql } from "kysely";
import { expect, test } from "vitest";
import { BAY, holdCalls } from "../../../../test/support/intuit.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { dayLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { openDesk, listOutcomes } from "../../../../test/support/plan-desk.ts";

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
