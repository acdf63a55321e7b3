import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { get } from "node:http";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, inject, onTestFinished, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { type Device, getUser, listDevices, signOutDevices } from "#features/identity/contract.ts";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { createWebServer } from "../../main/web-server.ts";
import { databaseUrl } from "../../../test/support/database.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { ACME, NEWCOMER } from "../../../test/support/intuit.ts";
import { setGroups } from "../../../test/support/members.ts";

test("LG-01 /login/ leads to Intuit and then to the user's landing page with their data", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  const start = await browser.request("/login/");
  expect(start.status).toBe(302);
  expect(start.location).toContain(`${app.intuit.url}/connect/oauth2?`);
  expect(await browser.signIn("owner@acme.example")).toBe("/app/");
  const user = await browser.call(getUser);
  expect(user.status).toBe(200);
  expect(user.json()).toEqual({
    first_name: "Olive",
    last_name: "Owner",
    username: "owner@acme.example",
    email: "owner@acme.example",
    groups: ["app", "brainchild"],
    companies: [],
  });
});

test("RT-12 sign-in returns to the path it was asked for", async () => {
  const app = await startApp({ worker: false });
  expect(await app.browser().signIn("owner@acme.example", "/label/?ups=1")).toBe("/label/?ups=1");
});

test("SR-14 who gets started signs in at once, and without a company goes on to connect one", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  const start = async () => (await browser.request("/start/")).location;
  expect(await start()).toBe("/login/?next=%2Fstart%2F");
  expect(await browser.signIn("new@newcomer.example", "/start/")).toBe("/start/");
  expect(await start()).toBe("/get-app/?next=%2Fapp%2F");
  await browser.connect("new@newcomer.example", NEWCOMER);
  expect(await start()).toBe("/app/");
});

test("LG-02 an address of another site in next is not followed", async () => {
  const app = await startApp({ worker: false });
  expect(await app.browser().signIn("owner@acme.example", "//evil.example/")).toBe("/app/");
});

test("LG-04 a refusal at Intuit leads to the page that says so", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  const start = await browser.request("/login/?next=/label/");
  const state = new URL(start.location ?? "").searchParams.get("state") ?? "";
  const back = await browser.request(
    `/oauth/intuit/callback?error=access_denied&state=${encodeURIComponent(state)}`,
  );
  expect(back.location).toMatch(/^\/login\/failed\?reason=refused&support_id=[\w-]+&next=%2Flabel%2F$/);
});

test("LG-05 a user whose e-mail Intuit has not verified can't sign in", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  expect(await browser.signIn("una@acme.example")).toContain("/login/failed?reason=unverified");
  expect((await browser.call(getUser)).status).toBe(401);
});

test.each([
  [
    "group app if all users get it",
    { GROUP_APP: "*", GROUP_BRAINCHILD: "nobody@acme.example" },
    "labels@acme.example",
    ["app"],
  ],
  [
    "the groups the configuration gives, however it writes the e-mail",
    { GROUP_APP: "*", GROUP_BRAINCHILD: "*", GROUP_ADMIN: "Plain@Acme.Example" },
    "plain@acme.example",
    ["app", "brainchild", "admin"],
  ],
  [
    "no group that is reserved for others",
    { GROUP_APP: "owner@acme.example", GROUP_ADMIN: "owner@acme.example" },
    "plain@acme.example",
    [],
  ],
] as const)(
  "LG-05 at the first sign-in an account is created from the verified e-mail, with %s",
  async (_which, env, email, groups) => {
    const app = await startApp({ worker: false, env });
    const browser = app.browser();
    await browser.signIn(email);
    expect((await browser.call(getUser)).json()).toMatchObject({ email, username: email, groups });
    await browser.signIn(email);
    const { rows } = await sql`select email, groups from app_user`.execute(app.db);
    expect(rows).toEqual([{ email, groups }]);
  },
);

/** Restarts the product on the same database, as after a configuration change. */
async function startAgain(app: TestApp, groupMembers: TestApp["config"]["groupMembers"]): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const config = { ...app.config, groupMembers };
  const url = databaseUrl(inject("databaseUrl"), rows[0]?.name ?? "");
  const web = await createWebServer(
    { ...app.application, config },
    {
      pagesFolder: join(import.meta.dirname, "../../../test/support/pages"),
      changes: await createChangeFeed(url, app.application.ctx),
    },
  );
  onTestFinished(() => web.close());
}

test("RL-07 open sessions lose a group removed from the configuration at their next request", async () => {
  const app = await startApp({ worker: false });
  const browsers = { owner: app.browser(), platform: app.browser() };
  for (const [name, browser] of Object.entries(browsers))
    await browser.signIn(name === "owner" ? "owner@acme.example" : "platform@dockside.example");
  const groups = async () =>
    Promise.all(
      Object.values(browsers).map(
        async (browser) => ((await browser.call(getUser)).json() as { groups: string[] }).groups,
      ),
    );
  expect(await groups()).toEqual([
    ["app", "brainchild"],
    ["app", "brainchild", "admin"],
  ]);
  await startAgain(app, { app: ["*"], brainchild: ["platform@dockside.example"], admin: [] });
  expect(await groups()).toEqual([["app"], ["app", "brainchild"]]);
});

test("RL-07 groups are given at each sign-in, not only the first", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  await setGroups(app.db, []);
  await browser.signIn("owner@acme.example");
  expect((await browser.call(getUser)).json()).toMatchObject({ groups: ["app", "brainchild"] });
});

test("a sign-in answer works once, only in its own browser and only with a state that we issued", async () => {
  const app = await startApp({ worker: false });
  const [mine, other] = [app.browser(), app.browser()];
  const start = new URL((await mine.request("/login/")).location ?? "");
  const request = {
    scope: start.searchParams.get("scope") ?? "",
    redirectUri: start.searchParams.get("redirect_uri") ?? "",
  };
  const code = await app.intuit.grant({ email: "owner@acme.example", ...request });
  const callback = `/oauth/intuit/callback?code=${encodeURIComponent(code)}&state=${start.searchParams.get("state")}`;
  expect((await other.request(callback)).location).toContain("reason=cookies");
  expect((await mine.request("/oauth/intuit/callback?code=x&state=forged")).location).toContain(
    "reason=expired",
  );
  await mine.request("/login/");
  expect((await mine.request(callback)).location).toContain("/login/failed");
  expect((await mine.call(getUser)).status).toBe(401);
});

test("sign-in at an address other than the public one goes to the public one first, once", async () => {
  const app = await startApp({ worker: false });
  const { port } = new URL(app.url);
  const start = (path: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const headers = { host: `127.0.0.1:${port}` };
    get({ host: "localhost", port, path, headers }, (reply) => resolve(reply.resume().headers.location)).on(
      "error",
      reject,
    );
    return promise;
  };
  const moved = await start("/login/?next=/label/");
  expect(moved).toBe(`${app.url}/login/?next=%2Flabel%2F&moved=1`);
  const { pathname, search } = new URL(moved ?? "");
  expect(await start(pathname + search)).toContain(`${app.intuit.url}/connect/oauth2?`);
  expect((await app.browser().request(pathname + search)).location).toContain("/connect/oauth2?");
});

test("a callback that is reloaded leads a signed-in user to their page, and a guest to the failure page", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  const callback = "/oauth/intuit/callback?code=used&state=used";
  expect((await browser.request(callback)).location).toBe("/app/");
  expect((await browser.call(getUser)).status).toBe(200);
  expect((await app.browser().request(callback)).location).toContain("/login/failed?reason=cookies");
});

test("a new sign-in gets a new session and ends the browser's old one", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  const old = new Map(browser.cookies);
  await browser.signIn("clerk@acme.example");
  expect(browser.cookies.get("dockside_session")).not.toBe(old.get("dockside_session"));
  const thief = app.browser();
  for (const [name, value] of old) thief.cookies.set(name, value);
  expect((await thief.call(getUser)).status).toBe(401);
});

test("LO-01 LO-02 /logout/ ends the session on the server and clears its cookie, and the company stays connected", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const session = browser.cookies.get("dockside_session") ?? "";
  const out = await browser.request("/logout/");
  expect(out.location).toBe("/?signed_out=1");
  expect(out.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^dockside_session=; (Max-Age=0; )?Path=\/; Expires=Thu, 01 Jan 1970/),
  ]);
  browser.cookies.set("dockside_session", session);
  expect((await browser.call(getUser)).status).toBe(401);
  await browser.signIn("owner@acme.example");
  expect((await browser.call(listCompanies)).json()).toMatchObject({
    companies: [{ id: ACME, connection: "connected" }],
  });
});

test("LO-02 UO-16 what a page shows doesn't sign the user out or begin a sign-in: only a browser that goes there does", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  const ask = async (path: string, dest: string) =>
    (await browser.request(path, { headers: { "sec-fetch-site": "same-origin", "sec-fetch-dest": dest } }))
      .status;
  for (const dest of ["image", "style", "font", "script", "iframe", "empty"])
    for (const path of ["/logout/", "/login/", "/get-app/connect", "/oauth/intuit/callback"])
      expect([path, dest, await ask(path, dest)]).toEqual([path, dest, 403]);
  expect((await browser.call(getUser)).status).toBe(200);
  expect(await ask("/logout/", "document")).toBe(302);
  expect((await browser.call(getUser)).status).toBe(401);
});

test("LO-02 a link on another site does not sign the user out: it leads to a page that asks", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  const out = await browser.request("/logout/", { headers: { "sec-fetch-site": "cross-site" } });
  expect(out.location).toBe("/logout/confirm");
  expect((await browser.call(getUser)).status).toBe(200);
  for (const referer of ["https://evil.example/", "about:blank", "nonsense"]) {
    const old = await browser.request("/logout/", { headers: { referer } });
    expect([referer, old.location]).toEqual([referer, "/logout/confirm"]);
  }
  const again = await browser.request("/login/?next=%2Flogout%2F");
  expect(again.location).toContain(app.intuit.url);
  expect(await browser.signIn("owner@acme.example", "/logout/")).toBe("/app/");
  const forged = await browser.request("/logout/", {
    method: "POST",
    headers: { origin: "https://evil.example" },
  });
  expect(forged.status).toBe(403);
  expect((await browser.request("/logout/", { method: "POST" })).location).toBe("/?signed_out=1");
});

test("SE-25 a user sees their devices and signs out one or all others, but none of another user's", async () => {
  const app = await startApp({ worker: false });
  const [desk, phone, laptop, stranger] = [app.browser(), app.browser(), app.browser(), app.browser()];
  for (const browser of [desk, phone, laptop]) await browser.signIn("owner@acme.example");
  await stranger.signIn("clerk@acme.example");
  const list = async (browser: typeof desk) =>
    ((await browser.call(listDevices)).json() as { devices: Device[] }).devices;
  const isIn = async (browser: typeof desk) => (await browser.call(getUser)).status === 200;
  const devices = await list(desk);
  expect(devices.filter(({ is_this: isThis }) => isThis)).toHaveLength(1);
  expect(devices).toHaveLength(3);
  const [ofPhone] = (await list(phone)).filter(({ is_this: isThis }) => isThis);
  const end = async (browser: typeof desk, id = "others") =>
    (await browser.call(signOutDevices, { query: { id } })).json();
  expect(await end(stranger, ofPhone?.id)).toEqual({ signed_out: 0 });
  expect(await isIn(phone)).toBe(true);
  expect(await end(desk, ofPhone?.id)).toEqual({ signed_out: 1 });
  expect([await isIn(desk), await isIn(phone), await isIn(laptop)]).toEqual([true, false, true]);
  expect(await end(desk)).toEqual({ signed_out: 1 });
  expect([await isIn(desk), await isIn(laptop), await isIn(stranger)]).toEqual([true, false, true]);
});

test("SE-25 a user has at most twenty sessions: a further sign-in ends the oldest", async () => {
  const app = await startApp({ worker: false });
  const browsers = Array.from({ length: 22 }, () => app.browser());
  for (const browser of browsers) await browser.signIn("owner@acme.example");
  const stranger = app.browser();
  await stranger.signIn("clerk@acme.example");
  const statuses = [];
  for (const browser of [...browsers, stranger]) statuses.push((await browser.call(getUser)).status);
  expect(statuses).toEqual([401, 401, ...Array.from({ length: 21 }, () => 200)]);
});

test("RL-04 an e-mail with a look-alike letter is not another user's: it can't sign in", async () => {
  const app = await startApp({ worker: false, env: { GROUP_ADMIN: "clerk@acme.example" } });
  const email = "cler\u212A@acme.example";
  const user = { sub: "u-kelvin", givenName: "Kel", familyName: "Vin", email, emailVerified: true };
  await app.intuit.control("seed", { users: [user] });
  const browser = app.browser();
  expect(await browser.signIn(email)).toContain("/login/failed?reason=not_an_email");
  expect((await browser.call(getUser)).status).toBe(401);
});

test("a session ends after twelve idle hours", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  clock.advance(11 * 3_600_000);
  expect((await browser.call(getUser)).status).toBe(200);
  clock.advance(11 * 3_600_000);
  expect((await browser.call(getUser)).status).toBe(200);
  clock.advance(12 * 3_600_000 + 1);
  expect((await browser.call(getUser)).status).toBe(401);
});

test("FR-30 without a session the answer is a problem document with the specified sentence", async () => {
  const app = await startApp({ worker: false });
  const reply = await app.browser().call(getUser);
  expect(reply.headers.get("content-type")).toContain("application/problem+json");
  expect(reply.json()).toMatchObject({
    status: 401,
    code: "sign_in_required",
    detail: "You must sign in with Intuit to access the app.",
    request_id: reply.headers.get("x-request-id"),
  });
});

test("the callback renders nothing while a code is in the address", async () => {
  const app = await startApp({ worker: false });
  const reply = await app.browser().request("/oauth/intuit/callback?code=x&state=y&realmId=1");
  expect(reply.status).toBe(302);
  expect(reply.text).toBe("");
});

test("a user is known by their id at Intuit: they keep their companies under a new e-mail, and who gets the old one has none of them", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const { users } = await app.intuit.control<{ users: { sub: string; email: string }[] }>("users");
  const known = users.find(({ email }) => email === "owner@acme.example");
  const user = { givenName: "Olive", familyName: "Owner", emailVerified: true };
  const signInAs = async (sub: string, email: string) => {
    await app.intuit.control("seed", { users: [{ ...user, sub, email }] });
    const browser = app.browser();
    await browser.signIn(email);
    return (await browser.call(getUser)).json();
  };
  expect(await signInAs(known?.sub ?? "", "olive@new.example")).toMatchObject({
    email: "olive@new.example",
    companies: [{ id: ACME }],
  });
  expect(await signInAs("u-other", "owner@acme.example")).toMatchObject({
    email: "owner@acme.example",
    companies: [],
  });
});

test("GA-02 a new user connects a company and becomes its admin", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("new@newcomer.example");
  expect(await browser.connect("new@newcomer.example", NEWCOMER)).toBe(`/app/?connected=${NEWCOMER}`);
  expect((await browser.call(getUser)).json()).toMatchObject({
    companies: [{ id: NEWCOMER, name: "Newcomer Trading", admin: "new@newcomer.example" }],
  });
});
