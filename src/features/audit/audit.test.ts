import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeSettings } from "#features/companies/contract.ts";
import { auditBy, verifyTrails } from "#features/audit/index.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { grantTracking } from "../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";

const ABOUT = { query: { realm_id: ACME } };

/** Acme with four entries, in a database the test can write. */
async function startTrail(): Promise<TestApp> {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  for (const days of [10, 20, 30])
    await owner.call(changeSettings, { ...ABOUT, json: { invoice_lookback: days } });
  return app;
}

const ofAcme = async ({ db }: TestApp) => (await verifyTrails(db)).find(({ realmId }) => realmId === ACME);

/** Runs SQL as an attacker with the database password. */
const tamper = ({ db }: TestApp, statement: string) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql.raw(statement).execute(tx);
  });

const SECOND = `(realm_id, at, id) = (select realm_id, at, id from audit_link where realm_id = '${ACME}' and seq = 2)`;

test("SE-26 an unchanged trail is valid, and its report has the number of entries and the last hash", async () => {
  const app = await startTrail();
  const first = await ofAcme(app);
  expect(first).toEqual({
    realmId: ACME,
    entries: 4,
    lastHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    fault: null,
  });
  expect(await ofAcme(app)).toEqual(first);
});

test.each([
  [
    "a value was changed",
    `update audit_entry set after = '{"invoice_lookback": 11}' where ${SECOND}`,
    "entry 2 was changed",
  ],
  [
    "an entry was attributed to another user",
    `update audit_entry set user_id = null where ${SECOND}`,
    "entry 2 was changed",
  ],
  ["an entry was removed", `delete from audit_entry where ${SECOND}`, "entry 2 was removed"],
  [
    "an entry was removed with its link",
    `delete from audit_entry where ${SECOND}; delete from audit_link where realm_id = '${ACME}' and seq = 2`,
    "link 2 is missing",
  ],
  [
    "an entry was slipped in",
    `insert into audit_entry (realm_id, at, id, action, ids, request_id) values ('${ACME}', now(), gen_random_uuid(), 'x.y', '{}', 'r')`,
    "1 entries were slipped in",
  ],
  [
    "an entry was replaced with its own hash",
    `update audit_entry set action = 'x.y' where ${SECOND}; update audit_link l set hash = sha256((select hash from audit_link p where p.realm_id = l.realm_id and p.seq = 1) || audit_digest(e)) from audit_entry e where l.realm_id = '${ACME}' and l.seq = 2 and e.id = l.id`,
    "entry 3 was changed",
  ],
])("SE-26 verification shows when %s", async (_how, statement, fault) => {
  const app = await startTrail();
  await tamper(app, statement);
  expect((await ofAcme(app))?.fault).toBe(fault);
});

test("concurrent entries form one chain per company", async () => {
  const app = await startApp({ worker: false });
  const write = (realm: string) =>
    auditBy(app.application.ctx, { userId: null, realmId: realm, requestId: "r" }).audit(app.db, {
      action: "companies.switch",
    });
  await Promise.all(Array.from({ length: 300 }, (_, n) => write(n % 3 === 0 ? BAY : ACME)));
  const trails = await verifyTrails(app.db);
  expect(trails.map(({ entries, fault }) => [entries, fault])).toEqual([
    [200, null],
    [100, null],
  ]);
});
