import { sql } from "kysely";
import { expect, test } from "vitest";
import { parseSealingKeys, seal } from "#platform/crypto/seal.ts";
import {
  disconnectCompany,
  listCompanies,
  readConnection,
  switchCompany,
} from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { checkRows, postSeen } from "../../../test/support/checks.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { ACME, BAY, holdCalls } from "../../../test/support/intuit.ts";
import { addMember } from "../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

const companyNames = async (browser: Awaited<ReturnType<TestApp["owner"]>>) =>
  ((await browser.call(getUser)).json() as { companies: { name: string }[] }).companies.map(
    ({ name }) => name,
  );

const revocations = async (app: TestApp) =>
  (await app.intuit.control<{ entries: unknown[] }>("journal?operation=oauth.revoke")).entries.length;

test("DC-01 DC-02 disconnecting revokes our access at Intuit, deletes the tokens and removes the company from the list", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const answer = await browser.call(disconnectCompany, { query });
  expect(answer.json()).toEqual({ disconnected_at: expect.stringMatching(/Z$/), waiting_uploads: 0 });
  expect(await companyNames(browser)).toEqual([]);
  expect((await browser.call(listCompanies)).json()).toEqual({ companies: [] });
  const { rows } = await sql`select state, access_token_sealed || refresh_token_sealed as tokens
    from intuit_connection`.execute(app.db);
  expect(rows).toEqual([{ state: "disconnected", tokens: "" }]);
  await expect(app.application.invoices.books(ACME).companyInfo()).rejects.toMatchObject({
    kind: "reconnect",
  });
  expect((await browser.call(disconnectCompany, { query })).status).toBe(200);
  expect(await revocations(app)).toBe(1);
});

test("DC-01 a company that needs to be reconnected can be disconnected without its key, or while Intuit is away", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.connect("owner@acme.example", BAY);
  const removed = parseSealingKeys(`gone:${Buffer.alloc(32, 8).toString("base64")}`);
  const { rows } = await sql<{
    id: string;
  }>`select id from intuit_connection where realm_id = ${ACME}`.execute(app.db);
  await sql`update intuit_connection set state = 'reconnect_needed'`.execute(app.db);
  await sql`update intuit_connection set refresh_token_sealed = ${seal(removed, rows[0]?.id ?? "", "a token")}
    where realm_id = ${ACME}`.execute(app.db);
  expect((await browser.call(disconnectCompany, { query })).status).toBe(200);
  await app.intuit.control("faults", [{ fault: "503", match: { operation: "oauth.revoke" } }]);
  expect((await browser.call(disconnectCompany, { query: { realm_id: BAY } })).status).toBe(200);
  const states = await sql<{ state: string }>`select distinct state from intuit_connection`.execute(app.db);
  expect(states.rows).toEqual([{ state: "disconnected" }]);
});

test("DC-02 disconnecting reports the number of waiting uploads", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  for (const number of ["W-1", "W-2"]) await uploadRows(browser, ACME, [invoiceLine(number)]);
  expect((await browser.call(disconnectCompany, { query })).json()).toMatchObject({ waiting_uploads: 2 });
});

test("DC-02 a check submitted for posting waits like an upload, an unsubmitted one does not", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const stop = await app.work();
  const check = (number: string) => checkRows(browser, ACME, { rows: [invoiceLine(number)] });
  const asked = await check("W-1");
  await check("W-2");
  await stop();
  expect((await postSeen(browser, ACME, asked)).status).toBe(202);
  expect((await browser.call(disconnectCompany, { query })).json()).toMatchObject({ waiting_uploads: 1 });
});

test("SE-09 the company named in the call is disconnected, even if the session's company is another", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME, "platform@dockside.example");
  await browser.connect("platform@dockside.example", BAY);
  expect((await browser.call(switchCompany, { query })).status).toBe(200);
  expect((await browser.call(disconnectCompany, { query: { realm_id: BAY } })).status).toBe(200);
  expect(await companyNames(browser)).toEqual(["Acme Tools"]);
  expect((await app.application.invoices.books(ACME).companyInfo()).data.CompanyName).toBe("Acme Tools");
});

test("DC-02 reconnecting a disconnected company restores it with its members", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.call(disconnectCompany, { query });
  await browser.connect("owner@acme.example", ACME);
  expect(await companyNames(browser)).toEqual(["Acme Tools"]);
  expect((await app.application.invoices.books(ACME).companyInfo()).data.CompanyName).toBe("Acme Tools");
});

test("DC-02 a member who is not the company's admin cannot disconnect it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  expect((await clerk.call(disconnectCompany, { query })).json()).toMatchObject({
    code: "not_company_admin",
  });
  expect(await companyNames(owner)).toEqual(["Acme Tools"]);
});

test("DC-02 the state of a connection is read from Intuit, so a disconnection in QuickBooks shows at once", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  const state = async () => (await clerk.call(readConnection, { query })).json();
  expect(await state()).toEqual({ connection: "connected" });
  await app.intuit.control("faults", [{ fault: "503", match: { operation: "companyinfo.read" }, count: 9 }]);
  const goOn = clock.stand();
  const outage = state();
  const countFailed = async () =>
    (await app.intuit.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired;
  await app.settle(0);
  expect(await countFailed()).toBe(1);
  clock.advance(5_000);
  expect(await outage).toEqual({ connection: "unknown" });
  goOn();
  await app.intuit.control("faults", undefined, "DELETE");
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  expect(await state()).toEqual({ connection: "reconnect_needed" });
  expect((await owner.call(listCompanies)).json()).toMatchObject({
    companies: [{ connection: "reconnect_needed" }],
  });
  await owner.connect("owner@acme.example", ACME);
  expect(await state()).toEqual({ connection: "connected" });
});

test("DC-02 if Intuit does not answer, the connection is reported as unknown within seconds", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  const hold = await holdCalls(app.intuit, { operation: "companyinfo.read" });
  const reading = owner.call(readConnection, { query });
  await hold.hit();
  clock.advance(5_000);
  expect((await reading).json()).toEqual({ connection: "unknown" });
});

test("DC-02 if Intuit does not answer, nothing changes and the page says so", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await app.intuit.control("faults", [{ fault: "503", match: { operation: "oauth.revoke" }, count: 9 }]);
  expect((await browser.call(disconnectCompany, { query })).json()).toMatchObject({
    status: 503,
    code: "intuit_unavailable",
  });
  expect(await companyNames(browser)).toEqual(["Acme Tools"]);
  expect((await app.application.invoices.books(ACME).companyInfo()).data.CompanyName).toBe("Acme Tools");
});

test("DC-02 disconnecting waits for a token renewal in progress and revokes the new token", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await app.intuit.control("settings", { rotation: "every-time" }, "PATCH");
  await app.intuit.control("tokens/expire", { realmId: ACME });
  const hold = await holdCalls(app.intuit, { operation: "oauth.refresh_token" });
  const reading = app.application.invoices
    .books(ACME)
    .companyInfo()
    .catch(() => undefined);
  await hold.hit();
  const disconnecting = browser.call(disconnectCompany, { query });
  const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await app.settle();
  expect((await waiting.execute(app.db)).rows[0]?.n).toBe(1);
  expect(await revocations(app)).toBe(0);
  await hold.release();
  expect((await disconnecting).status).toBe(200);
  await reading;
  expect(await revocations(app)).toBe(1);
  const { rows } = await sql`select state, refresh_token_sealed as token from intuit_connection`.execute(
    app.db,
  );
  expect(rows).toEqual([{ state: "disconnected", token: "" }]);
});

test("DC-02 a company that was disconnected in QuickBooks can still be disconnected here", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  expect((await browser.call(disconnectCompany, { query })).status).toBe(200);
  expect(await companyNames(browser)).toEqual([]);
});
