import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#platform/config/read-config.ts";
import { createTestDatabase } from "../../test/support/database.ts";
import { findKindFault, findVersionFault } from "./find-database-fault.ts";

const demo = readConfig({});
const real = readConfig({ INTUIT_CLIENT_ID: "id", INTUIT_CLIENT_SECRET: "secret" });

test("a database of real companies never runs with the simulators, nor the demo database with real credentials", async () => {
  const [first, second] = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(() => Promise.all([first.drop(), second.drop()]).then(() => undefined));
  expect(await findKindFault(first.db, real)).toBeNull();
  expect(await findKindFault(first.db, real)).toBeNull();
  expect(await findKindFault(first.db, demo)).toContain("holds real companies");
  expect(await findKindFault(second.db, demo)).toBeNull();
  expect(await findKindFault(second.db, real)).toContain("the demo's companies");
});

test("a database of another version is refused, with instructions", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  expect(await findVersionFault(db)).toBeNull();
  await sql`insert into kysely_migration (name, timestamp) values ('0099_next_year', '')`.execute(db);
  expect(await findVersionFault(db)).toBe(
    "This database was made by a newer version of the product (by its migration 0099_next_year): start that version, or choose an empty DATA_DIR or DATABASE_URL.",
  );
  await sql`insert into kysely_migration (name, timestamp) values ('0018_connection_care', '')`.execute(db);
  expect(await findVersionFault(db)).toBe(
    "This database is from before the first release (by its migration 0018_connection_care) and can't be brought up to this version: keep the version that made it, or remove the data folder (choose an empty DATA_DIR or DATABASE_URL).",
  );
  await sql`delete from kysely_migration where name like '0018%'`.execute(db);
  await sql`delete from kysely_migration where name like '0099%'`.execute(db);
  expect(await findVersionFault(db)).toBeNull();
  await sql`update kysely_migration set name = split_part(name, '@', 1) || '@edited'
    where name = (select min(name) from kysely_migration)`.execute(db);
  expect(await findVersionFault(db)).toMatch(/from before the first release \(by its migration 0001_\w+\)/);
  await sql`drop table kysely_migration`.execute(db);
  expect(await findVersionFault(db)).toBeNull();
});
