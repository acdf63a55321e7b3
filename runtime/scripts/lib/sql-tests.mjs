import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot } from "./place.mjs";

const HAS_SQL = /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;
/**
 * Tests left out because recordings show that neighboring tests send the same statements, except one `select
 * … for share` of the plans.
 */
const REDUNDANT_TESTS = [
  "undo-faults.full.test.ts",
  "plan-upload.test.ts",
  "plan-earlier-uploads.test.ts",
  "plan-beside-undo.test.ts",
  "receipt.test.ts",
  "write-problem-rows.test.ts",
  "billing-faults.full.test.ts",
  "billing-events.test.ts",
  "check.test.ts",
];

/**
 * Lists the tests in folders with SQL. Only these folders have statements that an older PostgreSQL could
 * treat differently; all other tests would send the same ones again.
 * @returns {string[]} paths from the project's root
 */
export function listSqlTests() {
  const files = readdirSync(inRoot("src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file).replaceAll("\\", "/"));
  const isTest = (file) => file.endsWith(".test.ts");
  const sendsOwn = (file) => isTest(file) && !REDUNDANT_TESTS.some((name) => file.endsWith(`/${name}`));
  const withSql = files.filter((file) => !isTest(file) && HAS_SQL.test(readFileSync(inRoot(file), "utf8")));
  const folders = new Set(withSql.map((file) => dirname(file)));
  return files.filter((file) => sendsOwn(file) && folders.has(dirname(file))).sort();
}
