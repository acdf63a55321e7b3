import { expect, test } from "vitest";
import { operate, expectStartRefused, createDatabaseWithTwoUsers } from "../../test/support/two-users.ts";

test("OP-06 a database newer than the program is one sentence, for the product and for the operator's commands", async () => {
  const users = await createDatabaseWithTwoUsers();
  expect(await operate(users, users.urls, "migrate")).toBe("The database is up to date.");
  await users.query("insert into kysely_migration (name, timestamp) values ('0099_next_year', '')");
  const sentence =
    "This database was made by a newer version of the product (by its migration 0099_next_year): start that version, or choose an empty DATA_DIR or DATABASE_URL.";
  expect(await expectStartRefused(users, users.urls)).toBe(`${sentence}\n`);
  expect(await operate(users, users.urls, "migrate")).toBe(sentence);
});
