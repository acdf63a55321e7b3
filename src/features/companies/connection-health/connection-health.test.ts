import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies, changeSettings } from "#features/companies/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../../test/support/system-runs.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";

const OWNER = "owner@acme.example";
const OPS = "ops@acme.example";
const DAY_MS = 24 * 3_600_000;

const refreshIdleConnections = (app: TestApp) => executeSystemRun(app, "companies.keep-connections");

const countRefreshes = async ({ intuit }: TestApp) =>
  (await intuit.control<{ entries: unknown[] }>("journal?operation=oauth.refresh_token")).entries.length;

const readCompany = async (browser: Browser) => {
  const { companies } = (await browser.call(listCompanies)).json() as {
    companies: { id: string; connection: string; reconnect_by?: string }[];
  };
  return companies.find(({ id }) => id === ACME);
};

const listMails = async ({ db }: TestApp) =>
  (
    await sql<{
      kind: string;
      recipient: string;
    }>`select kind, recipient from notice_mail order by kind, recipient`.execute(db)
  ).rows.map(({ kind, recipient }) => `${kind} ${recipient}`);

const start = async () => {
  const clock = steppedClock();
  const app = await startApp({ clock, worker: false, mail: true, limits: NO_CALLER_LIMITS });
  const browser = await app.owner(ACME);
  await browser.call(changeSettings, { query: { realm_id: ACME }, json: { contact_email: OPS } });
  return { clock, app, browser };
};

test("a connection that nothing uses outlives Intuit's 100 days, refreshed once in thirty", async () => {
  const { clock, app } = await start();
  for (let day = 0; day < 250; day += 1) {
    clock.advance(DAY_MS);
    await refreshIdleConnections(app);
  }
  expect(await countRefreshes(app)).toBe(8);
  await expect(app.application.invoices.books(ACME).companyInfo()).resolves.toMatchObject({
    data: { CompanyName: "Acme Tools" },
  });
});

test("without these refreshes the same connection ends, so the test above means something", async () => {
  const { clock, app } = await start();
  clock.advance(101 * DAY_MS);
  await expect(app.application.invoices.books(ACME).companyInfo()).rejects.toMatchObject({
    kind: "reconnect",
  });
});

test("one connection that cannot be refreshed does not hold up the others, and is retried the next day", async () => {
  const { clock, app } = await start();
  await app.owner(BAY, "platform@dockside.example");
  clock.advance(31 * DAY_MS);
  await app.intuit.control("faults", [
    { fault: "500", match: { operation: "oauth.refresh_token" }, count: 1 },
  ]);
  await refreshIdleConnections(app);
  const fresh = sql<{ n: number }>`select count(*)::int as n from intuit_connection where state = 'connected'
    and refreshed_at > ${new Date(clock.now().getTime() - DAY_MS)}`;
  expect((await fresh.execute(app.db)).rows[0]?.n).toBe(1);
  clock.advance(DAY_MS / 2);
  await refreshIdleConnections(app);
  expect((await fresh.execute(app.db)).rows[0]?.n).toBe(2);
});

test("TR-24 the hard expiry of a connection is shown 30 days ahead, and mailed once to the admin and the contact email; reconnecting clears it", async () => {
  const { clock, app, browser } = await start();
  await app.intuit.control("settings", { hardTtlS: 90 * 86_400 }, "PATCH");
  await browser.connect(OWNER, ACME);
  const inDays = async (days: number) => {
    clock.advance(days * DAY_MS);
    await refreshIdleConnections(app);
    const fresh = app.browser();
    await fresh.signIn(OWNER);
    return fresh;
  };
  expect(await readCompany(await inDays(58))).not.toHaveProperty("reconnect_by");
  expect(await listMails(app)).toEqual([]);
  const near = await inDays(3);
  const end = Date.parse((await readCompany(near))?.reconnect_by ?? "");
  expect(Math.abs(end - clock.now().getTime() - 29 * DAY_MS)).toBeLessThan(3_600_000);
  await refreshIdleConnections(app);
  expect(await listMails(app)).toEqual([`connection_expires ${OPS}`, `connection_expires ${OWNER}`]);
  await near.connect(OWNER, ACME);
  expect(await readCompany(near)).not.toHaveProperty("reconnect_by");
});

test("a dead grant is found by the daily refresh, marked, mailed once, and its uploads continue after reconnecting", async () => {
  const { clock, app, browser } = await start();
  await uploadRows(browser, ACME, invoiceRows(3, { prefix: "DG" }));
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  clock.advance(31 * DAY_MS);
  await refreshIdleConnections(app);
  const again = app.browser();
  await again.signIn(OWNER);
  expect(await readCompany(again)).toMatchObject({ connection: "reconnect_needed" });
  await app.work();
  await app.settle();
  expect(
    (await sql`select from run where realm_id <> '' and state = 'waiting'`.execute(app.db)).rows.length,
  ).toBe(1);
  await refreshIdleConnections(app);
  const mails = await listMails(app);
  expect(mails).toEqual([`reconnect_needed ${OPS}`, `reconnect_needed ${OWNER}`]);
  await app.settle();
  expect(app.mailbox().messages().length).toBe(2);
  expect(app.mailbox().messages()[0]?.text).toContain(
    "Uploads wait until an admin of the company in QuickBooks reconnects it.",
  );
  await again.connect(OWNER, ACME);
  const [upload] = (await settledUploads(again, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 3, open: 0 });
  expect(await readCompany(again)).toMatchObject({ connection: "connected" });
});
