import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/support/database.ts";
import { findVersionFault } from "./find-version-fault.ts";

test("a database of another version is refused, with what to do about it", async () => {
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
  await sql`drop table kysely_migration`.execute(db);
  expect(await findVersionFault(db)).toBeNull();
});
