import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot } from "./place.mjs";

const HAS_SQL = /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;
/**
 * A vendor's faults during an undo send no statement that `undo.test.ts` does not send; of the plans' statements
 * the checks send all but one `select … for share`. Recorded statement by statement, a receipt and the corrected workbook
 * read nothing that the lists, the checks and the undo do not read too; what Stripe does wrong, and in which order, sends
 * what `billing.test.ts` and those beside it send; and a check what its lists, its changes and its store send.
 */
const SEND_THE_SAME = [
  "undo-faults.test.ts",
  "plan-upload.test.ts",
  "receipt.test.ts",
  "write-problem-rows.test.ts",
  "billing-faults.test.ts",
  "billing-events.test.ts",
  "check.test.ts",
];

/**
 * The tests that stand beside SQL of the product. What an older PostgreSQL could take otherwise is in these folders;
 * all other tests would only send the same statements once more.
 * @returns {string[]} paths from the project's folder
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
