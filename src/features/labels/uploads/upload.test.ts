import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import {
  changeLabelSettings,
  createLabels,
  listLabelUploads,
  readLabelUpload,
} from "#features/labels/contract.ts";
import { lockSerials } from "#features/labels/serials.ts";
import { LABEL_SLOTS } from "#features/labels/limits.ts";
import { ANSWER_MS, READ_EVERY_MS } from "#platform/events/wait-for-change.ts";
import { labelsRun } from "#features/labels/runs.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { formatSscc } from "#formats/gs1/sscc.ts";
import { startSecondProcess } from "../../../../test/faults/support/second-process.ts";
import { steppedClock, type SteppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { holdLock } from "../../../../test/support/hold-lock.ts";
import {
  makeLabelSettings,
  labelWorkbook,
  PREFIX,
  sendAndLeave,
  setUpLabels,
  type LabelCells,
} from "../../../../test/support/labels.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";

const ID = "0198c0de-0000-7000-8000-00000000000a";
const OTHER_ID = "0198c0de-0000-7000-8000-00000000000b";

const send = async (browser: Browser, printId: string, rows: readonly LabelCells[], realmId = ACME) =>
  browser.call(createLabels, {
    headers: { "x-realm-id": realmId },
    json: { print_id: printId },
    file: { name: "week12.xlsx", bytes: await labelWorkbook(rows) },
  });

const find = (browser: Browser, id: string) => browser.call(readLabelUpload, { params: { upload_id: id } });
const QUEUED = { state: "queued", labels: null };

/** Waits until an upload is made. @returns the upload that has the labels */
async function foundUpload(browser: Browser, id: string): Promise<string> {
  await browser.settle();
  expect((await find(browser, id)).json()).toMatchObject({ state: "made" });
  return ((await find(browser, id)).json() as { labels: { id: string } }).labels.id;
}

async function open({ clock = steppedClock() as SteppedClock, worker = "labels" as "labels" | false } = {}) {
  const app = await startApp({ clock, worker });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  return { app, owner };
}

/** Sends a sheet and hangs up once it was received. */
const receive = (app: TestApp, owner: Browser, printId: string, rows: readonly LabelCells[]) =>
  sendAndLeave(app, owner, {
    printId,
    rows,
    until: async () => {
      await app.settle(0);
      expect((await find(owner, printId)).json()).toEqual(QUEUED);
    },
  });

/** Until it is released, no label can be stored. */
const holdLabels = (app: TestApp) =>
  holdLock(app, (tx) => sql`lock table label in share row exclusive mode`.execute(tx));

const listed = async (browser: Browser) => (await browser.call(listLabelUploads)).json();

const storedSheets = ({ config }: TestApp) =>
  readdir(join(config.dataDir, "objects", "labels")).catch(() => []);

test("labels for a caller that hung up are made once, and found by the upload's id", async () => {
  const { app, owner } = await open();
  const release = await holdLabels(app);
  await receive(app, owner, ID, [{ Cartons: 3 }]);
  expect(await listed(owner)).toEqual({
    uploads: [
      {
        id: ID,
        state: "queued",
        filename: "week12.xlsx",
        uploaded_at: expect.any(String) as string,
        uploaded_by: "owner@acme.example",
        label_count: 0,
        problem: null,
      },
    ],
  });
  await release();
  expect(await foundUpload(owner, ID)).toBe(ID);
  const read = async () => (await find(owner, ID)).json();
  expect(await read()).toMatchObject({ labels: { label_count: 3, prints: 1 } });
  expect(await listed(owner)).toMatchObject({ uploads: [{ id: ID, state: "made", label_count: 3 }] });

  // Sent again under its id it is the same upload, whatever is in it; under another id a reprint.
  expect((await send(owner, ID, [{ Cartons: 3 }])).headers.get(DOCUMENT_OF_HEADER)).toBe(ID);
  expect((await send(owner, ID, [{ Cartons: 4 }])).headers.get(DOCUMENT_OF_HEADER)).toBe(ID);
  expect(await read()).toMatchObject({ labels: { label_count: 3, prints: 1 } });
  await send(owner, OTHER_ID, [{ Cartons: 3 }]);
  expect(await foundUpload(owner, OTHER_ID)).toBe(ID);
  expect(await read()).toMatchObject({ labels: { prints: 2 } });
  expect(await listed(owner)).toMatchObject({ uploads: [{ id: ID }] });
  await app.settle();
  expect(await storedSheets(app)).toEqual([]);
});

test("a sheet sent twice at once under one id is one upload", async () => {
  const { app, owner } = await open();
  const replies = await Promise.all([1, 2, 3].map(() => send(owner, ID, [{ Cartons: 2 }])));
  expect(replies.map(({ headers }) => headers.get(DOCUMENT_OF_HEADER))).toEqual([ID, ID, ID]);
  expect((await find(owner, ID)).json()).toMatchObject({ labels: { label_count: 2, prints: 1 } });
  await app.settle();
  expect(await storedSheets(app)).toEqual([]);
});

test("a sheet received while no worker ran becomes labels once one does, its caller long gone; one with errors is listed with the reason until it is uploaded again", async () => {
  const { app, owner } = await open({ worker: false });
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  await receive(app, owner, OTHER_ID, [{ "PO Number": "", Cartons: 2 }]);
  expect(await storedSheets(app)).toHaveLength(2);
  expect(await listed(owner)).toMatchObject({
    uploads: [
      { id: OTHER_ID, state: "queued" },
      { id: ID, state: "queued" },
    ],
  });
  await app.work();
  await foundUpload(owner, ID);
  const problem = "PO Number is missing in row 2.";
  await app.settle();
  expect(await listed(owner)).toMatchObject({
    uploads: [
      { id: OTHER_ID, state: "refused", problem },
      { id: ID, label_count: 2 },
    ],
  });
  const { status, headers, text } = await find(owner, OTHER_ID);
  expect([status, expectProblem(headers, text)]).toEqual([
    400,
    expect.objectContaining({ code: "row_problems", detail: problem }),
  ]);
  // A caller that gets the reason does not need it in a list.
  expect((await send(owner, OTHER_ID, [{ "PO Number": "", Cartons: 2 }])).status).toBe(400);
  expect(await listed(owner)).toMatchObject({ uploads: [{ id: ID }] });
  await app.settle();
  expect(await storedSheets(app)).toEqual([]);
});

test("a sheet received by one process is made by another; its caller gets the labels, and each process reports its state", async () => {
  const { app, owner } = await open({ worker: false });
  const other = await startSecondProcess(app);
  await other.work();
  const made = await send(owner, ID, [{ Cartons: 2 }]);
  expect([made.status, made.text.match(/\/Type\/Page\//g)?.length]).toEqual([200, 2]);
  const there = await other.browserLike(owner);
  expect((await find(there, ID)).json()).toMatchObject({
    state: "made",
    labels: { id: made.headers.get(DOCUMENT_OF_HEADER) },
  });
});

test("a waiting caller is answered as soon as the labels are made, by the notice of completion, or by reading the state if that notice is lost", async () => {
  const { app, owner } = await open();
  const sentAt = app.clock.steadyMs();
  expect((await send(owner, ID, [{ Cartons: 2 }])).status).toBe(200);
  expect(app.clock.steadyMs() - sentAt).toBeLessThan(READ_EVERY_MS);
  const release = await holdLabels(app);
  const goOn = app.clock.stand();
  const waiting = send(owner, OTHER_ID, [{ "PO Number": "A-2", Cartons: 2 }]);
  await app.settle(0);
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen dockside_changes'`.execute(app.db);
  expect(ended.rows).toHaveLength(1);
  await release();
  goOn();
  expect((await waiting).status).toBe(200);
});

test("labels never wait for a slot behind invoice uploads, which wait for a vendor", async () => {
  const app = await startApp({ env: { RUN_SLOTS: "1" } });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const release = await holdLock(app, (tx) => sql`lock table outbound_budget`.execute(tx));
  await uploadRows(owner, ACME, invoiceRows(1, { prefix: "A" }));
  const posting = async () =>
    (await sql<{ state: string }>`select state from run where kind = 'invoices.post-upload'`.execute(app.db))
      .rows;
  await app.settle();
  expect(await posting()).toEqual([{ state: "working" }]);
  expect((await send(owner, ID, [{}])).status).toBe(200);
  expect(await posting()).toEqual([{ state: "working" }]);
  await release();
});

test("a worker stopped while reading a sheet leaves it to the next one", async () => {
  const { app, owner } = await open({ worker: false });
  const stop = await app.makeLabels();
  const release = await holdLock(app, (tx) => sql`lock table label_settings`.execute(tx));
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  const isReading = () =>
    sql`select 1 from pg_locks where relation = 'label_settings'::regclass and not granted`
      .execute(app.db)
      .then(({ rows }) => rows.length);
  await app.settle();
  expect(await isReading()).toBe(1);
  const stopped = stop();
  // The worker knows that it stops before it goes on.
  await app.settle(0);
  await release();
  await stopped;
  expect(await listed(owner)).toMatchObject({ uploads: [{ id: ID, state: "queued" }] });
  await app.makeLabels();
  await foundUpload(owner, ID);
});

test("after 45 seconds the answer is that labels are being made, and later they, or the file's problems, are found", async () => {
  const { app, owner } = await open();
  const release = await holdLabels(app);
  const late = await send(owner, ID, [{ Cartons: 2 }]);
  expect([late.status, late.json()]).toEqual([202, { upload_id: ID }]);
  expect((await find(owner, ID)).json()).toEqual(QUEUED);
  await release();
  await foundUpload(owner, ID);
  expect((await find(owner, ID)).json()).toMatchObject({ labels: { label_count: 2, prints: 1 } });

  expect((await send(owner, OTHER_ID, [{ "PO Number": "", Cartons: 2 }])).status).toBe(400);
  expect((await find(owner, OTHER_ID)).status).toBe(400);
  const { headers, text } = await find(owner, OTHER_ID);
  expect(expectProblem(headers, text)).toMatchObject({
    code: "row_problems",
    detail: "PO Number is missing in row 2.",
  });
});

test("sheets of one company wait for each other without holding up another company's", async () => {
  const { app, owner } = await open();
  await owner.connect("owner@acme.example", BAY);
  const headers = { "x-realm-id": BAY };
  expect((await owner.call(changeLabelSettings, { headers, json: makeLabelSettings() })).status).toBe(200);
  const range = { realmId: ACME, prefix: PREFIX, extension: 0 };
  const release = await holdLock(app, (tx) => lockSerials(tx, range));
  const sheets = Array.from({ length: LABEL_SLOTS + 1 }, (_, at) => [{ "PO Number": `A-${at}` }]);
  const waiting = sheets.map((rows, at) => send(owner, ID.replace(/.$/, String(at)), rows));
  const waitingForNumbers = () =>
    sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      .execute(app.db)
      .then(({ rows }) => rows.length);
  await app.settle();
  expect(await waitingForNumbers()).toBe(1);
  expect((await send(owner, OTHER_ID, [{}], BAY)).status).toBe(200);
  expect(await waitingForNumbers()).toBe(1);
  await release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(sheets.map(() => 200));
});

/** Lets the next labels fail by an unknown fault: when they are inserted, or with their commit. */
const failLabels = (app: TestApp, times: number, when: "insert" | "commit") =>
  sql`drop sequence if exists failed; create sequence failed;
    create or replace function fail() returns trigger language plpgsql as $$ begin
      if nextval('failed') <= ${sql.lit(times)} then raise exception 'unthought'; end if; return new; end $$;
    drop trigger if exists fail on label;
    create constraint trigger fail after insert on label
      deferrable ${sql.raw(when === "commit" ? "initially deferred" : "")} for each row execute function fail()`.execute(
    app.db,
  );

test("an internal failure is retried, and if it persists the answer is that nothing was made, with a support number", async () => {
  const { app, owner } = await open();
  await failLabels(app, 2, "commit");
  expect((await send(owner, ID, [{ Cartons: 2 }])).status).toBe(200);
  await failLabels(app, 3, "insert");
  const failed = await send(owner, OTHER_ID, [{ "PO Number": "A-2", Cartons: 2 }]);
  expect([failed.status, expectProblem(failed.headers, failed.text)]).toEqual([
    503,
    expect.objectContaining({
      code: "labels_not_made",
      detail: expect.stringMatching(
        /^Something failed on our side, so no labels were made\. Try again, or contact us with the support ID [\da-f-]{36}\.$/,
      ) as string,
    }),
  ]);
  expect(await listed(owner)).toMatchObject({ uploads: [{ label_count: 2 }] });
  // Serials of the failed attempts are gaps: two of the first upload, three of the second.
  await send(owner, ID.replace(/.$/, "c"), [{ "PO Number": "A-2", Cartons: 2 }]);
  expect((await find(owner, ID.replace(/.$/, "c"))).json()).toMatchObject({
    labels: { orders: [{ first_sscc: formatSscc({ extension: 0, prefix: PREFIX, serial: 12 }) }] },
  });
});

test.each([
  [2, "is tried once more", { uploads: [{ label_count: 2 }] }],
  [
    3,
    "is refused",
    { uploads: [{ id: ID, problem: expect.stringContaining("Something failed on our side") as string }] },
  ],
])("a sheet over which %i processes died %s", async (died, _, list) => {
  const { app, owner } = await open({ worker: false });
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  await sql`update run set starts = ${died} where kind = 'labels.make'`.execute(app.db);
  await app.makeLabels();
  await app.settle();
  expect(await listed(owner)).toMatchObject(list);
});

test("while sixty-five sheets of a company wait, another is refused with when to retry, and another company's is not", async () => {
  const { app, owner } = await open({ worker: false });
  await sql`insert into label_upload (realm_id, id, state, file_name, uploaded_by, uploaded_at, request)
    select ${ACME}, gen_random_uuid(), 'queued', 'week12.xlsx', 'owner@acme.example', now(), '{}'
    from generate_series(1, 65)`.execute(app.db);
  const refused = await send(owner, ID, [{}]);
  expect([
    refused.status,
    refused.headers.get("retry-after"),
    expectProblem(refused.headers, refused.text).code,
  ]).toEqual([503, "60", "busy"]);
  expect([(await find(owner, ID)).status, await storedSheets(app)]).toEqual([404, []]);
  await app.makeLabels();
  await owner.connect("owner@acme.example", BAY);
  const headers = { "x-realm-id": BAY };
  expect((await owner.call(changeLabelSettings, { headers, json: makeLabelSettings() })).status).toBe(200);
  expect((await send(owner, ID, [{}], BAY)).status).toBe(200);
});

test("an upload that was never received is not found, and the answer says that the file may be sent again", async () => {
  const { owner } = await open({ worker: false });
  const unknown = await find(owner, ID);
  expect([unknown.status, expectProblem(unknown.headers, unknown.text).detail]).toEqual([
    404,
    "We can't find these labels. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
  ]);
});

test("a refused sheet is retried when it is sent again under its id, even twice at once", async () => {
  const { app, owner } = await open();
  await sql`insert into label_upload (realm_id, id, state, file_name, uploaded_by, uploaded_at, ended_at, refusal)
    values (${ACME}, ${ID}, 'refused', 'week12.xlsx', 'owner@acme.example', now(), now(),
      ${JSON.stringify({ status: 507, code: "storage_full", detail: "There was no space." })})`.execute(
    app.db,
  );
  expect((await find(owner, ID)).json()).toMatchObject({ code: "storage_full" });
  const replies = await Promise.all([1, 2].map(() => send(owner, ID, [{}])));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect((await sql`select count(*)::int as runs from run`.execute(app.db)).rows).toEqual([{ runs: 1 }]);
});

test("a refused sheet is retried although the run of its first attempt has not ended yet", async () => {
  const { app, owner } = await open();
  const attempt = OTHER_ID;
  await sql`insert into label_upload (realm_id, id, attempt, state, file_name, uploaded_by, uploaded_at, ended_at, refusal)
    values (${ACME}, ${ID}, ${attempt}, 'refused', 'week12.xlsx', 'owner@acme.example', now(), now(),
      ${JSON.stringify({ status: 507, code: "storage_full", detail: "There was no space." })})`.execute(
    app.db,
  );
  await sql`insert into run_holder (id, lease_until) values (${attempt}, now() + interval '1 h')`.execute(
    app.db,
  );
  await sql`insert into run (realm_id, id, kind, lane, subject, state, holder, requested_by, requested_at)
    values (${ACME}, ${attempt}, ${labelsRun.kind}, ${labelsRun.lane(ACME)}, ${attempt}, 'working', ${attempt},
      'owner@acme.example', now() - interval '1 s')`.execute(app.db);
  expect((await send(owner, ID, [{}])).status).toBe(202);
  expect([(await find(owner, ID)).json(), (await storedSheets(app)).length]).toEqual([QUEUED, 1]);
  await sql`update run set state = 'done', finished_at = now() where id = ${attempt}`.execute(app.db);
  expect(await foundUpload(owner, ID)).toBe(ID);
  await app.settle();
  expect(await storedSheets(app)).toEqual([]);
});

test("two callers waiting for one refused sheet both learn why, and it isn't listed", async () => {
  const { app, owner } = await open({ worker: false });
  const replies = Promise.all([1, 2].map(() => send(owner, ID, [{ "PO Number": "" }])));
  await app.settle();
  expect((await find(owner, ID)).json()).toEqual(QUEUED);
  await app.makeLabels();
  expect((await replies).map(({ status }) => status)).toEqual([400, 400]);
  expect(await listed(owner)).toEqual({ uploads: [] });
});

test("a sheet whose labels hung three times is refused", async () => {
  const { app, owner } = await open({ worker: false });
  expect((await send(owner, ID, [{}])).status).toBe(202);
  await sql`update run set failures = 3`.execute(app.db);
  await app.makeLabels();
  await app.settle();
  expect((await find(owner, ID)).status).toBe(503);
});

test("corrections of a sheet are kept no longer than its file, and are not read by waiting callers", async () => {
  const { app, owner } = await open();
  const json = (poNumber: string) => ({ cells: [{ row: 2, field: "poNumber", value: poNumber }] });
  const correct = async (poNumber: string) => {
    const file = { name: "week12.xlsx", bytes: await labelWorkbook([{ "PO Number": "" }]) };
    return (await owner.call(createLabels, { json: json(poNumber), file })).status;
  };
  expect([await correct("A-1"), await correct("")]).toEqual([200, 400]);
  const { rows } = await sql`select state, request from label_upload order by state`.execute(app.db);
  expect(rows).toEqual([
    { state: "made", request: null },
    { state: "refused", request: null },
  ]);
  await sql`insert into label_upload (realm_id, id, state, file_name, uploaded_by, uploaded_at, request)
    values (${ACME}, ${ID}, 'queued', 'week12.xlsx', 'owner@acme.example', ${app.clock.now()}, '{}')`.execute(
    app.db,
  );
  await sql`alter table label_upload rename column request to unreadable`.execute(app.db);
  onTestFinished(async () => {
    await sql`alter table label_upload rename column unreadable to request`.execute(app.db);
  });
  expect((await find(owner, ID)).json()).toEqual(QUEUED);
  expect(await listed(owner)).toMatchObject({ uploads: [{ id: ID }, { state: "made" }] });
});

test("a caller that hangs up while its sheet is being stored got no answer: the reason of a refusal is listed", async () => {
  const { app, owner } = await open({ worker: false });
  const release = await holdLock(app, (tx) =>
    sql`lock table label_upload in share row exclusive mode`.execute(tx),
  );
  const waiting = () =>
    sql`select from pg_locks where relation = 'label_upload'::regclass and not granted`
      .execute(app.db)
      .then(({ rows }) => rows.length);
  await sendAndLeave(app, owner, {
    printId: ID,
    rows: [{ "PO Number": "" }],
    until: async () => {
      await app.settle(0);
      expect(await waiting()).toBe(1);
    },
  });
  expect((await find(owner, ID)).status).toBe(404);
  await release();
  await app.makeLabels();
  const refused = { uploads: [{ id: ID, problem: "PO Number is missing in row 2." }] };
  await app.settle();
  expect(await listed(owner)).toMatchObject(refused);
});

test("a caller that waits while the demo is reset is answered at once, and finds no labels", async () => {
  const { app, owner } = await open({ worker: false });
  const goOn = app.clock.stand();
  const sentAt = app.clock.steadyMs();
  const answer = send(owner, ID, [{}]);
  await app.settle(0);
  expect((await find(owner, ID)).status).toBe(200);
  await sql`delete from label_upload`.execute(app.db);
  goOn();
  expect([(await answer).status, (await find(owner, ID)).status]).toEqual([202, 404]);
  expect(app.clock.steadyMs() - sentAt).toBeLessThan(ANSWER_MS);
});
