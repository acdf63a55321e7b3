import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot } from "./place.mjs";

const HAS_SQL = /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;
/**
 * Tests that send no SQL of their own, as recordings of their statements show: other tests in their folders
 * send the same, except for one `select … for share` of the plans.
 */
const SEND_THE_SAME = [
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
export function testsBesideSql() {
  const files = readdirSync(inRoot("src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file).replaceAll("\\", "/"));
  const isTest = (file) => file.endsWith(".test.ts");
  const sendsOwn = (file) => isTest(file) && !SEND_THE_SAME.some((name) => file.endsWith(`/${name}`));
  const withSql = files.filter((file) => !isTest(file) && HAS_SQL.test(readFileSync(inRoot(file), "utf8")));
  const folders = new Set(withSql.map((file) => dirname(file)));
  return files.filter((file) => sendsOwn(file) && folders.has(dirname(file))).sort();
}
