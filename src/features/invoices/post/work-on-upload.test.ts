import { sql } from "kysely";
import { expect, test } from "vitest";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { hurryRuns, startRun } from "../../../../test/support/ledger.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";

const row = {
  Customer: "Cool Cars",
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Qty: 1,
  Rate: 5,
  Amount: 5,
};
const query = { realm_id: ACME };

async function newest(browser: Browser) {
  const [upload] = ((await browser.call(listUploads, { query })).json() as UploadList).uploads;
  if (!upload) throw new Error("There is no upload.");
  return upload;
}

test("after an internal error an upload is not shown as working: it waits, and says when it is retried", async () => {
  const app = await startApp({ clock: steppedClock(), worker: false });
  const browser = await app.owner(ACME);
  expect((await uploadRows(browser, ACME, [row])).status).toBe(202);
  const { rows } = await sql<{ key: string }>`select object_key as key from upload`.execute(app.db);
  // An unreadable file may be readable later; only a missing one is reported at once.
  await sql`update upload set object_key = split_part(object_key, '/', 1)`.execute(app.db);
  const stop = await app.work();
  const isWaiting = async () =>
    (await sql`select from run where failures > 1 and state = 'waiting'`.execute(app.db)).rows.length === 1;
  await app.settle();
  expect(await isWaiting()).toBe(true);
  expect((await newest(browser)).results).toEqual([
    {
      status: 100,
      rows: "2",
      message: expect.stringMatching(
        /^Waiting: something failed on our side\. Nothing is lost; we'll retry the upload soon\.$/,
      ),
    },
  ]);
  await stop();
  await sql`update upload set object_key = ${rows[0]?.key}`.execute(app.db);
  await hurryRuns(app.db);
  await app.work();
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts.completed).toBe(1);
});

test("a file that becomes unusable before it is posted ends at once, with its own sentence", async () => {
  const app = await startApp({ clock: steppedClock(), worker: false });
  const browser = await app.owner(ACME);
  const text = "Invoice No,Customer,Invoice Date,Item,Amount\nZ-1,Cool Cars,2026-11-02,Claw Hammer,10\n";
  const file = { name: "a.csv", bytes: new TextEncoder().encode(text) };
  expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  const json = { columns: [{ header: "Amount", field: "ignore" }] };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  await app.work();
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results).toEqual([{ status: 4, rows: "2", message: expect.stringContaining("Amount") }]);
  expect((await sql`select state from run where realm_id <> ''`.execute(app.db)).rows).toEqual([
    { state: "stopped" },
  ]);
});

test("waiting for other uploads is not a crash: only processes that died while reading its file count against an upload", async () => {
  const app = await startApp({ clock: steppedClock(), worker: false });
  const browser = await app.owner(ACME);
  const { id } = (await uploadRows(browser, ACME, [row])).json() as { id: string };
  // Twenty-one waits, then as many processes that died at work, none of them while it read the file.
  await sql`update run set fence = 21, starts = 21`.execute(app.db);
  await sql`create table reading as select readings from upload`.execute(app.db);
  await sql`create rule noted as on update to upload where new.readings <> old.readings
    do also insert into reading values (new.readings)`.execute(app.db);
  await startRun(app, id);
  expect((await newest(browser)).counts.completed).toBe(1);
  expect((await sql`select readings from reading`.execute(app.db)).rows).toEqual(
    [0, 1, 0].map((readings) => ({ readings })),
  );
});

test("a workbook that killed twenty processes before its check finished ends with a sentence", async () => {
  const app = await startApp({ clock: steppedClock(), worker: false });
  const browser = await app.owner(ACME);
  const { id } = (await uploadRows(browser, ACME, [row])).json() as { id: string };
  await sql`update upload set readings = 20`.execute(app.db);
  await startRun(app, id);
  expect((await newest(browser)).results).toMatchObject([
    {
      status: 4,
      rows: "2",
      message: expect.stringMatching(/^Not posted: this upload kept failing/),
    },
  ]);
});
