import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#platform/config/read-config.ts";
import { createTestDatabase } from "../../test/support/database.ts";
import { findKindFault } from "./find-kind-fault.ts";

const demo = readConfig({});
const real = readConfig({ INTUIT_CLIENT_ID: "id", INTUIT_CLIENT_SECRET: "secret" });

test("a database of real companies is never started with the simulators, nor the demo's with real credentials", async () => {
  const [one, two] = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(() => Promise.all([one.drop(), two.drop()]).then(() => undefined));
  expect(await findKindFault(one.db, real)).toBeNull();
  expect(await findKindFault(one.db, real)).toBeNull();
  expect(await findKindFault(one.db, demo)).toContain("holds real companies");
  expect(await findKindFault(two.db, demo)).toBeNull();
  expect(await findKindFault(two.db, real)).toContain("the demo's companies");
});
