import { systemClock } from "#platform/clock.ts";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { endpoint, type Access } from "#contract/endpoint.ts";
import { currentCompany } from "#features/companies/authorize-call.ts";
import type { Caller } from "#features/companies/index.ts";
import {
  addUser,
  disconnectCompany,
  listCompanies,
  readRefusal,
  switchCompany,
} from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { previewUndo, startUndo } from "#features/invoices/undo/contract.ts";
import { readFolder, saveFolder } from "#features/orders/folders/contract.ts";
import { makeKey } from "#features/programs/api-keys/contract.ts";
import { createAuthorize } from "#features/programs/index.ts";
import { addWebhook, listWebhooks } from "#features/programs/webhooks/contract.ts";
import { parseSealingKeys, unseal } from "#platform/crypto/seal.ts";
import { safeCookie } from "#platform/http/cookies.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { createMount } from "#platform/http/mount.ts";
import { createGate } from "#platform/http/gate.ts";
import { createHttpServer } from "#platform/http/server.ts";
import * as z from "zod";
import { createApplication } from "../../main/application.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { addMember, grantTracking, setGroups } from "../../../test/support/members.ts";
import { ACME, BAY, liftLimits, MAPLE, NEWCOMER } from "../../../test/support/intuit.ts";
import { linkUps } from "../../../test/support/shipping.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../../../test/support/start-app.ts";
import { uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";
const PLATFORM = "platform@dockside.example";
const NEWBIE = "new@newcomer.example";
const KEYS = parseSealingKeys(`t1:${Buffer.alloc(32, 7).toString("base64")}`);

/** Endpoint that replies with the company of the call, guarded like the product's own. */
async function openProbe(app: TestApp, access: Access) {
  const { ctx } = app.application;
  const web = await createHttpServer({
    clock: systemClock,
    log: ctx.log,
    ids: ctx.ids,
    https: false,
    proxies: 0,
  });
  const cookie = safeCookie({ name: "dockside_session", https: false, lifeMs: 60_000 });
  const probe = endpoint({
    method: "GET",
    path: "/probe",
    summary: "Says which company a call is about",
    access,
    response: z.object({ realm_id: z.string() }),
  });
  const mount = createMount<Caller>(web, {
    authorize: createAuthorize(ctx, cookie),
    readSession: () => null,
    gate: createGate(ctx.clock, HTTP_LIMITS),
  });
  mount(probe, (_input, call) => Promise.resolve({ realm_id: currentCompany(call).realmId }));
  await web.listen({ port: 0, host: "localhost" });
  onTestFinished(() => web.close());
  const { port } = web.server.address() as AddressInfo;
  return async (browser: Browser, headers: Record<string, string> = {}, query = "") => {
    const cookies = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(`http://localhost:${port}/probe${query}`, {
      headers: { cookie: cookies, ...headers },
    });
    const body = (await response.json()) as { realm_id?: string; code?: string; detail?: string };
    return body.realm_id ?? `${response.status} ${body.code}`;
  };
}

/** Comes back from Intuit to the connect request the browser has started. */
async function comeBack(
  app: TestApp,
  browser: Browser,
  { email, granted, named }: { email: string; granted?: string; named: string },
): Promise<string> {
  const start = new URL((await browser.request("/get-app/connect")).location ?? "");
  const code = await app.intuit.grant({
    email,
    ...(granted ? { realmId: granted } : {}),
    scope: start.searchParams.get("scope") ?? "",
    redirectUri: start.searchParams.get("redirect_uri") ?? "",
  });
  const query = new URLSearchParams({
    code,
    state: start.searchParams.get("state") ?? "",
    realmId: named,
  });
  return (await browser.request(`/oauth/intuit/callback?${query}`)).location ?? "";
}

type CountedTable = "company" | "intuit_connection" | "company_member" | "carrier_link";

async function countRows(app: TestApp, table: CountedTable) {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(app.db);
  return Number(rows[0]?.n);
}

test("CO-09 CO-10 QC-14 QC-15 AP-05 AP-06 the company's admin sees users and settings, other members see neither", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn(CLERK);
  await addMember(app.db, ACME, CLERK);
  const shared = { id: ACME, name: "Acme Tools", admin: OWNER, services: [], connection: "connected" };
  expect((await owner.call(listCompanies)).json()).toEqual({
    companies: [
      {
        ...shared,
        paid_services: [],
        authorized_users: [CLERK, OWNER],
        invited_users: [],
        settings: {
          contact_email: OWNER,
          ups_account: "",
          ups_state: "none",
          attach_pods: "false",
          pods_on_send: "false",
          pods_together: "false",
          freight_on_invoices: "false",
          invoice_lookback: 30,
        },
      },
    ],
  });
  expect((await clerk.call(listCompanies)).json()).toEqual({ companies: [shared] });
  for (const browser of [owner, clerk]) {
    expect((await browser.call(getUser)).json()).toMatchObject({
      companies: [{ id: ACME, name: "Acme Tools", admin: OWNER }],
    });
  }
});

test("RL-01 in a company without an admin every member sees users and settings", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn(CLERK);
  await addMember(app.db, ACME, CLERK);
  await sql`update company set admin_id = null`.execute(app.db);
  expect((await clerk.call(listCompanies)).json()).toMatchObject({
    companies: [{ admin: null, authorized_users: [CLERK, OWNER] }],
  });
});

test("a user without a company is asked to connect one, and lists none", async () => {
  const app = await startApp({ worker: false });
  const probe = await openProbe(app, { kind: "member" });
  const browser = app.browser();
  await browser.signIn(NEWBIE);
  expect((await browser.call(listCompanies)).json()).toEqual({ companies: [] });
  expect(await probe(browser)).toBe("400 no_company");
});

test("CO-11 switching makes a company the default of this session only", async () => {
  const app = await startApp({ worker: false });
  const here = await app.owner(ACME);
  await here.connect(OWNER, BAY);
  const elsewhere = app.browser();
  await elsewhere.signIn(OWNER);
  const probe = await openProbe(app, { kind: "member" });
  expect(await probe(here)).toBe(ACME);
  const switched = await here.call(switchCompany, { query: { realm_id: BAY } });
  expect([switched.status, switched.json()]).toEqual([200, {}]);
  expect(await probe(here)).toBe(BAY);
  expect(await probe(elsewhere)).toBe(ACME);
});

test("CO-11 switching to another user's company changes nothing", async () => {
  const app = await startApp({ worker: false });
  await app.owner(BAY, PLATFORM);
  const browser = await app.owner(ACME);
  const probe = await openProbe(app, { kind: "member" });
  await browser.call(switchCompany, { query: { realm_id: ACME } });
  expect((await browser.call(switchCompany, { query: { realm_id: BAY } })).status).toBe(403);
  expect(await probe(browser)).toBe(ACME);
});

test("CO-12 two tabs of one session work on two companies, each on the one it names", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.connect(OWNER, BAY);
  await browser.call(switchCompany, { query: { realm_id: BAY } });
  const probe = await openProbe(app, { kind: "member" });
  const tabs = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ACME : BAY));
  expect(await Promise.all(tabs.map((realmId) => probe(browser, { "x-realm-id": realmId })))).toEqual(tabs);
  expect(await probe(browser, { "x-realm-id": BAY }, `?realm_id=${ACME}`)).toBe(ACME);
  expect(await probe(browser)).toBe(BAY);
});

test("admin calls are refused to other members with a message, and open to all members if no admin is set", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = app.browser();
  await clerk.signIn(CLERK);
  await addMember(app.db, ACME, CLERK);
  const probe = await openProbe(app, { kind: "member", admin: true });
  expect(await probe(owner)).toBe(ACME);
  expect(await probe(clerk)).toBe("403 not_company_admin");
  await sql`update company set admin_id = null`.execute(app.db);
  expect(await probe(clerk)).toBe(ACME);
});

test.each([
  ["app", [OWNER, CLERK, PLATFORM, NEWBIE]],
  ["brainchild", [OWNER, "labels@acme.example", PLATFORM]],
  ["admin", [PLATFORM]],
] as const)("RL-07 calls of group %s are open to its users only", async (group, allowed) => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const probe = await openProbe(app, { kind: "member", group });
  const users = [OWNER, CLERK, "labels@acme.example", PLATFORM, NEWBIE, "plain@acme.example"];
  for (const email of users) {
    const browser = app.browser();
    await browser.signIn(email);
    if (email !== OWNER) await addMember(app.db, ACME, email);
    const expected = (allowed as readonly string[]).includes(email) ? ACME : "403 missing_group";
    expect(await probe(browser), email).toBe(expected);
  }
});

test("RL-04 e-mails are stored trimmed and in lower case, so letter case never keeps a user out of their company", async () => {
  const app = await startApp({ worker: false });
  const email = " Mixed.Case@Acme.Example ";
  await app.intuit.control("seed", {
    users: [{ sub: "mixed-1", email, givenName: "Mia", familyName: "Mixed" }],
    companies: [{ realmId: "9130357849019999", name: "Mixed Goods", admins: ["mixed-1"] }],
  });
  const browser = app.browser();
  await browser.signIn(email);
  expect(await browser.connect(email, "9130357849019999")).toBe("/settings/?connected=9130357849019999");
  expect((await browser.call(getUser)).json()).toMatchObject({
    username: "mixed.case@acme.example",
    email: "mixed.case@acme.example",
    companies: [{ admin: "mixed.case@acme.example" }],
  });
  expect((await browser.call(listCompanies)).json()).toMatchObject({
    companies: [{ authorized_users: ["mixed.case@acme.example"] }],
  });
});

test("GA-02 guests who connect a company sign in first and continue", async () => {
  const app = await startApp({ worker: false });
  const reply = await app.browser().request("/get-app/connect");
  expect(reply.location).toBe("/login/?next=%2Fget-app%2Fconnect");
});

test("GA-02 after connecting a company the user returns to the page they came from, else to their landing page", async () => {
  const app = await startApp({ worker: false, limits: NO_CALLER_LIMITS });
  const browser = app.browser();
  const from = "/settings/?section=users";
  const start = `/get-app/connect?${new URLSearchParams({ next: from })}`;
  const login = (await browser.request(start)).location ?? "";
  expect(new URL(login, app.url).searchParams.get("next")).toBe(start);
  await browser.signIn(OWNER);
  expect(await browser.connect(OWNER, ACME, from)).toBe(`/settings/?section=users&connected=${ACME}`);
  expect(await browser.connect(OWNER, MAPLE, from)).toBe(
    `/get-app/?${new URLSearchParams({ error: "wrong_country", next: from })}`,
  );
  const work = `/app/?connected=${ACME}`;
  for (const next of ["/", "/disconnect/", "/app/../logout/", "//evil.example/app/", "/apple", ""])
    expect(await browser.connect(OWNER, ACME, next), next).toBe(work);
  await setGroups(app.db, ["brainchild"]);
  expect(await browser.connect(OWNER, ACME)).toBe(`/label/?connected=${ACME}`);
  expect(await browser.connect(OWNER, ACME, "/add-in")).toBe(`/add-in?connected=${ACME}`);
});

test("GA-02 connecting asks Intuit for the books; signing in never does", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  const signIn = new URL((await browser.request("/login/")).location ?? "");
  await browser.signIn(OWNER);
  const connect = new URL((await browser.request("/get-app/connect")).location ?? "");
  expect(signIn.searchParams.get("scope")).toBe("openid profile email");
  expect(connect.searchParams.get("scope")).toContain("com.intuit.quickbooks.accounting");
});

test("GA-03 a company connected by others is not taken over: its name and admin are shown, nothing is stored, and their access continues", async () => {
  const app = await startApp({ worker: false });
  await app.owner(BAY, PLATFORM);
  const before = await sql`select * from intuit_connection`.execute(app.db);
  const owner = app.browser();
  await owner.signIn(OWNER);
  const path = new URL(await owner.connect(OWNER, BAY), app.url);
  expect(path.pathname).toBe("/get-app/");
  const refusal = path.searchParams.get("refusal") ?? "";
  expect(Object.fromEntries(path.searchParams)).toEqual({ error: "already_connected", refusal });
  expect(path.search).not.toMatch(/Bay|dockside\.example/);
  expect((await owner.call(readRefusal, { query: { refusal } })).json()).toEqual({
    company: "Bay Supply",
    admin: PLATFORM,
  });
  expect((await sql`select * from intuit_connection`.execute(app.db)).rows).toEqual(before.rows);
  expect(await countRows(app, "company_member")).toBe(1);
  expect((await owner.call(listCompanies)).json()).toEqual({ companies: [] });
  const { data } = await app.application.invoices.books(BAY).companyInfo();
  expect(data.CompanyName).toBe("Bay Supply");
});

test.each([
  ["a new company", false],
  ["a company that another user disconnected", true],
])(
  "GA-03 of two users who connect %s at the same moment, one becomes its admin and the other sees whom to ask",
  async (_which, isGivenUp) => {
    const app = await startApp({ worker: false });
    const realmId = "9130357849019998";
    await app.intuit.control("seed", {
      users: [
        { sub: "twin-1", email: "one@twin.example" },
        { sub: "twin-2", email: "two@twin.example" },
        { sub: "elder", email: "elder@twin.example" },
      ],
      companies: [{ realmId, name: "Twin Goods", admins: ["twin-1", "twin-2", "elder"] }],
    });
    if (isGivenUp) {
      const elder = await app.owner(realmId, "elder@twin.example");
      await elder.call(disconnectCompany, { query: { realm_id: realmId } });
    }
    const emails = ["one@twin.example", "two@twin.example"];
    const browsers = await Promise.all(
      emails.map(async (email) => {
        const browser = app.browser();
        await browser.signIn(email);
        return browser;
      }),
    );
    const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
    const connecting = await app.db.transaction().execute(async (tx) => {
      await sql`lock table company in exclusive mode`.execute(tx);
      const both = browsers.map((browser, index) => browser.connect(emails[index] ?? "", realmId));
      await app.settle();
      expect((await waiting.execute(app.db)).rows[0]?.n).toBe(2);
      return both;
    });
    const paths = await Promise.all(connecting);
    const ends = paths.map((path) => /connected=|error=already_connected/.exec(path)?.[0]);
    expect(new Set(ends)).toEqual(new Set(["connected=", "error=already_connected"]));
    expect(await countRows(app, "company_member")).toBe(1);
    const late = paths.findIndex((path) => path.includes("error="));
    const refusal = new URL(paths[late] ?? "", app.url).searchParams.get("refusal") ?? "";
    expect((await browsers[late]?.call(readRefusal, { query: { refusal } }))?.json()).toEqual({
      company: "Twin Goods",
      admin: emails[1 - late],
    });
  },
);

test("GA-03 the admin's e-mail is shown only to the user who proved access to the books, and can't be forged", async () => {
  const app = await startApp({ worker: false });
  await app.owner(BAY, PLATFORM);
  const owner = app.browser();
  await owner.signIn(OWNER);
  const refusal = new URL(await owner.connect(OWNER, BAY), app.url).searchParams.get("refusal") ?? "";
  const other = app.browser();
  await other.signIn(NEWBIE);
  const status = async (browser: Browser, text: string) =>
    (await browser.call(readRefusal, { query: { refusal: text } })).status;
  expect([
    await status(owner, refusal),
    await status(other, refusal),
    await status(owner, `${refusal.slice(0, -2)}${refusal.endsWith("AA") ? "BB" : "AA"}`),
    await status(owner, "Ask mallory@evil.example"),
    await status(app.browser(), refusal),
  ]).toEqual([200, 404, 404, 404, 401]);
});

test("a company outside the United States is refused and not stored", async () => {
  const app = await startApp({ worker: false });
  const owner = app.browser();
  await owner.signIn(OWNER);
  expect(await owner.connect(OWNER, MAPLE)).toBe("/get-app/?error=wrong_country");
  for (const table of ["company", "intuit_connection", "company_member"] as const)
    expect(await countRows(app, table)).toBe(0);
});

test("GA-03 a disconnected company belongs to the next user who connects it, without its former admin, users, and mail contact", async () => {
  const app = await startApp({ worker: false });
  const before = await app.owner(BAY, PLATFORM);
  await before.call(addUser, { query: { realm_id: BAY, email: "invited@bay.example" } });
  // More than one PostgreSQL notification can name.
  await sql`with crowd as (insert into app_user (id, intuit_sub, email, first_name, last_name, groups, created_at, updated_at)
      select gen_random_uuid(), 'crowd-' || n, n || '@bay.example', '', '', '{}', now(), now()
      from generate_series(1, 300) n returning id)
    insert into company_member (realm_id, user_id, added_at) select ${BAY}, id, now() from crowd`.execute(
    app.db,
  );
  const owner = app.browser();
  await owner.signIn(OWNER);
  // A member can renew an authorization that Intuit ended, since that company was not given up.
  await sql`update intuit_connection set state = 'reconnect_needed'`.execute(app.db);
  expect(await owner.connect(OWNER, BAY)).toContain("error=already_connected");
  await before.connect(PLATFORM, BAY);
  await before.call(disconnectCompany, { query: { realm_id: BAY } });
  expect(await owner.connect(OWNER, BAY)).toBe(`/app/?connected=${BAY}`);
  expect((await owner.call(listCompanies)).json()).toMatchObject({
    companies: [{ admin: OWNER, authorized_users: [OWNER], settings: { contact_email: OWNER } }],
  });
  expect((await before.call(listCompanies)).json()).toEqual({ companies: [] });
  expect(await before.connect(PLATFORM, BAY)).toContain("error=already_connected");
});

test("GA-03 the next owner of a disconnected company starts without the API keys, webhooks, UPS account, order folder and posting without a click of its former admin", async () => {
  const base = await mkdtemp(join(tmpdir(), "order-folders-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const app = await startApp({ worker: false, env: { ORDER_FOLDERS: base } });
  const before = await app.owner(ACME, PLATFORM);
  const query = { realm_id: ACME };
  const made = await before.call(makeKey, { query, json: { name: "ERP", scopes: ["read", "upload"] } });
  const { secret } = made.json() as { secret: string };
  const url = "http://127.0.0.1:9/hooks";
  const added = await before.call(addWebhook, { query, json: { url, events: ["upload.finished"] } });
  expect(added.status, added.text).toBe(200);
  await grantTracking(app.db, ACME);
  await linkUps(app, before);
  const stored = await before.call(saveFolder, { query, json: { kind: "local" } });
  expect(stored.status, stored.text).toBe(200);
  const partners = app.application.orders.partners.map(({ id }) => id);
  await sql`insert into order_invoice_settings (realm_id, partner, posts_when_shipped, changed_by, changed_at)
    select ${ACME}, unnest(${partners}::text[]), true, ${PLATFORM}, ${app.clock.now()}`.execute(app.db);
  const read = async () => {
    const headers = { authorization: `Bearer ${secret}`, origin: "" };
    return (await app.browser().call(listUploads, { headers })).status;
  };
  expect(await read()).toBe(200);
  await before.call(disconnectCompany, { query });
  expect(await read()).toBe(401);
  const owner = app.browser();
  await owner.signIn(OWNER);
  expect(await owner.connect(OWNER, ACME)).toBe(`/app/?connected=${ACME}`);
  expect(await read()).toBe(401);
  expect((await owner.call(listWebhooks, { query })).json()).toEqual({ webhooks: [], messages: [] });
  expect((await owner.call(listCompanies)).json()).toMatchObject({
    companies: [{ settings: { ups_account: "", ups_state: "none" } }],
  });
  expect((await owner.call(readFolder, { query })).json()).toMatchObject({ folder: null });
  expect(await countRows(app, "carrier_link")).toBe(0);
  const { rows } = await sql`select from order_invoice_settings where posts_when_shipped`.execute(app.db);
  expect(rows).toEqual([]);
});

test("GA-03 what former users of a disconnected company left waiting ends with its next owner: nothing is posted or voided, and a lost answer is still searched for", async () => {
  const app = await startApp({ worker: false });
  const before = await app.owner(ACME, PLATFORM);
  await liftLimits(app.intuit, ACME);
  const query = { realm_id: ACME };
  const post = async (number: string) => {
    await uploadRows(before, ACME, [invoiceLine(number)]);
    const reply = await before.call(listUploads, { query });
    return (reply.json() as UploadList).uploads[0]?.id ?? "";
  };
  const work = async () => {
    const stop = await app.work();
    await app.settle(60_000);
    await app.clock.during(stop());
  };
  const posted = [await post("P-1"), await post("P-2")];
  await work();
  const match = { operation: "invoice.create" };
  await app.intuit.control("faults", [{ fault: "503", match, count: 1, committed: true, hiddenS: 300 }]);
  await post("D-1");
  await work();
  for (const number of ["W-1", "W-2", "W-3"]) await post(number);
  for (const [at, action] of (["void", "delete"] as const).entries()) {
    const params = { upload_id: posted[at] ?? "" };
    expect((await before.call(startUndo, { query, params, json: { action } })).status).toBe(202);
  }
  await before.call(disconnectCompany, { query });
  const inBooks = async () =>
    (await app.intuit.invoices(ACME))
      .map(({ DocNumber = "", TotalAmt }) => `${DocNumber} ${TotalAmt > 0 ? "stands" : "is void"}`)
      .filter((text) => /^[PDW]-\d /.test(text))
      .toSorted();
  await work();
  const stood = await inBooks();
  expect(stood).toEqual(["D-1", "P-1", "P-2"].map((number) => `${number} stands`));

  const owner = app.browser();
  await owner.signIn(OWNER);
  await owner.connect(OWNER, ACME);
  const stop = await app.work();
  await app.settle(1_000_000);
  expect(await inBooks()).toEqual(stood);
  const read = async () => ((await owner.call(listUploads, { query })).json() as UploadList).uploads;
  const reason = "Not posted: a new owner connected the company. To continue, upload the file again;";
  expect((await read()).slice(0, 3).map(({ results }) => results[0]?.message)).toEqual(
    Array(3).fill(expect.stringContaining(reason)),
  );
  const undo = await owner.call(previewUndo, { query, params: { upload_id: posted[0] ?? "" } });
  expect(undo.json()).toMatchObject({
    run: {
      state: "stopped",
      sentence: "The undo stopped: a new owner connected the company. To continue, undo again.",
    },
  });
  await uploadRows(owner, ACME, [invoiceLine("N-1")]);
  await app.settle(1_000_000);
  expect(
    (await read()).find(({ results }) => results.some(({ posted: [first] = [] }) => first?.number === "D-1")),
  ).toMatchObject({
    counts: { completed: 1, problems: 0 },
  });
  await app.clock.during(stop());
  expect(await inBooks()).toEqual(stood);
});

test("a member who connects the company again keeps its admin and its settings", async () => {
  const app = await startApp({ worker: false });
  const admin = await app.owner(BAY, PLATFORM);
  await sql`update company set invoice_lookback_days = 45`.execute(app.db);
  const member = app.browser();
  await member.signIn(OWNER);
  await addMember(app.db, BAY, OWNER);
  expect(await member.connect(OWNER, BAY)).toBe(`/app/?connected=${BAY}`);
  expect((await admin.call(listCompanies)).json()).toMatchObject({
    companies: [{ admin: PLATFORM, authorized_users: [OWNER, PLATFORM], settings: { invoice_lookback: 45 } }],
  });
});

test("GA-02 a refusal or failure at Intuit returns to the page that explains it and stores nothing", async () => {
  const app = await startApp({ worker: false });
  const owner = app.browser();
  await owner.signIn(OWNER);
  const start = new URL((await owner.request("/get-app/connect")).location ?? "");
  const state = start.searchParams.get("state") ?? "";
  const refused = await owner.request(
    `/oauth/intuit/callback?${new URLSearchParams({ error: "access_denied", state })}`,
  );
  expect(refused.location).toBe("/get-app/?error=refused");
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "oauth.authorization_code" } }]);
  expect(await owner.connect(OWNER, ACME)).toBe("/get-app/?error=other");
  await app.intuit.control("faults", undefined, "DELETE");
  await app.intuit.control("faults", [
    { fault: "code", code: "3100", match: { operation: "companyinfo.read" } },
  ]);
  expect(await owner.connect(OWNER, ACME)).toBe("/get-app/?error=other");
  expect(await countRows(app, "company")).toBe(0);
});

test("a swapped realm id in the address is refused without saying anything about that company", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const before = await sql`select * from intuit_connection`.execute(app.db);
  const thief = app.browser();
  await thief.signIn(NEWBIE);
  const signed = await comeBack(app, thief, { email: NEWBIE, granted: NEWCOMER, named: ACME });
  const unsigned = await comeBack(app, thief, { email: NEWBIE, named: ACME });
  const absurd = await comeBack(app, thief, { email: NEWBIE, named: "../../x\u0000" });
  expect([signed, unsigned, absurd]).toEqual(Array(3).fill("/get-app/?error=other"));
  expect((await sql`select * from intuit_connection`.execute(app.db)).rows).toEqual(before.rows);
  expect((await thief.call(listCompanies)).json()).toEqual({ companies: [] });
});

test("a connect request of one user is not ended by another user in the same browser", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn(OWNER);
  const start = new URL((await browser.request("/get-app/connect")).location ?? "");
  const authorization = browser.cookies.get("dockside_authorization") ?? "";
  await browser.signIn(CLERK);
  browser.cookies.set("dockside_authorization", authorization);
  const code = await app.intuit.grant({
    email: OWNER,
    realmId: ACME,
    scope: start.searchParams.get("scope") ?? "",
    redirectUri: start.searchParams.get("redirect_uri") ?? "",
  });
  const query = new URLSearchParams({ code, state: start.searchParams.get("state") ?? "", realmId: ACME });
  const back = await browser.request(`/oauth/intuit/callback?${query}`);
  expect(back.location).toBe("/login/?next=%2Fget-app%2Fconnect");
  expect(await countRows(app, "company")).toBe(0);
});

test("tokens are sealed at rest: no table holds one in the clear, nor a session, a code or a state", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.request("/login/");
  const { rows } = await sql<{ id: string; access_token_sealed: string; refresh_token_sealed: string }>`
    select id, access_token_sealed, refresh_token_sealed from intuit_connection`.execute(app.db);
  const sealed = rows[0];
  if (!sealed) throw new Error("Nothing is connected.");
  const tokens = [sealed.access_token_sealed, sealed.refresh_token_sealed].map((text) =>
    unseal(KEYS, sealed.id, text),
  );
  expect(tokens).toEqual([expect.stringMatching(/^eyJ/), expect.stringMatching(/^RT1-/)]);
  expect(() => unseal(KEYS, "another-connection", sealed.refresh_token_sealed)).toThrow();
  const dump = await dumpTables(app);
  expect(dump).toContain(OWNER);
  for (const secret of [...tokens, ...browser.cookies.values()]) expect(dump).not.toContain(secret);
  expect(dump).not.toMatch(/RT1-|eyJ[\w-]{10}/);
});

async function dumpTables(app: TestApp): Promise<string> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    app.db,
  );
  const texts = rows.map(async ({ schema, name }) => {
    const table = sql.table(`${schema}.${name}`);
    const { rows: lines } = await sql<{ text: string }>`select t::text as text from ${table} t`.execute(
      app.db,
    );
    return lines.map(({ text }) => text).join("\n");
  });
  return (await Promise.all(texts)).join("\n");
}

const refreshes = async (app: TestApp) =>
  (await app.intuit.control<{ entries: unknown[] }>("journal?operation=oauth.refresh_token")).entries.length;

/** Every refresh token works once; using it twice ends the authorization. */
const strictRotation = (app: TestApp) =>
  app.intuit.control("settings", { rotation: "every-time", reuse: "revoke-family" }, "PATCH");

test.each([
  ["our own clock says so", `update intuit_connection set access_expires_at = now() - interval '1 s'`],
  ["only Intuit says so", "select 1"],
])(
  "20 concurrent calls with an expired token (%s) renew it once, in two processes too",
  async (_how, change) => {
    const app = await startApp({ worker: false });
    await app.owner(ACME);
    await strictRotation(app);
    await app.intuit.control("tokens/expire", { realmId: ACME });
    await sql.raw(change).execute(app.db);
    const other = await createApplication({
      config: app.config,
      ctx: app.application.ctx,
      sealingKeys: KEYS,
    });
    const readers = [app.application, other].map(({ invoices }) => invoices.books(ACME));
    const names = await app.clock.during(
      Promise.all(
        Array.from(
          { length: 20 },
          async (_, index) => (await readers[index % 2]?.companyInfo())?.data.CompanyName,
        ),
      ),
    );
    expect(names).toEqual(Array(20).fill("Acme Tools"));
    expect(await refreshes(app)).toBe(1);
    expect((await readers[0]?.companyInfo())?.data.CompanyName).toBe("Acme Tools");
  },
);

test("each new refresh token is stored: three renewals in a row under strict rotation", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  await strictRotation(app);
  for (let count = 1; count <= 3; count += 1) {
    await app.intuit.control("tokens/expire", { realmId: ACME });
    await app.application.invoices.books(ACME).companyInfo();
    expect(await refreshes(app)).toBe(count);
  }
});

test("a company whose authorization Intuit no longer accepts says so, and reconnecting fixes it", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const connection = async () =>
    ((await browser.call(listCompanies)).json() as { companies: { connection: string }[] }).companies[0]
      ?.connection;
  await app.intuit.control("tokens/revoke", { realmId: ACME });
  const books = app.application.invoices.books(ACME);
  await expect(books.companyInfo()).rejects.toMatchObject({ kind: "reconnect" });
  expect(await connection()).toBe("reconnect_needed");
  const calls = await refreshes(app);
  await expect(books.companyInfo()).rejects.toMatchObject({ kind: "reconnect" });
  expect(await refreshes(app)).toBe(calls);
  await browser.connect(OWNER, ACME);
  expect(await connection()).toBe("connected");
  expect((await books.companyInfo()).data.CompanyName).toBe("Acme Tools");
});

test("a refresh that Intuit can't answer does no harm: the next one succeeds", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  await app.intuit.control("tokens/expire", { realmId: ACME });
  await app.intuit.control("faults", [
    { fault: "503", match: { operation: "oauth.refresh_token" }, count: 1 },
  ]);
  const books = app.application.invoices.books(ACME);
  await books.companyInfo().catch(() => undefined);
  expect((await books.companyInfo()).data.CompanyName).toBe("Acme Tools");
});
