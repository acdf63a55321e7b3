import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/support/database.ts";
import { findVersionFault } from "./find-version-fault.ts";

test("a database of another version is refused, with what to do about it", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  expect(await findVersionFault(db)).toBeNull();
  await sql`insert into kysely_migration (name, timestamp) values ('0024_old_checks', '')`.execute(db);
  expect(await findVersionFault(db)).toBe(
    "This database was made by another version of the product (by its migration 0024_old_checks): start that version, or choose an empty DATA_DIR or DATABASE_URL.",
  );
  await sql`drop table kysely_migration`.execute(db);
  expect(await findVersionFault(db)).toBeNull();
});
