import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { addUser, listCompanies } from "#features/companies/contract.ts";
import { listTrail, type TrailEntry } from "#features/companies/trail/contract.ts";
import { databaseUrl } from "../../test/support/database.ts";
import { TEST_KEYS } from "../../test/support/keys.ts";
import { ACME } from "../../test/support/intuit.ts";
import { runOperate } from "../../test/support/operate.ts";
import { uploadRows } from "../../test/support/uploads.ts";
import { invoiceLine } from "../../test/support/workbooks.ts";
import { startApp, type TestApp } from "../../test/support/start-app.ts";
import { steppedClock } from "../../test/support/stepped-clock.ts";

/** Runs the command on the database of an app and its simulators, as `npm run operate` does. */
async function operate({ db, config, intuit }: TestApp, ...args: string[]) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return runOperate(
    {
      DATABASE_URL: databaseUrl(inject("databaseUrl"), rows[0]?.name ?? ""),
      DATA_DIR: config.dataDir,
      SEALING_KEYS: TEST_KEYS,
      SIM_INTUIT_PORT: new URL(intuit.url).port,
    },
    ...args,
  );
}

test("an operator grants and ends a service with a reason while the product runs; the company sees both in its audit trail", async () => {
  // Commands run by the machine's time.
  const app = await startApp({ worker: false, clock: steppedClock(Date.now()) });
  const owner = await app.owner(ACME);
  const services = async () =>
    ((await owner.call(listCompanies)).json() as { companies: { services: string[] }[] }).companies[0]
      ?.services;
  expect(await operate(app, "service", "grant", ACME, "tracking", "--reason", "A trial of a month")).toEqual({
    code: 0,
    output: `tracking of ${ACME} is active.`,
  });
  expect(await services()).toEqual(["tracking"]);
  expect((await operate(app, "service", "end", ACME, "tracking", "--reason", "The trial is over")).code).toBe(
    0,
  );
  expect(await services()).toEqual([]);
  const { entries } = (await owner.call(listTrail, { query: { realm_id: ACME } })).json() as {
    entries: TrailEntry[];
  };
  expect(
    entries
      .slice(0, 2)
      .map(({ user, title, changes }) => [user, title, changes.find(({ name }) => name === "reason")?.after]),
  ).toEqual([
    ["Operator", "Changed a service", "The trial is over"],
    ["Operator", "Changed a service", "A trial of a month"],
  ]);
});

test("OP-09 an operator signs a user out, blocks them whatever their e-mail is, and lets them in again", async () => {
  const app = await startApp({ worker: false });
  const [desk, phone, clerk] = [await app.owner(ACME), app.browser(), app.browser()];
  await phone.signIn("owner@acme.example");
  await clerk.signIn("clerk@acme.example");
  const isIn = async (browser: typeof desk) => (await browser.call(listCompanies)).status === 200;
  expect(await operate(app, "user", "sign-out", "Owner@Acme.example")).toEqual({
    code: 0,
    output: "Owner@Acme.example was signed out. Devices signed out: 2.",
  });
  expect([await isIn(desk), await isIn(phone), await isIn(clerk)]).toEqual([false, false, true]);
  expect(await desk.signIn("owner@acme.example")).toBe("/app/");
  expect((await operate(app, "user", "block", "owner@acme.example")).output).toContain("is blocked");
  expect(await isIn(desk)).toBe(false);
  expect(await desk.signIn("owner@acme.example")).toContain("/login/failed?reason=blocked");
  expect([await isIn(desk), await isIn(clerk)]).toEqual([false, true]);
  await operate(app, "user", "unblock", "owner@acme.example");
  expect(await desk.signIn("owner@acme.example")).toBe("/app/");
  expect(await isIn(desk)).toBe(true);
  expect(await operate(app, "user", "block", "none@acme.example")).toEqual({
    code: 1,
    output: "No user has signed in with none@acme.example.",
  });
  const { rows } = await sql`select action from audit_entry where request_id like 'operator %'`.execute(
    app.db,
  );
  expect(rows).toHaveLength(3);
});

test("OP-09 an operator disconnects a company with a reason: its tokens are revoked at Intuit, and the trail shows it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await uploadRows(owner, ACME, [invoiceLine("W-1")]);
  expect((await operate(app, "company", "disconnect", ACME)).output).toContain("What to do:");
  expect((await operate(app, "company", "disconnect", "1", "--reason", "x")).output).toBe(
    "There is no company with this ID.",
  );
  for (let times = 0; times < 2; times += 1)
    expect(await operate(app, "company", "disconnect", ACME, "--reason", "Asked by phone")).toEqual({
      code: 0,
      output: "Acme Tools is disconnected. Uploads that wait for it to be connected again: 1.",
    });
  expect((await owner.call(listCompanies)).json()).toEqual({ companies: [] });
  const { entries } = await app.intuit.control<{ entries: unknown[] }>("journal?operation=oauth.revoke");
  expect(entries).toHaveLength(1);
  await owner.connect("owner@acme.example", ACME);
  const trail = (await owner.call(listTrail, { query: { realm_id: ACME } })).json() as {
    entries: TrailEntry[];
  };
  expect(trail.entries.filter(({ title }) => title.startsWith("Disconnected"))).toMatchObject([
    {
      user: "Operator",
      changes: expect.arrayContaining([expect.objectContaining({ after: "Asked by phone" })]),
    },
  ]);
});

test("OP-09 an operator lists companies and users", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  await app.browser().signIn("clerk@acme.example");
  await operate(app, "service", "grant", ACME, "tracking", "--reason", "A trial");
  await operate(app, "user", "block", "clerk@acme.example");
  expect((await operate(app, "company", "list")).output.split("\n")).toEqual([
    "company\tname\tadmin\tQuickBooks\tusers\tservices",
    `${ACME}\tAcme Tools\towner@acme.example\tconnected\t1\ttracking`,
  ]);
  expect((await operate(app, "user", "list")).output.split("\n")).toEqual([
    "email\tname\tgroups\tcompanies\tlast seen\tstate",
    "clerk@acme.example\tCarl Clerk\tapp\t0\t\tblocked",
    expect.stringMatching(/^owner@acme.example\tOlive Owner\tapp brainchild\t1\t\d{4}-\S+Z$/),
  ]);
});

test("a refused operator command says why and changes nothing", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  for (const [args, said] of [
    [["service", "grant", ACME, "tracking"], "reason: "],
    [["service", "grant", ACME, "parking", "--reason", "x"], "service: "],
    [["service", "grant", "1", "tracking", "--reason", "x"], "There is no company with this ID."],
    [
      ["service", "grant", ACME, "tracking", "--reason", "x", "--until", "2020-01-01T00:00:00Z"],
      "That end date has passed.",
    ],
    [["service", "grant", ACME, "tracking", "--force"], "Unknown option '--force'"],
    [[], "What to do:"],
  ] as const) {
    const { code, output } = await operate(app, ...args);
    expect([code, output], args.join(" ")).toEqual([1, expect.stringContaining(said)]);
    expect(output).not.toMatch(/\bat \S+:\d+/);
  }
  expect((await sql`select from company_service`.execute(app.db)).rows).toEqual([]);
});

test("an operator lists the mails that were not sent, each with its cause", async () => {
  const app = await startApp({ mail: true });
  const owner = await app.owner(ACME);
  const add = (email: string) => owner.call(addUser, { query: { realm_id: ACME, email } });
  await add("clerk@acme.example");
  await app.settle();
  expect(app.mailbox().messages().length).toBe(1);
  expect(await operate(app, "mail", "list")).toEqual({ code: 0, output: "Every mail was sent." });
  app.mailbox().fail({ code: 550 }, 1);
  await add("gone@acme.example");
  await app.settle();
  expect((await sql`select from notice_mail where state = 'refused'`.execute(app.db)).rows.length).toBe(1);
  const { code, output } = await operate(app, "mail", "list");
  expect([code, output.split("\n").slice(1)]).toEqual([
    0,
    [expect.stringMatching(new RegExp(`^\\S+Z ${ACME} invitation gone@acme.example refused: .*550`))],
  ]);
});
