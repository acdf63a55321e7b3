import { sql } from "kysely";
import { expect, test } from "vitest";
import { endLink, finishLink, startLink } from "#features/carrier/contract.ts";
import { disconnectCompany, listCompanies, type CompanyView } from "#features/companies/contract.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { grantTracking } from "../../../test/support/members.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../../../test/support/start-app.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import { executeSystemRun } from "../../../test/support/system-runs.ts";

const DAY_MS = 24 * 3_600_000;
const ACCOUNT = "1A2B3C";
const query = { realm_id: ACME };

async function start(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp({ worker: false, limits: NO_CALLER_LIMITS, ...options });
  const browser = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  return { app, browser };
}

/** Goes to UPS and comes back. @returns what the callback page sends */
async function comeBack(app: TestApp, browser: Browser, user = "acme-shipping", account = ACCOUNT) {
  const reply = await browser.call(startLink, { query: { ...query, ups_account: account } });
  const { redirect } = reply.json() as { redirect: string };
  const { searchParams } = await app.ups.signIn(redirect, user);
  return { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
}

const readSettings = async (browser: Browser) => {
  const { companies } = (await browser.call(listCompanies)).json() as {
    companies: { id: string; settings?: { ups_account: string; ups_state: string } }[];
  };
  const { ups_account, ups_state } = companies.find(({ id }) => id === ACME)?.settings ?? {};
  return { ups_account, ups_state };
};

const NONE = { ups_account: "", ups_state: "none" };

test("AP-11 AP-12 AP-13 TR-14 TR-15 TR-16 TR-21 UC-02 a UPS account is connected on UPS's own page, verified, shown, and disconnected", async () => {
  const { app, browser } = await start();
  expect(await readSettings(browser)).toEqual(NONE);
  const json = await comeBack(app, browser, "acme-shipping", " 1a2-b3c ");
  const done = await browser.call(finishLink, { json });
  expect(done.json()).toEqual({ realm_id: ACME, ups_account: ACCOUNT });
  expect(await readSettings(browser)).toEqual({ ups_account: ACCOUNT, ups_state: "connected" });
  expect((await browser.call(endLink, { query: { ...query, ups_account: ACCOUNT } })).status).toBe(200);
  expect(await readSettings(browser)).toEqual(NONE);
  expect((await browser.call(endLink, { query })).status).toBe(200);
});

test("TR-26 the admin sees who connected the UPS account and when it was last used, to ten minutes", async () => {
  const { app, browser, addSamples, ship } = await openShippingDesk();
  const read = async () =>
    ((await browser.call(listCompanies)).json() as { companies: CompanyView[] }).companies[0]?.ups_connection;
  const connection = await read();
  expect(connection).toEqual({ by: "owner@acme.example", at: expect.any(String), used_at: connection?.at });
  await addSamples(1, 2);
  const uses: (string | undefined)[] = [];
  for (const [po, minutes] of [
    ["80001", 30],
    ["80002", 9],
  ] as const) {
    app.clock.advance(minutes * 60_000);
    const before = app.clock.now();
    expect((await ship(po)).status).toBe(200);
    const used = (await read())?.used_at;
    if (po === "80001") expect(Date.parse(used ?? "")).toBeGreaterThanOrEqual(before.getTime());
    uses.push(used);
  }
  expect(uses[1]).toBe(uses[0]);
  expect((await browser.call(endLink, { query })).status).toBe(200);
  expect(await read()).toBeUndefined();
});

test("TR-04 TR-26 VA-05 connecting needs an account number and an active Tracking Service; disconnecting needs neither", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const ask = (ups_account: string) => browser.call(startLink, { query: { ...query, ups_account } });
  expect((await ask(ACCOUNT)).status).toBe(402);
  expect((await browser.call(endLink, { query })).status).toBe(200);
  await grantTracking(app.db, ACME);
  for (const wrong of ["", "12345", "1A2B3C4", "1A2B3!"])
    expect((await ask(wrong)).json()).toMatchObject({
      code: "invalid_ups_account",
      detail: "A UPS account number has 6 letters and digits, such as 1A2B3C.",
    });
  expect((await ask(ACCOUNT)).status).toBe(200);
});

test.each([
  ["a UPS ID without any account", "no-account", ACCOUNT],
  ["a UPS ID of another company's account", "bay-shipping", ACCOUNT],
  ["an account that UPS doesn't know", "acme-shipping", "ZZZZZZ"],
])("%s can sign in at UPS, but connects nothing", async (_name, user, account) => {
  const { app, browser } = await start();
  const reply = await browser.call(finishLink, { json: await comeBack(app, browser, user, account) });
  expect(reply.status).toBe(409);
  expect(reply.json()).toMatchObject({ code: "ups_account_not_theirs" });
  expect((reply.json() as { detail: string }).detail).toContain(`can't use account ${account}`);
  expect(await readSettings(browser)).toEqual(NONE);
});

/** Lets a company go to another owner while UPS verifies an account for its former one. `goOn` lets UPS answer. */
async function startTakeover() {
  const { app, browser } = await start();
  const json = await comeBack(app, browser);
  await app.ups.control("faults", { fault: "latency", operation: "rate", times: 1, ms: 4_000 });
  const goOn = app.clock.stand();
  const finishing = browser.call(finishLink, { json });
  await app.settle(0);
  expect((await browser.call(disconnectCompany, { query })).status).toBe(200);
  const next = app.browser();
  await next.signIn("platform@dockside.example");
  expect(await next.connect("platform@dockside.example", ACME)).toBe(`/app/?connected=${ACME}`);
  return { app, next, finishing, goOn };
}

test("UC-08 GA-03 an account that UPS verifies while its company goes to another owner isn't connected", async () => {
  const { next, finishing, goOn } = await startTakeover();
  goOn();
  const reply = await finishing;
  expect([reply.status, reply.json()]).toMatchObject([403, { code: "ups_request_unknown" }]);
  expect(await readSettings(next)).toEqual(NONE);
});

test("UC-08 GA-03 an account of the former owner that UPS verifies meanwhile stops no events of the new owner's account", async () => {
  const { app, next, finishing, goOn } = await startTakeover();
  await grantTracking(app.db, ACME);
  const theirs = await comeBack(app, next, "bay-shipping", "012345");
  expect((await next.call(finishLink, { json: theirs })).status).toBe(200);
  await sql`update carrier_link set alerts = 'sent'`.execute(app.db);
  goOn();
  expect((await finishing).status).toBe(403);
  const { rows } = await sql`select account, alerts from carrier_link`.execute(app.db);
  expect(rows).toEqual([{ account: "012345", alerts: "sent" }]);
  expect(await readSettings(next)).toEqual({ ups_account: "012345", ups_state: "connected" });
});

test("UC-08 a callback works once, for 10 minutes, and only in the session and for the user that started it", async () => {
  const clock = steppedClock();
  const { app, browser } = await start({ clock });
  const refused = async (who: Browser, json: { code: string; state: string }) => {
    const reply = await who.call(finishLink, { json });
    expect(reply.status).toBe(403);
    expect(reply.json()).toMatchObject({ code: "ups_request_unknown" });
  };
  const otherBrowser = await app.owner(ACME);
  await refused(otherBrowser, await comeBack(app, browser));
  const stranger = await app.owner(BAY, "platform@dockside.example");
  await refused(stranger, await comeBack(app, browser));
  await refused(browser, { code: "x", state: "forged" });
  const late = await comeBack(app, browser);
  clock.advance(11 * 60_000);
  await refused(browser, late);
  const json = await comeBack(app, browser);
  expect((await browser.call(finishLink, { json })).status).toBe(200);
  await refused(browser, json);
});

test("UC-08 a code that UPS gave for another request is refused (PKCE), and the secret isn't sent with one", async () => {
  const { app, browser } = await start();
  const [stolen, own] = [await comeBack(app, browser), await comeBack(app, browser)];
  const body = { user: "acme-shipping", redirect_uri: `${app.url}/ups-callback` };
  const unasked = await app.ups.control<{ code: string }>("codes", body);
  for (const { code } of [stolen, unasked]) {
    const { state } = await comeBack(app, browser);
    const reply = await browser.call(finishLink, { json: { code, state } });
    expect([reply.status, reply.json()]).toMatchObject([409, { code: "ups_refused" }]);
    expect(await readSettings(browser)).toEqual(NONE);
  }
  expect((await browser.call(finishLink, { json: own })).status).toBe(200);
});

test.each([
  { fault: "html_page", status: 403, path: "/security/v1/oauth/token" },
  { fault: "json_refusal", status: 401, path: "/security/v1/oauth/token" },
  { fault: "drop_after", path: "/security/v1/oauth/token" },
  { fault: "server_error", path: "/api/rating" },
  { fault: "html_page", status: 200, path: "/api/rating" },
  { fault: "half_body", path: "/api/rating" },
])("only UPS's own words refuse a connection: $fault $status at $path decides nothing", async (rule) => {
  const { app, browser } = await start();
  const json = await comeBack(app, browser);
  await app.ups.control("faults", rule);
  const reply = await browser.call(finishLink, { json });
  expect(reply.status).toBe(503);
  expect(reply.json()).toMatchObject({ code: "ups_unavailable" });
  expect(await readSettings(browser)).toEqual(NONE);
  await app.ups.control("faults", undefined, "DELETE");
  const again = await comeBack(app, browser);
  expect((await browser.call(finishLink, { json: again })).status).toBe(200);
});

test("a UPS account that nothing uses stays connected for 250 days with few refreshes, each with the next token", async () => {
  const clock = steppedClock();
  const { app, browser } = await start({ clock });
  await browser.call(finishLink, { json: await comeBack(app, browser) });
  for (let day = 0; day < 250; day += 1) {
    clock.advance(DAY_MS);
    await executeSystemRun(app, "carrier.keep-links");
  }
  const { entries } = await app.ups.control<{ entries: { path: string; status: number }[] }>("journal");
  const refreshes = entries.filter(({ path }) => path.endsWith("/refresh"));
  expect(refreshes.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const owner = app.browser();
  await owner.signIn("owner@acme.example");
  expect(await readSettings(owner)).toEqual({ ups_account: ACCOUNT, ups_state: "connected" });
});

test("TR-21 an account that UPS keeps refusing is marked for reconnection and mailed about once; a temporary refusal is not", async () => {
  const clock = steppedClock();
  const { app, browser } = await start({ clock, mail: true });
  await browser.call(finishLink, { json: await comeBack(app, browser) });
  clock.advance(31 * DAY_MS);
  await app.ups.control("faults", {
    fault: "invalid_credentials",
    path: "/security/v1/oauth/refresh",
    times: 1,
  });
  await executeSystemRun(app, "carrier.keep-links");
  clock.advance(DAY_MS);
  await executeSystemRun(app, "carrier.keep-links");
  const signedIn = async () => {
    const owner = app.browser();
    await owner.signIn("owner@acme.example");
    return owner;
  };
  expect(await readSettings(await signedIn())).toMatchObject({ ups_state: "connected" });
  await app.ups.control("tokens/revoke", { user: "acme-shipping" });
  for (let day = 0; day < 34; day += 1) {
    clock.advance(DAY_MS);
    await executeSystemRun(app, "carrier.keep-links");
  }
  expect(await readSettings(await signedIn())).toEqual({
    ups_account: ACCOUNT,
    ups_state: "reconnect_needed",
  });
  await app.work();
  await app.settle();
  expect(app.mailbox().messages().length).toBe(1);
  const [mail] = app.mailbox().messages();
  expect(mail?.subject).toBe("Reconnect the UPS account of Acme Tools");
  const owner = await signedIn();
  await owner.call(finishLink, { json: await comeBack(app, owner) });
  expect(await readSettings(owner)).toEqual({ ups_account: ACCOUNT, ups_state: "connected" });
});

test("TR-27 a UPS login that is refused twice is reported in Settings, and taken back once UPS accepts it; the connection stays", async () => {
  const clock = steppedClock();
  const { app, browser } = await start({ clock, mail: true });
  await browser.call(finishLink, { json: await comeBack(app, browser) });
  const nextDay = async () => {
    clock.advance(31 * DAY_MS);
    await app.ups.control("tokens/expire", {});
    await executeSystemRun(app, "carrier.keep-links");
    const owner = app.browser();
    await owner.signIn("owner@acme.example");
    return readSettings(owner);
  };
  const again = async () => {
    await executeSystemRun(app, "carrier.keep-links");
    const owner = app.browser();
    await owner.signIn("owner@acme.example");
    return readSettings(owner);
  };
  await app.ups.control("faults", {
    fault: "invalid_credentials",
    path: "/security/v1/oauth/refresh",
    times: 2,
  });
  expect(await nextDay()).toMatchObject({ ups_state: "connected" });
  expect(await again()).toEqual({ ups_account: ACCOUNT, ups_state: "reconnect_needed" });
  expect(await again()).toEqual({ ups_account: ACCOUNT, ups_state: "connected" });
  await app.work();
  await app.settle();
  expect(app.mailbox().messages()).toEqual([]);
});

test("TR-27 an app secret that UPS refuses is reported to the operator, and ends no customer's connection", async () => {
  const clock = steppedClock();
  const { app, browser } = await start({ clock });
  await browser.call(finishLink, { json: await comeBack(app, browser) });
  const refused = { status: 401, code: "10401", message: "ClientId is Invalid" };
  await app.ups.control("faults", {
    fault: "refusal",
    path: "/security/v1/oauth/refresh",
    times: 3,
    ...refused,
  });
  clock.advance(31 * DAY_MS);
  for (let time = 0; time < 3; time += 1) await executeSystemRun(app, "carrier.keep-links");
  const health = async () => {
    const { failing, ups } = (await app.browser().request("/readyz")).json() as {
      failing: string[];
      ups: string | null;
    };
    return { failing, ups };
  };
  expect(await health()).toEqual({
    failing: ["ups"],
    ups: "UPS refuses the client ID or the secret of this installation (10401: ClientId is Invalid). Correct UPS_CLIENT_ID and UPS_CLIENT_SECRET.",
  });
  await executeSystemRun(app, "carrier.keep-links");
  expect(await health()).toEqual({ failing: [], ups: null });
  const owner = app.browser();
  await owner.signIn("owner@acme.example");
  expect(await readSettings(owner)).toEqual({ ups_account: ACCOUNT, ups_state: "connected" });
});
