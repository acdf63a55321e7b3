import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkInvoices, dropCheck, readCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { removeOldChecks } from "#features/invoices/check/change-check.ts";
import { addWebhook, listWebhooks } from "#features/programs/webhooks/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { addSeen, checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, type InvoiceRow, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

const check = (browser: Browser, rows: InvoiceRow[]) => checkRows(browser, ACME, { rows });

const untilState = (browser: Browser, id: string, state: UploadCheck["state"]) =>
  untilCheck(browser, ACME, { id, state });

const writes = async (app: TestApp) =>
  (await app.intuit.control<{ entries: { writes: number }[] }>(`journal?realm_id=${ACME}`)).entries.reduce(
    (sum, entry) => sum + entry.writes,
    0,
  );

test("invoices that equal posted ones from other files are left out of a check, and posted once a user adds them", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const [first, second] = [invoiceLine(""), invoiceLine("", { "Invoice Date": "2026-11-05" })];
  await uploadRows(browser, ACME, [first]);
  await settledUploads(browser, ACME);
  const found = await check(browser, [first, second]);
  expect(found.report).toMatchObject({
    ready: { invoices: 1 },
    skipped: { invoices: 1 },
    equal_invoices: 1,
    possible_duplicates: [],
  });
  expect(found.results[0]?.message).toMatch(
    /^Skipped: an identical invoice was uploaded on .+ in row 2 of "invoices\.xlsx", and .+ give it its own Invoice No and upload again; or review the file and choose "Post these too"\.$/,
  );
  expect((await addSeen(browser, ACME, found)).status).toBe(202);
  const added = await untilState(browser, found.id, "checked");
  expect(added.report).toMatchObject({
    ready: { invoices: 2 },
    skipped: { invoices: 0 },
    equal_invoices: 0,
    possible_duplicates: [
      {
        rows: "2",
        text: expect.stringMatching(/^Same customer, date, and amount as invoice \d+ posted from /),
      },
    ],
  });
  expect(await writes(app)).toBe(1);
  expect((await postSeen(browser, ACME, added)).status).toBe(202);
  await untilState(browser, found.id, "posted");
  const [posted] = (await settledUploads(browser, ACME)).uploads;
  expect(posted?.counts).toMatchObject({ total: 2, completed: 2 });
  expect(await writes(app)).toBe(3);
  expect((await addSeen(browser, ACME, added)).json()).toMatchObject({ status: 409, code: "not_checked" });
});

test("a check that is neither posted nor dropped is kept for 30 days, then removed with its file; a posted one stays", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const left = await check(browser, [invoiceLine("R-1")]);
  const posted = await check(browser, [invoiceLine("R-2")]);
  await postSeen(browser, ACME, posted);
  await untilState(browser, posted.id, "posted");
  await settledUploads(browser, ACME);
  const files = async () => (await readdir(join(app.config.dataDir, "objects", "uploads"))).toSorted();
  expect(await files()).toEqual([left.id, posted.id].map((id) => `${id}.xlsx`).toSorted());
  const old = sql`update upload set uploaded_at = uploaded_at - interval '31 days' where id = ${left.id}`;
  const readStatus = async () =>
    (await browser.call(readCheck, { params: { upload_id: left.id }, query })).status;
  await removeOldChecks(app.application.invoices);
  expect(await readStatus()).toBe(200);
  await old.execute(app.db);
  await removeOldChecks(app.application.invoices);
  expect(await readStatus()).toBe(404);
  expect(await files()).toEqual([`${posted.id}.xlsx`]);
});

test("a check can be forgotten, and another company never sees it", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [invoiceLine("G-1")]);
  const params = { upload_id: found.id };
  const foreign = app.browser();
  await foreign.signIn("new@newcomer.example");
  expect((await foreign.call(readCheck, { params, query })).status).toBe(403);
  expect((await browser.call(dropCheck, { params, query })).status).toBe(200);
  expect((await browser.call(readCheck, { params, query })).status).toBe(404);
  expect((await postSeen(browser, ACME, found)).status).toBe(404);
});

test("a check that a user asked to post and that waits for the connection is never removed for its age", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const seen = await checkRows(browser, ACME, { rows: [invoiceLine("L-1")] });
  await sql`update intuit_connection set state = 'reconnect_needed'`.execute(app.db);
  expect((await postSeen(browser, ACME, seen)).status).toBe(202);
  await untilCheck(browser, ACME, { id: seen.id, state: "waiting" });
  await sql`update upload set uploaded_at = uploaded_at - interval '31 days'`.execute(app.db);
  await removeOldChecks(app.application.invoices);
  await browser.connect("owner@acme.example", ACME);
  await untilCheck(browser, ACME, { id: seen.id, state: "posted" });
  await settledUploads(browser, ACME);
  expect((await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "L-1")).toHaveLength(1);
});

test("a check that stops is not announced to webhooks as an upload that ended", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const json = { url: "http://127.0.0.1:9/", events: ["upload.finished" as const] };
  expect((await browser.call(addWebhook, { query, json })).status).toBe(200);
  const file = { name: "gone.xlsx", bytes: await invoiceWorkbook([invoiceLine("G-2")]) };
  const { id } = (await browser.call(checkInvoices, { query, file })).json() as UploadCheck;
  await rm(join(app.config.dataDir, "objects/uploads", `${id}.xlsx`));
  await app.work();
  await untilState(browser, id, "failed");
  expect((await browser.call(listWebhooks, { query })).json()).toMatchObject({ messages: [] });
});
