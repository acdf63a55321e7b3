import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  addUser,
  changeService,
  changeSettings,
  handOver,
  listCompanies,
  removeUser,
} from "#features/companies/contract.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { acceptAll, addMember, grantTracking, joinAs } from "../../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";

const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";
const LABELS = "labels@acme.example";

const signedIn = async (app: TestApp, email: string): Promise<Browser> => {
  const browser = app.browser();
  await browser.signIn(email);
  return browser;
};

const join = (app: TestApp, admin: Browser, email: string) => joinAs(app, admin, { realmId: ACME, email });

const companyNames = async (browser: Browser) =>
  ((await browser.call(listCompanies)).json() as { companies: { id: string }[] }).companies.map(
    ({ id }) => id,
  );

/** Starts calls one after the other while the company's row is locked, so that they wait for it together. */
async function withCompanyHeld(app: TestApp, calls: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    return rows[0]?.n;
  };
  const replies: Promise<Reply>[] = [];
  await app.db.transaction().execute(async (tx) => {
    await sql`select from company where realm_id = ${ACME} for update`.execute(tx);
    for (const call of calls) {
      replies.push(call());
      await app.settle();
      expect(await waiting()).toBe(replies.length);
    }
  });
  return Promise.all(replies);
}

const of = (email: string) => ({ query: { realm_id: ACME, email } });

test("US-06 US-12 US-13 US-16 AP-09 an admin adds a user by e-mail: they are invited, once, and join when they accept", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await signedIn(app, CLERK);
  const added = await owner.call(addUser, of("  Clerk@ACME.example "));
  expect(added.json()).toMatchObject({ id: ACME, authorized_users: [CLERK, OWNER], invited_users: [CLERK] });
  expect(await companyNames(clerk)).toEqual([]);
  await acceptAll(clerk);
  expect(await companyNames(clerk)).toEqual([ACME]);
  expect((await owner.call(listCompanies)).json()).toMatchObject({ companies: [{ invited_users: [] }] });
  const again = await owner.call(addUser, of("CLERK@acme.example"));
  expect([again.status, again.json()]).toEqual([
    409,
    expect.objectContaining({ code: "already_authorized", detail: `${CLERK} is already authorized.` }),
  ]);
  // The Kelvin sign is not a "k", though Unicode folds it to one.
  for (const typed of ["clerk at acme", "cler\u212A@acme.example"]) {
    const wrong = await owner.call(addUser, of(typed));
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      expect.objectContaining({ detail: "Enter an email address in the format name@example.com." }),
    ]);
  }
});

test("US-15 US-18 when a user is made admin and removed at the same time, only one succeeds: the admin is always a member", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await join(app, owner, CLERK);
  const replies = await withCompanyHeld(app, [
    () => owner.call(handOver, of(CLERK)),
    () => owner.call(removeUser, of(CLERK)),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 403]);
  const clerk = await signedIn(app, CLERK);
  expect((await clerk.call(listCompanies)).json()).toMatchObject({ companies: [{ admin: CLERK }] });
});

test("US-09 when two users of a company without an admin remove each other at the same time, one stays", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await join(app, owner, CLERK);
  await sql`update company set admin_id = null`.execute(app.db);
  const replies = await withCompanyHeld(app, [
    () => owner.call(removeUser, of(CLERK)),
    () => clerk.call(removeUser, of(OWNER)),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 403]);
  expect(replies[1]?.json()).toMatchObject({ code: "not_a_member" });
  expect(await companyNames(owner)).toEqual([ACME]);
});

test("US-18 an e-mail shared by two users can't be made the admin", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await join(app, owner, CLERK);
  await join(app, owner, LABELS);
  await sql`update app_user set email = ${CLERK} where email = ${LABELS}`.execute(app.db);
  const refused = await owner.call(handOver, of(CLERK));
  expect([refused.status, refused.json()]).toEqual([409, expect.objectContaining({ code: "several_users" })]);
});

test("US-17 an invitation is bound to the user who joins: a later holder of the same e-mail gains nothing", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await app.intuit.control("seed", {
    users: [{ sub: "desk-1", email: "desk@acme.example", givenName: "Dana", familyName: "First" }],
  });
  const first = await join(app, owner, "desk@acme.example");
  expect(await companyNames(first)).toEqual([ACME]);
  await app.intuit.control("seed", {
    users: [
      { sub: "desk-1", email: "dana@elsewhere.example", givenName: "Dana", familyName: "First" },
      { sub: "desk-2", email: "desk@acme.example", givenName: "Eve", familyName: "Second" },
    ],
  });
  const second = await signedIn(app, "desk@acme.example");
  expect(await companyNames(second)).toEqual([]);
  expect((await second.call(listUploads, { query: { realm_id: ACME } })).status).toBe(403);
  // A second invitation with their new e-mail still makes one member.
  expect((await owner.call(addUser, of("dana@elsewhere.example"))).status).toBe(200);
  const firstAgain = await signedIn(app, "dana@elsewhere.example");
  await acceptAll(firstAgain);
  expect(await companyNames(firstAgain)).toEqual([ACME]);
  expect((await owner.call(listCompanies)).json()).toMatchObject({
    companies: [{ authorized_users: ["dana@elsewhere.example", OWNER], invited_users: [] }],
  });
});

test("US-14 US-17 undo restores the same user without another mail, even if another user has the e-mail now", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, mail: true, clock });
  const owner = await app.owner(ACME);
  const desk = "desk@acme.example";
  const dana = { sub: "desk-1", givenName: "Dana", familyName: "First" };
  const eve = { sub: "desk-2", email: desk, givenName: "Eve", familyName: "Second" };
  await app.intuit.control("seed", { users: [{ ...dana, email: desk }] });
  await join(app, owner, desk);
  const remove = async (email: string) =>
    ((await owner.call(removeUser, of(email))).json() as { undo: string }).undo;
  const bringBack = (email: string, undo: string) =>
    owner.call(addUser, { query: { ...of(email).query, undo } });
  const undo = await remove(desk);
  await app.intuit.control("seed", { users: [{ ...dana, email: "dana@elsewhere.example" }, eve] });
  clock.advance(1_000);
  const later = await signedIn(app, desk);
  expect((await bringBack(desk, undo)).json()).toMatchObject({ invited_users: [] });
  expect(await companyNames(later)).toEqual([]);
  expect(await companyNames(await signedIn(app, "dana@elsewhere.example"))).toEqual([ACME]);
  const { rows } = await sql`select recipient from notice_mail`.execute(app.db);
  expect(rows).toEqual([{ recipient: desk }]);

  await owner.call(addUser, of(LABELS));
  const invitation = await remove(LABELS);
  expect((await bringBack(LABELS, invitation)).json()).toMatchObject({ invited_users: [LABELS] });

  const late = await remove("dana@elsewhere.example");
  const refusals = [
    [desk, late],
    ["dana@elsewhere.example", "v1.t1.made-up"],
  ] as const;
  for (const [email, made] of refusals) expect((await bringBack(email, made)).status).toBe(409);
  // Valid neither in another company of the same admin nor for another admin of this company.
  await owner.connect(OWNER, BAY);
  const elsewhere = { realm_id: BAY, email: "dana@elsewhere.example", undo: late };
  expect((await owner.call(addUser, { query: elsewhere })).status).toBe(409);
  const clerk = await signedIn(app, CLERK);
  await addMember(app.db, ACME, CLERK);
  await sql`update company set admin_id = null`.execute(app.db);
  expect((await clerk.call(addUser, { query: { ...elsewhere, realm_id: ACME } })).status).toBe(409);
  clock.advance(61_000);
  expect((await bringBack("dana@elsewhere.example", late)).json()).toMatchObject({
    status: 409,
    code: "too_late_to_undo",
  });
});

test("US-09 US-15 AP-10 a removed user loses access at the next request; the admin and the caller can't be removed", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.call(addUser, of(LABELS));
  const clerk = await join(app, owner, CLERK);
  expect((await clerk.call(listUploads, { query: { realm_id: ACME } })).status).toBe(200);
  const removed = await owner.call(removeUser, of(CLERK));
  expect(removed.json()).toMatchObject({ authorized_users: [LABELS, OWNER] });
  expect((await clerk.call(listUploads, { query: { realm_id: ACME } })).status).toBe(403);
  expect(await companyNames(clerk)).toEqual([]);
  expect((await owner.call(removeUser, of(LABELS))).json()).toMatchObject({ authorized_users: [OWNER] });
  expect(await companyNames(await signedIn(app, LABELS))).toEqual([]);
  const admin = await owner.call(removeUser, of(OWNER));
  expect([admin.status, admin.json()]).toEqual([
    409,
    expect.objectContaining({ code: "is_company_admin", detail: expect.stringContaining("company admin") }),
  ]);
  await sql`update company set admin_id = null`.execute(app.db);
  const self = await owner.call(removeUser, of(OWNER));
  expect([self.status, self.json()]).toEqual([409, expect.objectContaining({ code: "is_self" })]);
  const stranger = await owner.call(removeUser, of("nobody@acme.example"));
  expect([stranger.status, stranger.json()]).toEqual([
    404,
    expect.objectContaining({ code: "not_authorized" }),
  ]);
});

test("US-18 RL-02 RL-08 the admin hands a company over to a member who has accepted, and becomes an ordinary member", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.call(addUser, of(CLERK));
  const early = await owner.call(handOver, of(CLERK));
  expect([early.status, early.json()]).toEqual([409, expect.objectContaining({ code: "not_signed_in" })]);
  const clerk = await signedIn(app, CLERK);
  await acceptAll(clerk);
  const refused = await clerk.call(handOver, of(CLERK));
  expect([refused.status, refused.json()]).toEqual([
    403,
    expect.objectContaining({ code: "not_company_admin", detail: "Only the company admin can do this." }),
  ]);
  const done = await owner.call(handOver, of(CLERK));
  expect(done.json()).toMatchObject({ admin: CLERK });
  expect((await owner.call(addUser, of(LABELS))).status).toBe(403);
  expect((await clerk.call(removeUser, of(OWNER))).json()).toMatchObject({ authorized_users: [CLERK] });
  expect(await companyNames(owner)).toEqual([]);
});

test("AP-07 AP-08 TR-05 TR-07 TR-08 TR-11 TR-12 VA-02 only the settings in the request change, and unknown settings are refused", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const put = (json: object) => owner.call(changeSettings, { query: { realm_id: ACME }, json });
  for (const json of [
    { invoice_lookback: 45 },
    { attach_pods: "true" },
    { pods_on_send: "true" },
    { pods_together: "true" },
    { freight_on_invoices: "true" },
  ]) {
    const unpaid = await put(json);
    expect([unpaid.status, unpaid.json()]).toEqual([
      402,
      expect.objectContaining({ code: "service_not_active" }),
    ]);
  }
  await grantTracking(app.db, ACME);
  const settings = { contact_email: OWNER, ups_account: "", attach_pods: "false", invoice_lookback: 30 };
  expect((await put({ attach_pods: "true", contact_email: " Ops@Acme.example" })).json()).toMatchObject({
    id: ACME,
    settings: { ...settings, contact_email: "ops@acme.example", attach_pods: "true" },
  });
  expect((await put({ invoice_lookback: 45 })).json()).toMatchObject({
    settings: { ...settings, contact_email: "ops@acme.example", attach_pods: "true", invoice_lookback: 45 },
  });
  for (const json of [
    { invoice_lookback: 0 },
    { invoice_lookback: 91 },
    { invoice_lookback: 1.5 },
    { invoice_lookback: "30" },
    { attach_pods: true },
    { attach_pods: "yes" },
    { pods_on_send: true },
    { pods_together: "" },
    { freight_on_invoices: true },
    { contact_email: "ops at acme" },
    { ups_account: "4F2A11" },
    { name: "Other" },
    { invoice_lookback: 60, name: "Other" },
    {},
  ]) {
    const reply = await put(json);
    expect([json, reply.status, (reply.json() as { detail: string }).detail]).toEqual([
      json,
      400,
      expect.any(String),
    ]);
  }
  const flags = { pods_on_send: "true", pods_together: "true", freight_on_invoices: "true" };
  expect((await put(flags)).json()).toMatchObject({ settings: { attach_pods: "true", ...flags } });
  const { companies } = (await owner.call(listCompanies)).json() as { companies: object[] };
  expect(companies[0]).toMatchObject({ settings: { invoice_lookback: 45, attach_pods: "true", ...flags } });
});

test("AP-07 a user can't change another user's company", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await app.owner(BAY, "platform@dockside.example");
  const query = { realm_id: BAY, email: OWNER };
  for (const endpoint of [addUser, handOver, removeUser])
    expect((await owner.call(endpoint, { query })).status).toBe(403);
  const put = await owner.call(changeSettings, { query: { realm_id: BAY }, json: { invoice_lookback: 3 } });
  expect(put.status).toBe(403);
});

test("a service granted with an end and a reason is active until then, and can be ended earlier", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  const operator = await signedIn(app, "platform@dockside.example");
  const services = async () =>
    ((await owner.call(listCompanies)).json() as { companies: { services: string[] }[] }).companies[0]
      ?.services;
  const change = (browser: Browser, json: object) =>
    browser.call(changeService, {
      json: { realm_id: ACME, service: "tracking", reason: "A trial", ...json },
    });
  const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
  const granted = { state: "active", until: inHours(1) };
  expect((await change(owner, granted)).status).toBe(403);
  expect(await services()).toEqual([]);
  expect((await change(operator, { ...granted, until: inHours(-1) })).status).toBe(400);
  expect((await change(operator, { ...granted, realm_id: "1" })).status).toBe(404);
  expect((await change(operator, granted)).status).toBe(200);
  expect(await services()).toEqual(["tracking"]);
  clock.advance(2 * 3_600_000);
  expect(await services()).toEqual([]);
  expect((await change(operator, { state: "active" })).status).toBe(200);
  expect(await services()).toEqual(["tracking"]);
  expect((await change(operator, { state: "ended" })).status).toBe(200);
  expect(await services()).toEqual([]);
});

test("a change answers with its own company, also for a user of several companies", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.connect(OWNER, BAY);
  const json = { contact_email: "orders@bay.example" };
  const changed = await owner.call(changeSettings, { query: { realm_id: BAY }, json });
  expect(changed.json()).toMatchObject({ id: BAY, settings: json });
  const { companies } = (await owner.call(listCompanies)).json() as { companies: { id: string }[] };
  expect(companies.map(({ id }) => id)).toEqual([ACME, BAY]);
});
