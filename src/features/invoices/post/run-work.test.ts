import { sql } from "kysely";
import { expect, test } from "vitest";
import { fastClock } from "../../../../test/support/fast-clock.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { chooseColumns } from "#features/invoices/choices/contract.ts";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { postUpload } from "#features/invoices/post/post-upload.ts";

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

const isTaken = async ({ db }: TestApp) =>
  (await sql`select from graphile_worker._private_jobs where locked_at is not null`.execute(db)).rows.length >
  0;

test("after a failure of our own an upload is not said to be worked on: it waits, and tells when it is tried again", async () => {
  const app = await startApp({ clock: fastClock(1), worker: false });
  const browser = await app.owner(ACME);
  expect((await uploadRows(browser, ACME, [row])).status).toBe(202);
  await sql`update upload set object_key = object_key || '.gone'`.execute(app.db);
  const stop = await app.work();
  const failures = async () =>
    (await sql<{ attempts: number }>`select attempts from graphile_worker._private_jobs`.execute(app.db))
      .rows[0]?.attempts;
  await expect.poll(failures, { interval: 20 }).toBeGreaterThan(1);
  await expect.poll(() => isTaken(app), { interval: 5 }).toBe(false);
  expect((await newest(browser)).results).toEqual([
    {
      status: 100,
      rows: "2",
      message: expect.stringMatching(
        /^Waiting: something failed on our side\. Nothing is lost; it is tried again at \d\d:\d\d \(UTC\)\.$/,
      ),
    },
  ]);
  await stop();
  await sql`update upload set object_key = replace(object_key, '.gone', '')`.execute(app.db);
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db);
  await app.work();
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts.completed).toBe(1);
});

test("a file that cannot be used any more once its turn comes ends at once, with its own sentence", async () => {
  const app = await startApp({ clock: fastClock(30), worker: false });
  const browser = await app.owner(ACME);
  const text = "Invoice No,Customer,Invoice Date,Item,Amount\nZ-1,Cool Cars,2026-11-02,Claw Hammer,10\n";
  const file = { name: "a.csv", bytes: new TextEncoder().encode(text) };
  expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  const json = { columns: [{ header: "Amount", field: "ignore" }] };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  await app.work();
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results).toEqual([{ status: 4, rows: "2", message: expect.stringContaining("Amount") }]);
  expect((await sql`select from graphile_worker._private_jobs`.execute(app.db)).rows).toEqual([]);
});

test("waiting behind others is no crash: only starts whose process died count against an upload", async () => {
  const app = await startApp({ clock: fastClock(30), worker: false });
  const browser = await app.owner(ACME);
  const { id } = (await uploadRows(browser, ACME, [row])).json() as { id: string };
  const run = { attempt: 1, isLastAttempt: false, stop: new AbortController().signal };
  const start = () => postUpload(app.application.invoices, { realmId: ACME, uploadId: id }, run);
  // Twenty-one polite waits, then one process that died at work.
  await sql`update upload set fence = 21, state = 'working'`.execute(app.db);
  await start();
  expect((await newest(browser)).counts.completed).toBe(1);
});

test("a workbook that killed twenty processes before its check was done ends with a sentence", async () => {
  const app = await startApp({ clock: fastClock(30), worker: false });
  const browser = await app.owner(ACME);
  const { id } = (await uploadRows(browser, ACME, [row])).json() as { id: string };
  const run = { attempt: 1, isLastAttempt: false, stop: new AbortController().signal };
  const start = () => postUpload(app.application.invoices, { realmId: ACME, uploadId: id }, run);
  await sql`update upload set dead_starts = 19, state = 'working'`.execute(app.db);
  await start();
  expect((await newest(browser)).results).toMatchObject([
    {
      status: 4,
      rows: "2",
      message: expect.stringMatching(/^Not posted: this upload failed again and again/),
    },
  ]);
});
