import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  acceptInvitation,
  addUser,
  declineInvitation,
  leaveCompany,
  listCompanies,
  listInvitations,
  readInvitation,
  removeUser,
  switchCompany,
} from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { addMember, joinAs } from "../../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";

const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";
const ATTACKER = "platform@dockside.example";

const signedIn = async (app: TestApp, email: string): Promise<Browser> => {
  const browser = app.browser();
  await browser.signIn(email);
  return browser;
};

const of = (email: string, realmId = ACME) => ({ query: { realm_id: realmId, email } });
const about = (id: string) => ({ query: { invitation: id } });

type Open = { id: string; company: string; by: string; admin: string; email: string };
const listOpen = async (browser: Browser) =>
  ((await browser.call(listInvitations)).json() as { invitations: Open[] }).invitations;

const companyIds = async (browser: Browser) =>
  ((await browser.call(listCompanies)).json() as { companies: { id: string }[] }).companies.map(
    ({ id }) => id,
  );

/** The company with which a new browser of the user begins, and the one of a call that names none. */
const defaults = async (app: TestApp, email: string) => {
  const browser = await signedIn(app, email);
  const { text } = await browser.request("/app/");
  const user = /<script type="application\/json" id="user">(.*?)<\/script>/.exec(text)?.[1];
  const page = JSON.parse(user ?? "{}") as { companies: { id: string }[]; company_is_first: boolean };
  const { companies } = (await browser.call(getUser)).json() as { companies: { id: string }[] };
  return [page.companies[0]?.id, companies[0]?.id];
};

test("US-06 AP-09 an invited user is not a member until they accept, signed in or not, and Settings says so", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await signedIn(app, CLERK);
  const added = await owner.call(addUser, of(CLERK));
  expect(added.json()).toMatchObject({ authorized_users: [CLERK, OWNER], invited_users: [CLERK] });
  expect(await companyIds(clerk)).toEqual([]);
  expect((await clerk.call(listUploads, { query: { realm_id: ACME } })).status).toBe(403);
  const again = await signedIn(app, CLERK);
  expect(await companyIds(again)).toEqual([]);
  const [invitation] = await listOpen(again);
  expect(invitation).toMatchObject({ company: "Acme Tools", by: OWNER, admin: OWNER, email: CLERK });
  expect((await app.browser().call(readInvitation, about(invitation!.id))).json()).toEqual(invitation);
  expect((await again.call(acceptInvitation, about(invitation!.id))).json()).toEqual({ realm_id: ACME });
  expect(await companyIds(clerk)).toEqual([ACME]);
  expect((await owner.call(listCompanies)).json()).toMatchObject({
    companies: [{ authorized_users: [CLERK, OWNER], invited_users: [] }],
  });
  expect((await clerk.call(acceptInvitation, about(invitation!.id))).status).toBe(404);
});

test("a sign-in with an open invitation leads to it, and one without to the landing page", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.call(addUser, of(CLERK));
  const clerk = app.browser();
  expect(await clerk.signIn(CLERK)).toBe("/invitation/");
  const [invitation] = await listOpen(clerk);
  await clerk.call(declineInvitation, about(invitation!.id));
  expect(await app.browser().signIn(CLERK)).toBe("/app/");
});

test("an invitation is declined without signing in, and then no one can accept it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.call(addUser, of(CLERK));
  const clerk = await signedIn(app, CLERK);
  const [invitation] = await listOpen(clerk);
  expect((await app.browser().call(declineInvitation, about(invitation!.id))).status).toBe(200);
  expect((await clerk.call(acceptInvitation, about(invitation!.id))).status).toBe(404);
  expect((await app.browser().call(readInvitation, about(invitation!.id))).status).toBe(404);
  expect(await companyIds(clerk)).toEqual([]);
  expect((await owner.call(listCompanies)).json()).toMatchObject({ companies: [{ invited_users: [] }] });
});

test("another user's link is useless, even after the invited user has accepted", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await owner.call(addUser, of(CLERK));
  const clerk = await signedIn(app, CLERK);
  const [invitation] = await listOpen(clerk);
  const stranger = await signedIn(app, "plain@acme.example");
  const refused = await stranger.call(acceptInvitation, about(invitation!.id));
  expect(refused.json()).toMatchObject({ status: 403, code: "other_invited" });
  expect((await app.browser().call(acceptInvitation, about(invitation!.id))).status).toBe(401);
  await clerk.call(acceptInvitation, about(invitation!.id));
  expect((await stranger.call(acceptInvitation, about(invitation!.id))).status).toBe(404);
  expect((await stranger.call(acceptInvitation, about(crypto.randomUUID()))).status).toBe(404);
  expect(await companyIds(stranger)).toEqual([]);
});

test("undoing a removal a second time restores no user who has left since, and no invitation that was declined", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const remove = async () => {
    const removed = await owner.call(removeUser, of(CLERK));
    return (removed.json() as { undo: string }).undo;
  };
  const putBack = (undo: string) => owner.call(addUser, { query: { ...of(CLERK).query, undo } });
  const clerk = await joinAs(app, owner, { realmId: ACME, email: CLERK });
  const removal = await remove();
  expect((await putBack(removal)).status).toBe(200);
  expect(await companyIds(clerk)).toEqual([ACME]);
  expect((await clerk.call(leaveCompany, { query: { realm_id: ACME } })).status).toBe(200);
  expect((await putBack(removal)).json()).toMatchObject({ status: 409, code: "left_since" });
  expect(await companyIds(clerk)).toEqual([]);
  await owner.call(addUser, of(CLERK));
  const withdrawal = await remove();
  expect((await putBack(withdrawal)).status).toBe(200);
  const [invitation] = await listOpen(clerk);
  expect((await clerk.call(declineInvitation, about(invitation?.id ?? ""))).status).toBe(200);
  expect((await putBack(withdrawal)).json()).toMatchObject({ status: 409, code: "left_since" });
  expect(await listOpen(clerk)).toEqual([]);
});

test("two browsers that accept at once make one member; accepting while declining ends in one of the two", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const browsers = [await signedIn(app, CLERK), await signedIn(app, CLERK)] as const;
  await owner.call(addUser, of(CLERK));
  const [invitation] = await listOpen(browsers[0]);
  const replies = await Promise.all(
    [...browsers, ...browsers].map((browser) => browser.call(acceptInvitation, about(invitation!.id))),
  );
  expect(replies.map(({ status }) => status)).toContain(200);
  expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  const { rows } = await sql`select user_id from company_member where realm_id = ${ACME}`.execute(app.db);
  expect(rows).toHaveLength(2);
  await owner.call(removeUser, of(CLERK));
  await owner.call(addUser, of(CLERK));
  const [second] = await listOpen(browsers[0]);
  const [accepted, declined] = await Promise.all([
    browsers[0].call(acceptInvitation, about(second!.id)),
    browsers[1].call(declineInvitation, about(second!.id)),
  ]);
  expect(new Set([accepted.status, declined.status])).toEqual(new Set([200, 404]));
  expect(await companyIds(browsers[0])).toEqual(accepted.status === 200 ? [ACME] : []);
});

test("a removed user who is invited again stays out until they accept, and an old link opens nothing", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: CLERK });
  await owner.call(removeUser, of(CLERK));
  await owner.call(addUser, of(CLERK));
  const [first] = await listOpen(clerk);
  expect(await companyIds(clerk)).toEqual([]);
  await owner.call(removeUser, of(CLERK));
  expect((await clerk.call(acceptInvitation, about(first!.id))).status).toBe(404);
  await owner.call(addUser, of(CLERK));
  expect((await clerk.call(acceptInvitation, about(first!.id))).status).toBe(404);
  expect(await companyIds(clerk)).toEqual([]);
  expect(await listOpen(clerk)).toHaveLength(1);
});

test("a user never starts in a company because it sorts first: they start in the one they last worked in, in a new browser too", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const attacker = await app.owner(BAY, ATTACKER);
  await sql`update company set name = 'AAcme Tools' where realm_id = ${BAY}`.execute(app.db);
  await attacker.call(addUser, of(OWNER, BAY));
  expect(await defaults(app, OWNER)).toEqual([ACME, ACME]);
  const owner = await signedIn(app, OWNER);
  const [invitation] = await listOpen(owner);
  expect(invitation).toMatchObject({ company: "AAcme Tools", by: ATTACKER, admin: ATTACKER });
  await owner.call(acceptInvitation, about(invitation!.id));
  expect(await defaults(app, OWNER)).toEqual([ACME, ACME]);
  await owner.call(switchCompany, { query: { realm_id: BAY } });
  expect(await defaults(app, OWNER)).toEqual([BAY, BAY]);
  await attacker.call(removeUser, of(OWNER, BAY));
  expect(await defaults(app, OWNER)).toEqual([ACME, ACME]);
});

test("a member can leave and is out at the next request; only the admin and a sole user can't", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: CLERK });
  const leave = (browser: Browser) => browser.call(leaveCompany, { query: { realm_id: ACME } });
  expect((await leave(owner)).json()).toMatchObject({ status: 409, code: "is_company_admin" });
  expect((await leave(clerk)).status).toBe(200);
  expect((await clerk.call(listUploads, { query: { realm_id: ACME } })).status).toBe(403);
  expect(await companyIds(clerk)).toEqual([]);
  expect((await leave(clerk)).status).toBe(403);
  await sql`update company set admin_id = null`.execute(app.db);
  expect((await leave(owner)).json()).toMatchObject({ status: 409, code: "only_user" });
  await addMember(app.db, ACME, CLERK);
  expect((await leave(owner)).status).toBe(200);
  expect(await companyIds(clerk)).toEqual([ACME]);
});
