import { Readable } from "node:stream";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createLabels, findPrint, readLabelUpload, UPLOAD_HEADER } from "#features/labels/contract.ts";
import { findPrint as lookForPrint } from "#features/labels/find-print.ts";
import { lockSerials } from "#features/labels/ledger/store-serials.ts";
import { changeLabelSettings } from "#features/labels/settings/contract.ts";
import { createMakings } from "#features/labels/watch-making.ts";
import { ANSWER_MS, MAKING } from "#features/labels/limits.ts";
import { systemClock, type Clock } from "#platform/clock.ts";
import type { Browser } from "../../../test/support/browser.ts";
import type { Db } from "#platform/db/connect.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import {
  labelSettingsOf,
  labelWorkbook,
  PREFIX,
  setUpLabels,
  type LabelCells,
} from "../../../test/support/labels.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { expectProblem } from "../../../test/security/walk-endpoints.ts";

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

async function open(clock = systemClock) {
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  return { app, owner };
}

/** Until it is released no label can be stored. */
const holdLabels = (app: TestApp) =>
  hold(app, (tx) => sql`lock table label in share row exclusive mode`.execute(tx));

async function hold({ db }: TestApp, lock: (tx: Db) => Promise<unknown>): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const ended = db.transaction().execute(async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}

test("labels whose caller hung up are made to their end, once, and found by the id that it gave them", async () => {
  const { app, owner } = await open();
  const release = await holdLabels(app);
  const caller = new AbortController();
  const body = new FormData();
  body.set("body", JSON.stringify({ print_id: ID }));
  body.set("file", new Blob([new Uint8Array(await labelWorkbook([{ Cartons: 3 }]))]), "week12.xlsx");
  const cookie = [...owner.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { cookie, origin: app.url };
  const lost = fetch(new URL(createLabels.path, app.url), {
    method: "POST",
    headers,
    body,
    signal: caller.signal,
  });
  await expect.poll(async () => (await find(owner, ID)).json()).toEqual({ state: "making", upload_id: null });
  caller.abort();
  await expect(lost).rejects.toThrow();
  await release();
  const id = await foundUpload(owner, ID);
  const read = async () => (await owner.call(readLabelUpload, { params: { upload_id: id } })).json();
  expect(await read()).toMatchObject({ label_count: 3, prints: 1 });

  // Sent again under its id it is the same printing, under another one more.
  expect((await send(owner, ID, [{ Cartons: 3 }])).headers.get(UPLOAD_HEADER)).toBe(id);
  expect(await read()).toMatchObject({ label_count: 3, prints: 1 });
  await send(owner, OTHER_ID, [{ Cartons: 3 }]);
  expect([await foundUpload(owner, OTHER_ID), await read()]).toEqual([
    id,
    expect.objectContaining({ prints: 2 }),
  ]);
});

test("after a minute the answer is that labels are being made, and then they, or what is wrong with the file, are found", async () => {
  const { app, owner } = await open(hurried);
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
  expect((await owner.call(changeLabelSettings, { headers, json: labelSettingsOf() })).status).toBe(200);
  const range = { realmId: ACME, prefix: PREFIX, extension: 0 };
  const release = await hold(app, (tx) => lockSerials(tx, range));
  const sheets = Array.from({ length: MAKING.places + 1 }, (_, at) => [{ "PO Number": `A-${at}` }]);
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

test("of labels that were never asked for, or whose file was not received, it is said that none were found", async () => {
  const { owner } = await open();
  const unknown = await find(owner, ID);
  expect([unknown.status, expectProblem(unknown.headers, unknown.text).detail]).toEqual([
    404,
    "These labels weren't found. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
  ]);
});

test("labels that the ledger did not have when it was asked, and that were made right after, are found", async () => {
  const { app } = await open();
  const makings = createMakings(systemClock);
  const id = { realmId: ACME, printId: ID };
  const file = { name: "week12.xlsx", stream: Readable.from([]), isCut: () => false };
  await makings.follow(id, file, () => Promise.resolve({ upload: { id: OTHER_ID } }));
  expect(await lookForPrint({ db: app.db, makings }, id)).toEqual({ state: "made", upload_id: OTHER_ID });
});
