import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  downloadExport,
  listExports,
  requestExport,
  type DataExport,
} from "#features/companies/data-export/contract.ts";
import { listTrail } from "#features/companies/trail/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { holdLock } from "../../../../test/support/hold-lock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { addMember } from "../../../../test/support/members.ts";
import { makeFolder } from "../../../../test/support/places.ts";
import { openBucket } from "../../../../test/support/s3.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../../test/support/system-runs.ts";
import { until } from "../../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { verifyExport } from "../../../../test/support/verify-export.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const ABOUT = { query: { realm_id: ACME } };

const list = async (browser: Browser) =>
  ((await browser.call(listExports, ABOUT)).json() as { exports: DataExport[] }).exports;

const ask = async (browser: Browser) => {
  const reply = await browser.call(requestExport, ABOUT);
  expect(reply.status, reply.text).toBe(202);
  return (reply.json() as { export: DataExport }).export;
};

const made = (browser: Browser) =>
  until(
    browser,
    () => list(browser),
    ([newest]) => newest?.state === "made",
  );

const stored = ({ config }: TestApp) => readdir(join(config.dataDir, "objects/exports")).catch(() => []);

test("OP-17 the admin makes an export in Settings, one at a time, is mailed when it is ready, and downloads it with its hash", async () => {
  const app = await startApp({ worker: false, mail: true });
  const owner = await app.owner(ACME);
  const [first, same] = [await ask(owner), await ask(owner)];
  expect(first).toMatchObject({ state: "making", requested_by: "owner@acme.example", sha256: null });
  expect(same.id).toBe(first.id);
  await app.work();
  await uploadRows(owner, ACME, [invoiceLine("EXPORTED-1")]);
  await settledUploads(owner, ACME);
  const [ready] = await made(owner);
  const params = { export_id: first.id };
  const bytes = await owner.download(downloadExport, { ...ABOUT, params });
  expect(bytes.length).toBe(ready?.size_bytes);
  const file = join(await makeFolder(), "export.tar");
  await writeFile(file, bytes);
  const { company, files } = await verifyExport(file);
  expect([company, files.length]).toEqual([{ id: ACME, name: "Acme Tools" }, ready?.files]);
  const { entries } = (await owner.call(listTrail, ABOUT)).json() as {
    entries: { title: string; user: string }[];
  };
  expect(entries.filter(({ title }) => title === "Exported all data")).toMatchObject([
    { user: "owner@acme.example" },
  ]);
  await app.settle();
  expect(app.mailbox().messages().length).toBe(1);
  expect(app.mailbox().messages()).toMatchObject([
    { to: ["owner@acme.example"], subject: "The export of Acme Tools is ready" },
  ]);
  expect((await ask(owner)).id).not.toBe(first.id);
});

test("an export whose connection to the database is lost begins again, and is made", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const release = await holdLock(app, (tx) => sql`lock table label in access exclusive mode`.execute(tx));
  await ask(owner);
  await until(
    app.clock,
    async () =>
      (
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'copy%'`.execute(
          app.db,
        )
      ).rows,
    (ended) => ended.length > 0,
  );
  await release();
  await made(owner);
});

test("an export that can't be stored leaves no transaction open and no file behind", async () => {
  const { s3, env } = await openBucket();
  const app = await startApp({ env });
  const owner = await app.owner(ACME);
  // More than the part of an archive that is stored at once.
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())`.execute(
    app.db,
  );
  await sql`insert into package (realm_id, number, state, added_at)
    select ${ACME}, '1Z1A2B3C039999999' || n, 'delivered', now() from generate_series(1, 2) n`.execute(
    app.db,
  );
  await sql`insert into tracked_proof (realm_id, number, state, pdf)
    select ${ACME}, '1Z1A2B3C039999999' || n, 'carrier', decode(repeat('00', 9000000), 'hex')
    from generate_series(1, 2) n`.execute(app.db);
  s3.deny("s3:PutObject");
  await ask(owner);
  await until(
    app.clock,
    async () =>
      (await sql`select from run where kind = 'companies.export' and failures > 0`.execute(app.db)).rows,
    (failed) => failed.length > 0,
  );
  const { rows } = await sql`select query from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(app.db);
  expect(rows).toEqual([]);
  expect(await readdir(join(app.config.dataDir, "objects/incoming"))).toEqual([]);
  s3.allow("s3:PutObject");
  await made(owner);
});

test("OP-17 guests, members and other companies get no export", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const { id } = await ask(owner);
  await made(owner);
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await addMember(app.db, ACME, "clerk@acme.example");
  const other = await app.owner(BAY, "platform@dockside.example");
  const statuses = async (browser: Browser, realm_id: string) => {
    const query = { realm_id };
    const replies = [
      await browser.call(listExports, { query }),
      await browser.call(requestExport, { query }),
      await browser.call(downloadExport, { query, params: { export_id: id } }),
    ];
    return replies.map(({ status }) => status);
  };
  expect(await statuses(app.browser(), ACME)).toEqual([401, 401, 401]);
  expect(await statuses(clerk, ACME)).toEqual([403, 403, 403]);
  // As for a company that doesn't exist.
  expect(await statuses(other, ACME)).toEqual([403, 403, 403]);
  expect(await statuses(other, "1")).toEqual([403, 403, 403]);
  expect(await statuses(other, BAY)).toEqual([200, 202, 404]);
});

test("OP-17 an export is removed after EXPORT_RETENTION_DAYS, with its file", async () => {
  const app = await startApp({ env: { EXPORT_RETENTION_DAYS: "3" } });
  await sql`insert into installation (kind) values ('demo')`.execute(app.db);
  const owner = await app.owner(ACME);
  const { id } = await ask(owner);
  const [ready] = await made(owner);
  const keptMs = new Date(ready?.expires_at ?? "").getTime() - Date.now();
  expect(Math.round(keptMs / 3_600_000)).toBe(72);
  const files = await stored(app);
  expect(files).toEqual([`${ACME}-${id}.0`]);
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const file of files)
    await utimes(join(app.config.dataDir, "objects/exports", file), hoursAgo, hoursAgo);
  await executeSystemRun(app, "system.sweep");
  expect(await stored(app)).toEqual(files);
  await sql`update company_export set expires_at = now()`.execute(app.db);
  await executeSystemRun(app, "system.sweep");
  expect([await list(owner), await stored(app)]).toEqual([[], []]);
  const gone = await owner.call(downloadExport, { ...ABOUT, params: { export_id: id } });
  expect(gone.status).toBe(404);
});
