import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  acceptInvitation,
  addUser,
  declineInvitation,
  leaveCompany,
  listCompanies,
  listInvitations,
  removeUser,
} from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { createRandom } from "../corpus/random.ts";
import type { Browser, Reply } from "../support/browser.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";

const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";
const STRANGER = "plain@acme.example";
const ATTACKER = "platform@dockside.example";
const SEEDS = [1, 2, 3];
const STEPS = 150;

/** Company and e-mail, as one key. */
type Place = `${string} ${string}`;
type Invited = { id: string; realm: string; email: string };

/**
 * The rules, kept apart from the product: who is a member, and which invitations are open. An invitation is answered once,
 * by the user with its e-mail; a removal ends both.
 */
function createModel() {
  const members = new Set<Place>([`${ACME} ${OWNER}`, `${BAY} ${ATTACKER}`]);
  const open = new Map<Place, string>();
  const place = (realm: string, email: string): Place => `${realm} ${email}`;
  const isOpen = ({ id, realm, email }: Invited) => open.get(place(realm, email)) === id;
  return {
    members,
    open,
    place,
    isOpen,
    accept: (invited: Invited, by: string): number => {
      if (by === "") return 401;
      if (invited.email !== by) return isOpen(invited) ? 403 : 404;
      if (!isOpen(invited)) return 404;
      open.delete(place(invited.realm, by));
      members.add(place(invited.realm, by));
      return 200;
    },
    decline: (invited: Invited): number => {
      if (!isOpen(invited)) return 404;
      open.delete(place(invited.realm, invited.email));
      return 200;
    },
  };
}

test("no order of invitations, removals, answers in two browsers and replayed links opens a company to a user who didn't accept, or moves anyone into a lookalike", async () => {
  const outcomes = new Map<string, number>();
  for (const seed of SEEDS) await attack(seed, outcomes);
  const lines = [...outcomes].toSorted(([a], [b]) => a.localeCompare(b));
  process.stdout.write(`${lines.map(([outcome, count]) => `${outcome}: ${count}`).join("\n")}\n`);
  expect(Object.fromEntries(lines.filter(([outcome]) => !/ (200|401|403|404|409)$/.test(outcome)))).toEqual(
    {},
  );
  for (const tried of ["another's link 403", "old link 404", "link without sign-in 401", "accepted 200"])
    expect(outcomes.get(tried) ?? 0, tried).toBeGreaterThan(5);
}, 600_000);

async function attack(seed: number, outcomes: Map<string, number>): Promise<void> {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  await app.owner(BAY, ATTACKER);
  await sql`update company set name = 'AAcme Tools' where realm_id = ${BAY}`.execute(app.db);
  const signIn = async (email: string) => {
    const browser = app.browser();
    await browser.signIn(email);
    return browser;
  };
  const emails = [OWNER, CLERK, STRANGER, ATTACKER];
  /** Two browsers of each user. */
  const browsers = new Map<string, Browser[]>();
  for (const email of emails) browsers.set(email, [await signIn(email), await signIn(email)]);
  const guest = app.browser();
  const random = createRandom(seed);
  const pickBrowser = (email: string) => (email === "" ? guest : random.pick(browsers.get(email) ?? []));
  const model = createModel();
  const links: Invited[] = [];
  const removals: { realm: string; email: string; undo: string }[] = [];
  const count = (outcome: string, { status }: Reply, expected: number) => {
    outcomes.set(`${outcome} ${status}`, (outcomes.get(`${outcome} ${status}`) ?? 0) + 1);
    expect(status, `seed ${seed}: ${outcome}`).toBe(expected);
  };
  const findAdmin = (realm: string) => (realm === ACME ? OWNER : ATTACKER);

  const invite = async () => {
    const [realm, email] = [random.pick([ACME, BAY, BAY]), random.pick(emails)];
    const by = random.pick([findAdmin(realm), findAdmin(realm), STRANGER]);
    const query = { realm_id: realm, email };
    const reply = await pickBrowser(by).call(addUser, { query });
    if (by !== findAdmin(realm)) return count("invited by no admin", reply, 403);
    const place = model.place(realm, email);
    if (model.members.has(place) || model.open.has(place)) return count("invited again", reply, 409);
    count("invited", reply, 200);
    const { invitations } = (await pickBrowser(email).call(listInvitations)).json() as {
      invitations: { id: string }[];
    };
    const id = invitations.find((each) => !links.some((link) => link.id === each.id))?.id ?? "";
    links.push({ id, realm, email });
    model.open.set(place, id);
  };
  const answer = async () => {
    const open = links.filter(model.isOpen);
    const asked = open.length > 0 && random.chance(0.7) ? open : links;
    if (asked.length === 0) return;
    const link = random.pick(asked);
    const by = random.pick([link.email, random.pick(emails), random.pick([...emails, "", "", ""])]);
    const isOpen = model.isOpen(link);
    const query = { invitation: link.id };
    if (random.chance(0.25)) {
      const reply = await pickBrowser(by).call(declineInvitation, { query });
      return count(isOpen ? "declined" : "declined an old link", reply, model.decline(link));
    }
    if (isOpen && by === link.email && random.chance(0.4)) return acceptTwice(link);
    const reply = await pickBrowser(by).call(acceptInvitation, { query });
    const outcome =
      by === "" && isOpen
        ? "link without sign-in"
        : by !== link.email && isOpen
          ? "another's link"
          : isOpen
            ? "accepted"
            : "old link";
    count(outcome, reply, by === "" && !isOpen ? reply.status : model.accept(link, by));
  };
  /** Both browsers of the invited user at once. */
  const acceptTwice = async (link: Invited) => {
    const both = browsers.get(link.email) ?? [];
    const query = { invitation: link.id };
    const replies = await Promise.all(both.map((browser) => browser.call(acceptInvitation, { query })));
    expect(replies.map(({ status }) => status).filter((status) => ![200, 404].includes(status))).toEqual([]);
    expect(replies.map(({ status }) => status)).toContain(200);
    model.accept(link, link.email);
    outcomes.set("accepted in two browsers 200", (outcomes.get("accepted in two browsers 200") ?? 0) + 1);
  };
  const remove = async () => {
    const [realm, email] = [random.pick([ACME, BAY]), random.pick(emails)];
    const place = model.place(realm, email);
    const [wasMember, wasOpen] = [model.members.has(place), model.open.has(place)];
    const reply = await pickBrowser(findAdmin(realm)).call(removeUser, { query: { realm_id: realm, email } });
    if (email === findAdmin(realm)) return count("removed the admin", reply, 409);
    count("removed", reply, wasMember || wasOpen ? 200 : 404);
    if (reply.status !== 200) return;
    const { undo } = reply.json() as { undo: string };
    removals.push({ realm, email, undo });
    model.members.delete(place);
    model.open.delete(place);
  };
  const leave = async () => {
    const [realm, email] = [random.pick([ACME, BAY]), random.pick([CLERK, STRANGER])];
    const reply = await pickBrowser(email).call(leaveCompany, { query: { realm_id: realm } });
    count("left", reply, model.members.delete(model.place(realm, email)) ? 200 : 403);
  };
  /** The token of a removal is not valid in another company. */
  const replay = async () => {
    const removal = removals.length === 0 ? null : random.pick(removals);
    if (!removal) return;
    const { realm, email, undo } = removal;
    const other = realm === ACME ? BAY : ACME;
    const isMember = model.members.has(model.place(other, email));
    const query = { realm_id: other, email, undo };
    const reply = await pickBrowser(findAdmin(other)).call(addUser, { query });
    count(isMember ? "removal replayed for a member" : "removal replayed elsewhere", reply, 409);
  };

  for (let step = 0; step < STEPS; step += 1) {
    await random.pick([invite, invite, answer, answer, answer, remove, leave, replay])();
    const email = random.pick([OWNER, CLERK, STRANGER]);
    await expectMemberships(pickBrowser(email), email, model.members);
  }
}

/** The companies that a user sees and may use are those they accepted; a lookalike is never the first of the owner's. */
async function expectMemberships(
  browser: Browser,
  email: string,
  members: ReadonlySet<Place>,
): Promise<void> {
  const { companies } = (await browser.call(listCompanies)).json() as { companies: { id: string }[] };
  const expected = [ACME, BAY].filter((realm) => members.has(`${realm} ${email}`));
  expect(companies.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  for (const realm of [ACME, BAY]) {
    const { status } = await browser.call(listUploads, { query: { realm_id: realm } });
    // A member without a group has no right to invoices.
    const mayUse = expected.includes(realm) && email !== STRANGER;
    expect(status).toBe(mayUse ? 200 : 403);
  }
  if (email !== OWNER) return;
  const user = (await browser.call(getUser)).json() as { companies: { id: string }[] };
  expect(user.companies[0]?.id).toBe(ACME);
}
