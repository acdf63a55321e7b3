import { sql } from "kysely";
import { expect, test } from "vitest";
import { ANSWER_MS } from "#features/labels/limits.ts";
import { systemClock, type Clock } from "#platform/clock.ts";
import { createLabels, findPrint, listLabelUploads } from "#features/labels/contract.ts";
import { holdLock } from "../../../../test/support/hold-lock.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, sendAndLeave, setUpLabels } from "../../../../test/support/labels.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";

const ID = "0198c0de-0000-7000-8000-00000000000a";

/** Until it is released no request for labels can be stored. */
const holdRequests = (app: TestApp) =>
  holdLock(app, (tx) => sql`lock table label_request in share row exclusive mode`.execute(tx));

test("a caller who hangs up while the sheet is being stored was answered nothing: why no labels were made is listed", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const release = await holdRequests(app);
  const isWaiting = () =>
    sql`select from pg_locks where relation = 'label_request'::regclass and not granted`
      .execute(app.db)
      .then(({ rows }) => rows.length);
  await sendAndLeave(app, owner, {
    printId: ID,
    rows: [{ "PO Number": "" }],
    until: () => expect.poll(isWaiting).toBe(1),
  });
  expect((await owner.call(findPrint, { params: { print_id: ID } })).status).toBe(404);
  await release();
  await app.makeLabels();
  const request = { print_id: ID, problem: "Row 2, column PO Number: is required." };
  await expect
    .poll(async () => (await owner.call(listLabelUploads)).json())
    .toMatchObject({ requests: [request] });
  // It stays so, whoever still waits for the end.
  for (let look = 0; look < 20; look += 1)
    expect((await owner.call(listLabelUploads)).json()).toMatchObject({ requests: [request] });
});

test("whoever waits for labels, asks for them later or lists them reads nothing of what was corrected of a sheet: that may be a megabyte, and many look each second", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await sql`insert into label_request
      (realm_id, id, print_id, file_name, rows, cells, choices, asked_by, asked_at, call_id)
    values (${ACME}, gen_random_uuid(), ${ID}, 'week12.xlsx', 'all', '[]', '{}', 'owner@acme.example', now(), 'test')`.execute(
    app.db,
  );
  // Whoever reads it meanwhile fails. Other tests use this database, too.
  await sql`alter table label_request rename column cells to unreadable`.execute(app.db);
  try {
    const found = await owner.call(findPrint, { params: { print_id: ID } });
    expect([found.status, found.json()]).toEqual([200, { state: "making", upload_id: null }]);
    expect((await owner.call(listLabelUploads)).json()).toMatchObject({ requests: [{ print_id: ID }] });
  } finally {
    await sql`alter table label_request rename column unreadable to cells`.execute(app.db);
  }
});

/** For it a minute never passes. */
const endless: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    ms === ANSWER_MS
      ? new Promise((resolve) => signal?.addEventListener("abort", () => resolve()))
      : systemClock.sleep(ms, signal),
};

test("whoever waits for labels of a demo that is reset meanwhile is answered at once, and finds that there are none", async () => {
  const app = await startApp({ worker: false, clock: endless });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const file = { name: "week12.xlsx", bytes: await labelWorkbook([{}]) };
  const answer = owner.call(createLabels, { json: { print_id: ID }, file });
  const find = async () => (await owner.call(findPrint, { params: { print_id: ID } })).status;
  await expect.poll(find).toBe(200);
  await sql`delete from label_request`.execute(app.db);
  expect([(await answer).status, await find()]).toEqual([202, 404]);
});
