import { sql } from "kysely";
import { expect, test } from "vitest";
import { resetDemo } from "#features/companies/contract.ts";
import { addUser, listCompanies } from "#features/companies/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { ACME, BAY } from "../../test/support/intuit.ts";
import { startApp } from "../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../test/support/uploads.ts";
import { invoiceRows } from "../../test/support/workbooks.ts";

test("DM-03 the demo is reset even while work in progress and the reset wait for each other, and the work isn't ended for it", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, invoiceRows(1, { prefix: "D" }));
  const waiting = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const { reset } = await app.db.transaction().execute(async (tx) => {
    await sql`lock table upload in row exclusive mode`.execute(tx);
    const asked = browser.call(resetDemo);
    await app.settle();
    expect((await waiting.execute(app.db)).rows[0]?.n).toBe(1);
    // After a second PostgreSQL would end one of the two.
    await sql`select from company for share`.execute(tx);
    return { reset: asked };
  });
  expect((await reset).status).toBe(200);
  const list = await browser.call(listUploads, { query: { realm_id: ACME } });
  expect(list.json()).toMatchObject({ total_count: 0 });
});

test("DM-03 after a reset of the demo the same file is posted, though QuickBooks assigns the same ids again", async () => {
  const app = await startApp();
  const before = await app.owner(ACME);
  await uploadRows(before, ACME, invoiceRows(3, { prefix: "DR" }));
  expect((await settledUploads(before, ACME)).uploads[0]?.counts).toMatchObject({ completed: 3 });
  expect((await before.call(resetDemo)).status).toBe(200);
  // Signed-in users keep their companies, other users' companies included.
  const companies = [ACME, BAY].map((id) => expect.objectContaining({ id }) as object);
  expect((await before.call(listCompanies)).json()).toEqual({ companies });
  const after = await app.owner(ACME);
  await uploadRows(after, ACME, invoiceRows(3, { prefix: "DR" }));
  expect((await settledUploads(after, ACME)).uploads[0]?.counts).toMatchObject({ completed: 3, problems: 0 });
});

test("DM-03 the simulated mailbox is empty after a reset of the demo", async () => {
  const app = await startApp({ mail: true });
  const browser = await app.owner(ACME);
  await browser.call(addUser, { query: { realm_id: ACME, email: "invited@acme.example" } });
  await app.settle();
  expect(app.mailbox().messages().length).toBe(1);
  expect((await browser.call(resetDemo)).status).toBe(200);
  expect(app.mailbox().messages()).toEqual([]);
});
