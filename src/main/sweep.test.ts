import { access, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploads, downloadProblemRows, type UploadList } from "#features/invoices/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { ACME, liftLimits } from "../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../test/support/labels.ts";
import { startApp, type TestApp } from "../../test/support/start-app.ts";
import { executeSystemRun } from "../../test/support/system-runs.ts";
import { settledUploads, uploadRows } from "../../test/support/uploads.ts";
import { invoiceRows } from "../../test/support/workbooks.ts";
import { findKindFault } from "./find-database-fault.ts";

const DAY_MS = 24 * 3_600_000;

/** Runs the sweep as the worker does when its time has come. */
async function sweep(app: TestApp): Promise<void> {
  await findKindFault(app.db, app.config);
  await executeSystemRun(app, "system.sweep");
}

const stored = (app: TestApp) => readdir(join(app.config.dataDir, "objects/uploads"));

const age = (file: string, days: number) => utimes(file, new Date(), new Date(Date.now() - days * DAY_MS));

test("expired sessions and unfinished sign-ins are removed", async () => {
  const app = await startApp({ worker: false });
  const [idle, old, living] = [await app.owner(ACME), app.browser(), app.browser()];
  await old.signIn("owner@acme.example");
  await sql`update session set created_at = now() - interval '7 days 1 second'`.execute(app.db);
  await idle.signIn("clerk@acme.example");
  await sql`update session set last_seen_at = now() - interval '12 hours 1 second'
    where created_at > now() - interval '1 day'`.execute(app.db);
  await living.signIn("platform@dockside.example");
  await app.browser().request("/login/");
  await sql`update authorization_request set created_at = now() - interval '11 minutes'`.execute(app.db);
  await app.browser().request("/login/");
  await sweep(app);
  const count = async (table: string) =>
    (await sql`select from ${sql.table(table)}`.execute(app.db)).rows.length;
  expect([await count("session"), await count("authorization_request")]).toEqual([1, 1]);
  expect((await living.request("/api/v1/user")).status).toBe(200);
});

test("CT-02 messages from the contact page are deleted after 400 days", async () => {
  const app = await startApp({ worker: false });
  await sql`insert into contact_message (id, name, email, topic, message, sent_at)
    select gen_random_uuid(), 'N', 'n@note.example', 'other', age::text, now() - make_interval(days => age, mins => 1)
    from unnest(array[1, 399, 400]) age`.execute(app.db);
  await sweep(app);
  const { rows } = await sql`select message from contact_message order by message`.execute(app.db);
  expect(rows).toEqual([{ message: "1" }, { message: "399" }]);
});

test("TK-13 vendors' messages that fail for 30 days and ended runs of their inbox are removed, and no newer ones", async () => {
  const app = await startApp({ worker: false });
  await sql`insert into vendor_message (vendor, digest, body, received_at)
    select 'ups', age::text::bytea, '', now() - make_interval(days => age) from unnest(array[29, 31]) age`.execute(
    app.db,
  );
  await sql`insert into run (realm_id, id, kind, lane, subject, state, requested_at, requested_by, finished_at)
    select '', gen_random_uuid(), 'tracking.inbox', age, gen_random_uuid(), 'done', now(), '',
      now() - make_interval(days => age) from unnest(array[29, 31]) age`.execute(app.db);
  await sweep(app);
  const { rows } = await sql`select convert_from(digest, 'UTF8') as age from vendor_message
    union all select lane from run where kind = 'tracking.inbox'`.execute(app.db);
  expect(rows).toEqual([{ age: "29" }, { age: "29" }]);
});

test("files of uploads older than the retention period are removed, and what was posted stays on record", async () => {
  const app = await startApp({ env: { UPLOAD_RETENTION_DAYS: "400" } });
  await liftLimits(app.intuit, ACME);
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [
    ...invoiceRows(1, { prefix: "A" }),
    { Customer: "Nobody", Item: "x", Qty: 1 },
  ]);
  await uploadRows(browser, ACME, invoiceRows(1, { prefix: "B" }));
  const before = await settledUploads(browser, ACME);
  const oldest = before.uploads.at(-1)?.id ?? "";
  await sql`update upload set uploaded_at = uploaded_at - interval '399 days'`.execute(app.db);
  await sweep(app);
  expect(await stored(app)).toHaveLength(2);
  await sql`update upload set uploaded_at = uploaded_at - interval '1 day 1 minute' where id = ${oldest}`.execute(
    app.db,
  );
  await sweep(app);
  await sweep(app);
  expect(await stored(app)).toHaveLength(1);
  const after = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
  expect(after.uploads.map(({ id, counts }) => [id, counts])).toEqual(
    before.uploads.map(({ id, counts }) => [id, counts]),
  );
  const rows = await browser.call(downloadProblemRows, {
    params: { upload_id: oldest },
    query: { realm_id: ACME },
  });
  expect([rows.status, rows.json()]).toEqual([
    404,
    expect.objectContaining({
      detail:
        "The file of this upload is no longer stored here, so its rows can't be downloaded. Use your own copy.",
    }),
  ]);
});

test("the file of an upload that waits longer than the retention period stays until it is posted", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, invoiceRows(2, { prefix: "W" }));
  await sql`update upload set uploaded_at = now() - interval '401 days'`.execute(app.db);
  await sweep(app);
  expect(await stored(app)).toHaveLength(1);
  await app.work();
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts).toMatchObject({ completed: 2 });
  await sweep(app);
  expect(await stored(app)).toEqual([]);
});

test("a stored file that no upload needs is removed after a day, and no others are", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, invoiceRows(1, { prefix: "A" }));
  const folder = join(app.config.dataDir, "objects/uploads");
  const [needed = ""] = await stored(app);
  await age(join(folder, needed), 3);
  await writeFile(join(folder, "orphan-old.xlsx"), "");
  await age(join(folder, "orphan-old.xlsx"), 2);
  await writeFile(join(folder, "orphan-new.xlsx"), "");
  await sweep(app);
  expect((await stored(app)).sort()).toEqual([needed, "orphan-new.xlsx"].sort());
});

test("a refused label upload, and the finished run of any other, is removed after a day, and so is a sheet left by a crash", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const send = async (name: string) =>
    (await owner.call(createLabels, { file: { name, bytes: await labelWorkbook([{ "PO Number": name }]) } }))
      .status;
  expect([await send("old.xlsx"), await send("new.xlsx")]).toEqual([200, 200]);
  const left = async () =>
    (
      await sql<{ name: string }>`select file_name as name from label_upload
        join run on run.subject = label_upload.attempt`.execute(app.db)
    ).rows;
  expect(await left()).toHaveLength(2);
  await sql`update run set finished_at = finished_at - interval '1 day 1 minute' where subject =
    (select attempt from label_upload where file_name = 'old.xlsx')`.execute(app.db);
  const folder = join(app.config.dataDir, "objects/labels");
  await app.settle();
  expect(await readdir(folder)).toEqual([]);
  const add = (state: string, more: string) =>
    sql<{ file: string }>`insert into label_upload
        (realm_id, id, attempt, state, file_name, uploaded_by, uploaded_at, ended_at, request, refusal)
      select ${ACME}, gen_random_uuid(), gen_random_uuid(), ${state}, ${state}, 'owner@acme.example', now(), ${sql.raw(more)}
      returning realm_id || '-' || attempt as file`.execute(app.db);
  await add("refused", "now() - interval '1 day 1 minute', null, '{}'");
  await add("refused", "now(), null, '{}'");
  const queued = (await add("queued", "null, '{}', null")).rows[0]?.file ?? "";
  for (const name of [queued, "orphan-old"]) {
    await writeFile(join(folder, name), "");
    await age(join(folder, name), 2);
  }
  await writeFile(join(folder, "orphan-new"), "");
  await sweep(app);
  expect(await left()).toEqual([{ name: "new.xlsx" }]);
  const { rows } = await sql`select state, count(*)::int as count from label_upload
    group by state order by state`.execute(app.db);
  expect(rows).toEqual([
    { state: "made", count: 2 },
    { state: "queued", count: 1 },
    { state: "refused", count: 1 },
  ]);
  expect((await readdir(folder)).sort()).toEqual([queued, "orphan-new"].sort());
});

test("files that belong to another database are left alone", async () => {
  const app = await startApp({ worker: false });
  await sweep(app);
  const marker = join(app.config.dataDir, "objects/installation");
  expect(await readFile(marker, "utf8")).toMatch(/^[\da-f-]{36}$/);
  await writeFile(marker, "00000000-0000-4000-8000-000000000000");
  await app.owner(ACME);
  const orphan = join(app.config.dataDir, "objects/uploads/orphan.xlsx");
  await uploadRows(await app.owner(ACME), ACME, invoiceRows(1, { prefix: "A" }));
  await writeFile(orphan, "");
  await age(orphan, 2);
  await sweep(app);
  await access(orphan);
});

test("periodic runs are added once for all workers and wait for their time", async () => {
  const app = await startApp();
  await app.work();
  const scheduled = async () =>
    (
      await sql<{
        kind: string;
      }>`select kind, state, cause, due_at > now() as "isLater" from run order by kind`.execute(app.db)
    ).rows;
  const expected = [
    "billing.read-events",
    "billing.sync-all",
    "carrier.keep-links",
    "companies.keep-connections",
    "differences.compare",
    "labels.settle",
    "order-invoices.settle",
    "orders.poll-folders",
    "packages.poll",
    "system.sweep",
    "tracking.start",
  ].map((kind) => ({ kind, state: "waiting", cause: { code: "scheduled" }, isLater: true }));
  expect(await scheduled()).toEqual(expected);
  await sql`update run set due_at = now() where kind = 'system.sweep'`.execute(app.db);
  await app.settle();
  expect(await scheduled()).toEqual(expected);
  expect((await sql`select fence from run where kind = 'system.sweep'`.execute(app.db)).rows).toEqual([
    { fence: 1 },
  ]);
});

test("a stored file that vanished is reported at once for its upload", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, invoiceRows(2, { prefix: "V" }));
  await rm(join(app.config.dataDir, "objects/uploads"), { recursive: true });
  await app.work();
  const list = await settledUploads(browser, ACME);
  expect(list.uploads[0]?.results.map(({ message }) => message)).toEqual([
    "The file of this upload is no longer stored here, so we couldn't read it and nothing was posted. Upload it again.",
  ]);
});
