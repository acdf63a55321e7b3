import { readdir } from "node:fs/promises";

import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readList } from "#features/admin/lists/contract.ts";
import { disconnectCompany } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { createBrowser } from "../../../test/support/browser.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { ACME, BAY, driveIntuit, NEWCOMER } from "../../../test/support/intuit.ts";
import { TEST_KEYS } from "../../../test/support/keys.ts";
import { runOperate } from "../../../test/support/operate.ts";
import {
  findPlace,
  productEnvironment,
  removePlace,
  startProduct,
  type Product,
} from "../../../test/support/run-product.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";
import { openCells } from "./test-cells.ts";

const about = (realmId: string) => ({ query: { realm_id: realmId } });
const list = async <Row>(db: Db, query: string) => (await sql.raw<Row>(query).execute(db)).rows;

test("OP-18 a deleted company is forgotten in the first database too, and one that has moved keeps its place", async () => {
  // Commands run by the machine's time.
  const clock = steppedClock(Date.now());
  const { app, owner, platform } = await openCells({ worker: false, clock });
  const { databaseUrl, cells, dataDir } = app.config;
  const env = {
    DATABASE_URL: databaseUrl ?? "",
    CELLS: cells.map(({ name, url }) => `${name}=${url}`).join(),
    DATA_DIR: dataDir,
    SEALING_KEYS: TEST_KEYS,
    COMPANY_DELETION_GRACE_DAYS: "0",
  };
  const operate = async (...args: string[]) => {
    const { code, output } = await runOperate(env, ...args);
    expect(code, output).toBe(0);
  };
  const places = () => list(app.home, "select realm_id, cell from company_cell order by cell");
  const last = () =>
    list(app.home, "select distinct realm_id from session where realm_id is not null order by realm_id");
  await platform.signIn("platform@dockside.example");
  await owner.call(disconnectCompany, about(ACME));
  const file = join(dataDir, "acme.tar");
  await operate("company", "export", ACME, file);
  await operate("company", "import", file, "--cell", "east");
  await operate("company", "delete", ACME, "--name", "Acme Tools");
  const moved = { realm_id: ACME, cell: "east" };
  expect(await places()).toEqual(expect.arrayContaining([moved, { realm_id: BAY, cell: "east" }]));
  expect(await last()).toEqual([{ realm_id: ACME }, { realm_id: BAY }]);
  await platform.call(disconnectCompany, about(BAY));
  await operate("company", "delete", BAY, "--name", "Bay Supply", "--cell", "east");
  expect(await places()).toEqual([moved]);
  expect(await last()).toEqual([{ realm_id: ACME }]);
  expect(await list(app.home, `select from app_user where realm_id = '${BAY}'`)).toEqual([]);
});

test("OP-18 an installation gets a second database: new companies are connected there, files stay apart, and commands choose one", async () => {
  const place = await findPlace();
  onTestFinished(() => removePlace(place));
  const [first, east] = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(async () => void (await Promise.all([first.drop(), east.drop()])));
  const before = { DATABASE_URL: first.url, SEALING_KEYS: TEST_KEYS };
  const env = { ...productEnvironment(place), ...before, CELLS: `east=${east.url}` };
  const alone = await startProduct(place, before);
  onTestFinished(async () => void (await alone.stop()));
  const signIn = async (product: Product, email: string, realmId: string) => {
    const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await browser.signIn(email);
    await browser.connect(email, realmId);
    return browser;
  };
  await signIn(alone, "owner@acme.example", ACME);
  await alone.stop();
  const both = await startProduct(place, { ...before, CELLS: `east=${east.url}` });
  onTestFinished(async () => void (await both.stop()));
  const newcomer = await signIn(both, "new@newcomer.example", NEWCOMER);
  const owner = await signIn(both, "owner@acme.example", ACME);
  for (const [browser, realmId] of [
    [owner, ACME],
    [newcomer, NEWCOMER],
  ] as const) {
    await uploadRows(browser, realmId, [invoiceLine("FIRST-1"), invoiceLine("FIRST-2")]);
    const { uploads } = await settledUploads(browser, realmId);
    expect(uploads.map(({ counts }) => counts)).toMatchObject([{ completed: 2, problems: 0 }]);
  }
  const stored = (folder: string) => readdir(join(place.folder, folder, "objects/uploads"));
  expect([(await stored("")).length, (await stored("cells/east")).length]).toEqual([1, 1]);
  const operator = createBrowser(both.url, driveIntuit(both.intuitUrl));
  await operator.signIn("platform@dockside.example");
  const companies = async (cell: string) =>
    (await operator.call(readList, { params: { list: "companies" }, headers: { "x-cell": cell } })).text;
  const [home, further] = [await companies("home"), await companies("east")];
  expect([home.includes(ACME), home.includes(NEWCOMER)]).toEqual([true, false]);
  expect([further.includes(ACME), further.includes(NEWCOMER)]).toEqual([false, true]);
  expect((await runOperate(env, "company", "list")).output).toContain(ACME);
  const inEast = await runOperate(env, "company", "list", "--cell", "east");
  expect([inEast.output.includes(NEWCOMER), inEast.output.includes(ACME)]).toEqual([true, false]);
  expect(await runOperate(env, "company", "list", "--cell", "west")).toEqual({
    code: 1,
    output: "CELLS has no west: home, east.",
  });
  // A company moves by its export.
  const file = join(place.folder, "acme.tar");
  await runOperate(env, "company", "disconnect", ACME, "--reason", "It moves to another database");
  await runOperate(env, "company", "export", ACME, file);
  const moved = await runOperate(env, "company", "import", file, "--cell", "east");
  expect(moved, moved.output).toMatchObject({ code: 0 });
  await both.stop();
  const after = await startProduct(place, { ...before, CELLS: `east=${east.url}` });
  onTestFinished(async () => void (await after.stop()));
  const again = await signIn(after, "owner@acme.example", ACME);
  expect((await settledUploads(again, ACME)).uploads).toHaveLength(1);
  const rows = await list(east.db, "select realm_id from company order by 1");
  expect(rows).toEqual([{ realm_id: ACME }, { realm_id: NEWCOMER }]);
});
