import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readList, type ListPage } from "#features/admin/lists/contract.ts";
import { downloadExport, listExports, requestExport } from "#features/companies/data-export/contract.ts";
import { showHealth, type Health } from "#features/health/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { until } from "../../../test/support/tracking.ts";

const ABOUT = { query: { realm_id: ACME } };

/** Another database stands for a replica: what only it has shows that it was read. */
async function openReplica(installation: string) {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  await sql`insert into installation (kind, id) values ('demo', ${installation}::uuid)`.execute(database.db);
  return database;
}

async function startWithReplica(installation: string) {
  const replica = await openReplica(installation);
  const app = await startApp({
    env: { REPLICA_DATABASE_URL: replica.url, GROUP_ADMIN: "owner@acme.example" },
  });
  await sql`insert into installation (kind, id) values ('demo', ${OWN}::uuid)`.execute(app.db);
  const owner = await app.owner(ACME);
  for (const [db, name] of [
    [app.db, "primary"],
    [replica.db, "replica"],
  ] as const)
    await sql`insert into contact_message (id, name, email, topic, message, sent_at)
      values (gen_random_uuid(), ${name}, 'a@b.example', 'other', 'hello', now())`.execute(db);
  return { app, replica, owner };
}

const OWN = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";

/** Who is read, by the names of its messages, and how far behind it reports to be. */
async function readMessages(operator: Browser) {
  const reply = await operator.call(readList, { params: { list: "messages" } });
  const { rows, replica_lag_seconds: lag } = reply.json() as Extract<ListPage, { list: "messages" }>;
  return [rows.map(({ name }) => name).join(), lag];
}
const describe = async (operator: Browser) =>
  ((await operator.call(showHealth)).json() as Health).database?.replica;
const readReadiness = async (browser: Browser) =>
  (await browser.request("/readyz")).json() as { failing: string[]; ready: boolean };

test("HA-07 lists of Admin are read from the replica, with its lag, and from the primary while the replica is away", async () => {
  const { app, replica, owner } = await startWithReplica(OWN);
  expect(await readMessages(owner)).toEqual(["replica", 0]);
  expect(await describe(owner)).toEqual({ lag_seconds: 0, fault: null });
  await sql`alter table contact_message rename to gone`.execute(replica.db);
  expect(await readMessages(owner)).toEqual(["primary", null]);
  await sql`alter table gone rename to contact_message`.execute(replica.db);
  // A health check that the replica answers doesn't send lists back to it before its time.
  expect(await describe(owner)).toEqual({ lag_seconds: 0, fault: null });
  expect(await readMessages(owner)).toEqual(["primary", null]);
  app.clock.advance(30_000);
  expect(await readMessages(owner)).toEqual(["replica", 0]);
});

test("HA-07 an export is read from the replica", async () => {
  const { app, replica, owner } = await startWithReplica(OWN);
  await sql`insert into company (realm_id, name, contact_email, created_at)
    values (${ACME}, 'Acme Tools', 'only@replica.example', now())`.execute(replica.db);
  const { export: asked } = (await owner.call(requestExport, ABOUT)).json() as { export: { id: string } };
  const [ready] = await until(
    app.clock,
    async () =>
      ((await owner.call(listExports, ABOUT)).json() as { exports: { state: string; sha256: string }[] })
        .exports,
    ([newest]) => newest?.state === "made",
  );
  const archive = Buffer.from(
    await owner.download(downloadExport, { ...ABOUT, params: { export_id: asked.id } }),
  );
  expect(createHash("sha256").update(archive).digest("hex")).toBe(ready?.sha256);
  expect(archive.toString()).toContain("only@replica.example");
});

test("HA-07 a database that isn't a replica of this one is not read, and a sentence says so", async () => {
  const { owner } = await startWithReplica(OTHER);
  expect(await readMessages(owner)).toEqual(["primary", null]);
  expect((await describe(owner))?.fault).toMatch(/^REPLICA_DATABASE_URL is another database/);
});

test("HA-07 a replica that doesn't answer stops nothing, and a sentence says so", async () => {
  const env = { REPLICA_DATABASE_URL: "postgres://localhost:1/none", GROUP_ADMIN: "owner@acme.example" };
  const app = await startApp({ worker: false, env });
  const owner = await app.owner(ACME);
  expect(await readMessages(owner)).toEqual(["", null]);
  expect((await describe(owner))?.fault).toMatch(/^The server of REPLICA_DATABASE_URL doesn't answer/);
  const { failing, ready } = await readReadiness(app.browser());
  expect([ready, failing]).toEqual([true, ["replica"]]);
});

test("HA-07 a replica that accepts a connection and then hangs stops neither lists nor health", async () => {
  const { app, replica, owner } = await startWithReplica(OWN);
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = replica.db.transaction().execute(async (tx) => {
    await sql`lock table installation in access exclusive mode`.execute(tx);
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  onTestFinished(() => over.resolve());
  const { failing, ready } = await readReadiness(app.browser());
  expect([ready, failing]).toEqual([true, ["replica"]]);
  expect((await describe(owner))?.fault).toMatch(/^The server of REPLICA_DATABASE_URL doesn't answer/);
  expect(await readMessages(owner)).toEqual(["primary", null]);
  over.resolve();
  await holding;
});
