import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createLabels } from "#features/labels/contract.ts";
import { readConfig } from "#platform/config/read-config.ts";
import { createBrowser } from "./browser.ts";
import { ACME, driveIntuit } from "./intuit.ts";
import { TEST_KEYS } from "./keys.ts";
import { labelWorkbook } from "./labels.ts";
import { runOperate } from "./operate.ts";
import { createInstance, productEnvironment, removeInstance, startProduct } from "./run-product.ts";
import { settledUploads, uploadRows } from "./uploads.ts";
import { invoiceLine } from "./workbooks.ts";

/** Keeps a backup of the demo, made by this version, for the tests of later versions: each release adds one. */
const KEPT = join(import.meta.dirname, "../backups");

const place = await createInstance();
const product = await startProduct(place, { SEALING_KEYS: TEST_KEYS });
try {
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  await uploadRows(browser, ACME, [invoiceLine("KEPT-1"), invoiceLine("KEPT-2")]);
  await settledUploads(browser, ACME);
  const file = { name: "kept.xlsx", bytes: await labelWorkbook([{ Cartons: 2, "PO Number": "kept" }]) };
  await browser.call(createLabels, { query: { realm_id: ACME }, file });
  const folder = await mkdtemp(join(KEPT, "new-"));
  const env = { ...productEnvironment(place), SEALING_KEYS: TEST_KEYS };
  process.stdout.write(`${(await runOperate(env, "backup", folder)).output}\n`);
  const [made = ""] = await readdir(folder);
  const kept = join(KEPT, readConfig({}).release.replace("@", "-"));
  await rm(kept, { recursive: true, force: true });
  await rename(join(folder, made), kept);
  await rm(folder, { recursive: true });
} finally {
  await product.stop();
  await removeInstance(place);
}
