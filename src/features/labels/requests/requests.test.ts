import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import {
  createLabels,
  findPrint,
  listLabelUploads,
  readLabelUpload,
  UPLOAD_HEADER,
} from "#features/labels/contract.ts";
import { lockSerials } from "#features/labels/ledger/store-serials.ts";
import { changeLabelSettings } from "#features/labels/settings/contract.ts";
import { ANSWER_MS, LABEL_SLOTS, LOOK_EVERY_MS } from "#features/labels/limits.ts";
import { systemClock, type Clock } from "#platform/clock.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { formatSscc } from "#formats/gs1/sscc.ts";
import { startSecondProcess } from "../../../../test/faults/support/second-process.ts";
import { fastClock } from "../../../../test/support/fast-clock.ts";
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

/** For it a minute is over at once. */
const hurried: Clock = {
  ...systemClock,
  sleep: (ms, signal) => (ms === ANSWER_MS ? Promise.resolve() : systemClock.sleep(ms, signal)),
};

const send = async (browser: Browser, printId: string, rows: readonly LabelCells[], realmId = ACME) =>
  browser.call(createLabels, {
    headers: { "x-realm-id": realmId },
    json: { print_id: printId },
    file: { name: "week12.xlsx", bytes: await labelWorkbook(rows) },
  });

const find = (browser: Browser, id: string) => browser.call(findPrint, { params: { print_id: id } });

async function foundUpload(browser: Browser, id: string): Promise<string> {
  await expect.poll(async () => (await find(browser, id)).json()).toMatchObject({ state: "made" });
  return ((await find(browser, id)).json() as { upload_id: string }).upload_id;
}

async function open({ clock = systemClock, worker = "labels" as "labels" | false } = {}) {
  const app = await startApp({ clock, worker });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  return { app, owner };
}

/** Sends a sheet, and hangs up once it was received. */
const receive = (app: TestApp, owner: Browser, printId: string, rows: readonly LabelCells[]) =>
  sendAndLeave(app, owner, {
    printId,
    rows,
    until: () =>
      expect
        .poll(async () => (await find(owner, printId)).json())
        .toEqual({ state: "making", upload_id: null }),
  });

/** Until it is released no label can be stored. */
const holdLabels = (app: TestApp) =>
  holdLock(app, (tx) => sql`lock table label in share row exclusive mode`.execute(tx));

const untilAborted = (signal?: AbortSignal) =>
  new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));

const listed = async (browser: Browser) => (await browser.call(listLabelUploads)).json();

const storedSheets = ({ config }: TestApp) =>
  readdir(join(config.dataDir, "objects", "labels")).catch(() => []);

test("labels whose caller hung up are made to their end, once, and found by the id that it gave them", async () => {
  const { app, owner } = await open();
  const release = await holdLabels(app);
  await receive(app, owner, ID, [{ Cartons: 3 }]);
  expect(await listed(owner)).toEqual({
    uploads: [],
    requests: [
      {
        print_id: ID,
        filename: "week12.xlsx",
        asked_at: expect.any(String) as string,
        asked_by: "owner@acme.example",
        problem: null,
      },
    ],
  });
  await release();
  const id = await foundUpload(owner, ID);
  const read = async () => (await owner.call(readLabelUpload, { params: { upload_id: id } })).json();
  expect(await read()).toMatchObject({ label_count: 3, prints: 1 });
  expect(await listed(owner)).toMatchObject({ uploads: [{ id }], requests: [] });

  // Sent again under its id it is the same printing, whatever is in it; under another one more.
  expect((await send(owner, ID, [{ Cartons: 3 }])).headers.get(UPLOAD_HEADER)).toBe(id);
  expect((await send(owner, ID, [{ Cartons: 4 }])).headers.get(UPLOAD_HEADER)).toBe(id);
  expect(await read()).toMatchObject({ label_count: 3, prints: 1 });
  await send(owner, OTHER_ID, [{ Cartons: 3 }]);
  expect([await foundUpload(owner, OTHER_ID), await read()]).toEqual([
    id,
    expect.objectContaining({ prints: 2 }),
  ]);
  await expect.poll(() => storedSheets(app)).toEqual([]);
});

test("one sheet sent twice at once under one id is one printing", async () => {
  const { app, owner } = await open();
  const replies = await Promise.all([1, 2, 3].map(() => send(owner, ID, [{ Cartons: 2 }])));
  const id = await foundUpload(owner, ID);
  expect(replies.map(({ headers }) => headers.get(UPLOAD_HEADER))).toEqual([id, id, id]);
  const upload = await owner.call(readLabelUpload, { params: { upload_id: id } });
  expect(upload.json()).toMatchObject({ label_count: 2, prints: 1 });
  await expect.poll(() => storedSheets(app)).toEqual([]);
});

test("a sheet that was received while no worker ran becomes labels once one does, its caller long gone; of one with errors it is listed why not, until somebody was answered", async () => {
  const { app, owner } = await open({ worker: false });
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  await receive(app, owner, OTHER_ID, [{ "PO Number": "", Cartons: 2 }]);
  expect(await storedSheets(app)).toHaveLength(2);
  expect(await listed(owner)).toMatchObject({
    uploads: [],
    requests: [
      { print_id: OTHER_ID, problem: null },
      { print_id: ID, problem: null },
    ],
  });
  await app.work();
  const id = await foundUpload(owner, ID);
  const problem = "Row 2, column PO Number: is required.";
  await expect
    .poll(() => listed(owner))
    .toMatchObject({ uploads: [{ id, label_count: 2 }], requests: [{ print_id: OTHER_ID, problem }] });
  const { status, headers, text } = await find(owner, OTHER_ID);
  expect([status, expectProblem(headers, text)]).toEqual([
    400,
    expect.objectContaining({ code: "row_problems", detail: problem }),
  ]);
  expect(await listed(owner)).toMatchObject({ uploads: [{ id }], requests: [] });
  await expect.poll(() => storedSheets(app)).toEqual([]);
});

test("a sheet that one process received is made by another one; its caller has the labels, and each process says what became of it", async () => {
  const { app, owner } = await open({ worker: false });
  const other = await startSecondProcess(app);
  await other.work();
  const made = await send(owner, ID, [{ Cartons: 2 }]);
  expect([made.status, made.text.match(/\/Type\/Page\//g)?.length]).toEqual([200, 2]);
  const there = await other.browserLike(owner);
  expect((await find(there, ID)).json()).toEqual({
    state: "made",
    upload_id: made.headers.get(UPLOAD_HEADER),
  });
});

test("whoever waits is answered as soon as the labels are made, without looking; and by looking, when that could not be announced", async () => {
  let looks = false;
  const clock: Clock = {
    ...systemClock,
    // A connection that is lost is opened again after as long, but not here.
    sleep: (ms, signal) =>
      (looks && ms === LOOK_EVERY_MS) || ms > 2_000 ? systemClock.sleep(ms, signal) : untilAborted(signal),
  };
  const { app, owner } = await open({ clock });
  expect((await send(owner, ID, [{ Cartons: 2 }])).status).toBe(200);
  looks = true;
  const release = await holdLabels(app);
  const waiting = send(owner, OTHER_ID, [{ "PO Number": "A-2", Cartons: 2 }]);
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen dockside_changes'`.execute(app.db);
  expect(ended.rows).toHaveLength(1);
  await release();
  expect((await waiting).status).toBe(200);
});

test("labels wait for no slot of an upload of invoices, which wait for a vendor", async () => {
  const app = await startApp({ env: { RUN_SLOTS: "1" } });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const release = await holdLock(app, (tx) => sql`lock table outbound_budget`.execute(tx));
  await uploadRows(owner, ACME, invoiceRows(1, { prefix: "A" }));
  const posting = async () =>
    (await sql<{ state: string }>`select state from run where kind = 'invoices.post-upload'`.execute(app.db))
      .rows;
  await expect.poll(posting).toEqual([{ state: "working" }]);
  expect((await send(owner, ID, [{}])).status).toBe(200);
  expect(await posting()).toEqual([{ state: "working" }]);
  await release();
});

test("a worker that is stopped while it reads a sheet leaves it to the next one", async () => {
  const { app, owner } = await open({ worker: false });
  const stop = await app.makeLabels();
  const release = await holdLock(app, (tx) => sql`lock table label_settings`.execute(tx));
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  const isReading = () =>
    sql`select 1 from pg_locks where relation = 'label_settings'::regclass and not granted`
      .execute(app.db)
      .then(({ rows }) => rows.length);
  await expect.poll(isReading).toBe(1);
  const stopped = stop();
  await release();
  await stopped;
  expect(await listed(owner)).toMatchObject({ uploads: [], requests: [{ print_id: ID, problem: null }] });
  await app.makeLabels();
  await foundUpload(owner, ID);
});

test("after a minute the answer is that labels are being made, and then they, or what is wrong with the file, are found", async () => {
  const { app, owner } = await open({ clock: hurried });
  const release = await holdLabels(app);
  const late = await send(owner, ID, [{ Cartons: 2 }]);
  expect([late.status, late.json()]).toEqual([202, { print_id: ID }]);
  expect((await find(owner, ID)).json()).toEqual({ state: "making", upload_id: null });
  await release();
  const upload = await owner.call(readLabelUpload, { params: { upload_id: await foundUpload(owner, ID) } });
  expect(upload.json()).toMatchObject({ label_count: 2, prints: 1 });

  const wrong = await send(owner, OTHER_ID, [{ "PO Number": "", Cartons: 2 }]);
  expect(wrong.status).toBe(202);
  await expect.poll(async () => (await find(owner, OTHER_ID)).status).toBe(400);
  const { headers, text } = await find(owner, OTHER_ID);
  expect(expectProblem(headers, text)).toMatchObject({
    code: "row_problems",
    detail: "Row 2, column PO Number: is required.",
  });
});

test("sheets of one company wait for each other without keeping another company's from being made", async () => {
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
  await expect.poll(waitingForNumbers).toBe(1);
  expect((await send(owner, OTHER_ID, [{}], BAY)).status).toBe(200);
  expect(await waitingForNumbers()).toBe(1);
  await release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(sheets.map(() => 200));
});

/** Lets the next labels fail, as by a fault that nobody has thought of: when they are inserted, or with their commit. */
const failLabels = (app: TestApp, times: number, when: "insert" | "commit") =>
  sql`drop sequence if exists failed; create sequence failed;
    create or replace function fail() returns trigger language plpgsql as $$ begin
      if nextval('failed') <= ${sql.lit(times)} then raise exception 'unthought'; end if; return new; end $$;
    drop trigger if exists fail on label;
    create constraint trigger fail after insert on label
      deferrable ${sql.raw(when === "commit" ? "initially deferred" : "")} for each row execute function fail()`.execute(
    app.db,
  );

test("a failure on our side is tried again, and where it lasts the answer is that nothing was made, and whom to ask about what", async () => {
  const clock = fastClock(1);
  const { app, owner } = await open({ clock });
  // However long it is waited between two tries.
  const hasten = setInterval(() => clock.advance(10_000), 50);
  onTestFinished(() => clearInterval(hasten));
  await failLabels(app, 2, "commit");
  expect((await send(owner, ID, [{ Cartons: 2 }])).status).toBe(200);
  await failLabels(app, 3, "insert");
  const failed = await send(owner, OTHER_ID, [{ "PO Number": "A-2", Cartons: 2 }]);
  expect([failed.status, expectProblem(failed.headers, failed.text)]).toEqual([
    503,
    expect.objectContaining({
      code: "labels_not_made",
      detail: expect.stringMatching(
        /^The labels couldn't be made because of a failure on our side\. None was made\. Try again, or contact us with the number [\da-f-]{36}\.$/,
      ) as string,
    }),
  ]);
  expect(await listed(owner)).toMatchObject({ uploads: [{ label_count: 2 }], requests: [] });
  // Another request gets the numbers. Those of the two commits are gaps: it can't be known that they failed.
  const again = await send(owner, ID.replace(/.$/, "c"), [{ "PO Number": "A-2", Cartons: 2 }]);
  const upload = await owner.call(readLabelUpload, {
    params: { upload_id: again.headers.get(UPLOAD_HEADER) ?? "" },
  });
  expect(upload.json()).toMatchObject({
    orders: [{ first_sscc: formatSscc({ extension: 0, prefix: PREFIX, serial: 6 }) }],
  });
});

test.each([
  [2, "is tried once more", { uploads: [{ label_count: 2 }], requests: [] }],
  [
    3,
    "is given up",
    {
      uploads: [],
      requests: [{ print_id: ID, problem: expect.stringContaining("a failure on our side") as string }],
    },
  ],
])("a sheet over which %i processes died %s", async (died, _, list) => {
  const { app, owner } = await open({ worker: false });
  await receive(app, owner, ID, [{ Cartons: 2 }]);
  await sql`update run set starts = ${died} where kind = 'labels.make'`.execute(app.db);
  await app.makeLabels();
  await expect.poll(() => listed(owner)).toMatchObject(list);
});

test("while sixty-five sheets of a company wait, another is refused with when to try again, and another company's is not", async () => {
  const { app, owner } = await open({ worker: false });
  await sql`insert into label_request
      (realm_id, id, print_id, file_name, rows, cells, choices, asked_by, asked_at, call_id)
    select ${ACME}, gen_random_uuid(), gen_random_uuid(), 'week12.xlsx', 'all', '[]', '{}', 'owner@acme.example',
      now(), 'test' from generate_series(1, 65)`.execute(app.db);
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

test("of labels that were never asked for, or whose file was not received, it is said that none were found", async () => {
  const { owner } = await open({ worker: false });
  const unknown = await find(owner, ID);
  expect([unknown.status, expectProblem(unknown.headers, unknown.text).detail]).toEqual([
    404,
    "These labels weren't found. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
  ]);
});
