import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { disconnectCompany } from "#features/companies/contract.ts";
import { requestExport } from "#features/companies/data-export/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../test/support/labels.ts";
import { runOperate } from "../../../test/support/operate.ts";
import { findAppPlace } from "../../../test/support/places.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { until } from "../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const ABOUT = { query: { realm_id: ACME } };

/** How many rows of each table have a text, anywhere; tables without any are left out. */
async function countRows({ db }: TestApp, text: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)} t
      where t::text like ${`%${text}%`}`.execute(db);
    if (rows[0]?.count) counts[name] = rows[0].count;
  }
  return counts;
}

async function listFiles({ config }: TestApp): Promise<string[]> {
  const entries = await readdir(join(config.dataDir, "objects"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const deleteIt = async (app: TestApp, ...more: string[]) =>
  runOperate(await findAppPlace(app), "company", "delete", ACME, ...more);

/** Lets the days of grace pass. */
const passGrace = ({ db }: TestApp) =>
  sql`update intuit_connection set updated_at = now() - interval '31 days' where realm_id = ${ACME}`.execute(
    db,
  );

test("OP-17 a company is deleted only when it is disconnected, after the grace, and by its name", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const name = ["--name", "Acme Tools"];
  expect(await deleteIt(app, ...name)).toMatchObject({
    code: 1,
    output: expect.stringContaining("Acme Tools is connected, so it isn't deleted"),
  });
  await owner.call(disconnectCompany, ABOUT);
  expect((await deleteIt(app, ...name)).output).toMatch(
    /has been disconnected here since \S+ and can be deleted from /,
  );
  await passGrace(app);
  const asked = await deleteIt(app);
  expect([asked.code, asked.output]).toEqual([
    1,
    expect.stringMatching(/^This would delete Acme Tools \(\d+\) for good/),
  ]);
  expect(asked.output).toContain("company_member\t1");
  expect((await deleteIt(app, "--name", "Acme")).output).toMatch(
    /^The name doesn't match, so nothing was deleted/,
  );
  expect((await countRows(app, ACME))["company"]).toBe(1);
});

test("OP-17 of a deleted company no row and no file stays, and all of its neighbor's do", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  const other = await app.owner(BAY, "platform@dockside.example");
  for (const [browser, realm] of [
    [owner, ACME],
    [other, BAY],
  ] as const) {
    await uploadRows(browser, realm, [
      invoiceLine("D-1"),
      invoiceLine("D-2", { Customer: "No Such Customer" }),
    ]);
    await settledUploads(browser, realm);
  }
  await setUpLabels(owner);
  const sheet = { name: "labels.xlsx", bytes: await labelWorkbook([{ Cartons: 2 }]) };
  expect((await owner.call(createLabels, { file: sheet })).status).toBe(200);
  await owner.call(requestExport, ABOUT);
  await until(
    app.clock,
    () => listFiles(app),
    (files) => files.some((name) => name.startsWith(ACME) && name.endsWith(".0")),
  );
  await owner.call(disconnectCompany, ABOUT);
  await passGrace(app);
  const neighbors = await countRows(app, BAY);
  expect((await countRows(app, ACME))["upload"]).toBe(1);

  const deleted = await deleteIt(app, "--name", "Acme Tools");
  expect([deleted.code, deleted.output]).toEqual([
    0,
    expect.stringMatching(/^Deleted Acme Tools \(\d+\): \d+ rows, 2 stored files\./),
  ]);
  // The entry about it, in the trail of no company.
  expect(await countRows(app, ACME)).toEqual({ audit_entry: 1 });
  expect(await countRows(app, BAY)).toEqual(neighbors);
  expect((await listFiles(app)).filter((name) => name !== "installation")).toEqual([
    expect.stringMatching(/\.xlsx$/),
  ]);
  const { rows } =
    await sql`select realm_id, ids, before from audit_entry where action = 'companies.delete'`.execute(
      app.db,
    );
  const before = { name: "Acme Tools", rows: expect.any(Number), files: 2 };
  expect(rows).toEqual([{ realm_id: "", ids: { company: ACME }, before }]);
});
