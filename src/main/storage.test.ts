import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openFile } from "#features/admin/contract.ts";
import { askForGrant } from "#features/companies/support/contract.ts";
import { createLabels, printLabels } from "#features/labels/contract.ts";
import { createBrowser, type Browser } from "../../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../test/support/labels.ts";
import {
  findPlace,
  productEnvironment,
  removePlace,
  runProduct,
  spawnProduct,
  startProduct,
  untilClosed,
} from "../../test/support/run-product.ts";
import { openBucket } from "../../test/support/s3.ts";
import { startApp } from "../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../test/support/uploads.ts";
import { invoiceRows } from "../../test/support/workbooks.ts";

const PRINT = "0198c0de-0000-7000-8000-0000000000e1";

async function openPlace() {
  const place = await findPlace();
  onTestFinished(() => removePlace(place));
  return place;
}

/** Downloads the workbook of an upload and the document of the labels. */
const readFiles = ({ owner, operator }: { owner: Browser; operator: Browser }, upload: string) =>
  Promise.all([
    operator.download(openFile, { params: { kind: "workbook", file: upload }, query: { realm_id: ACME } }),
    owner.download(printLabels, { params: { upload_id: PRINT }, headers: { "x-realm-id": ACME }, json: {} }),
  ]);

test("OP-20 with files in S3, a killed product gives the same bytes of an upload and a label document after its restart, and keeps none in its folder", async () => {
  const [{ s3, env }, place] = [await openBucket(), await openPlace()];
  const first = await runProduct(place, env);
  onTestFinished(async () => void (await first.stop()));
  const intuit = driveIntuit(first.intuitUrl);
  const signIn = async (email: string, realmId: string) => {
    const browser = createBrowser(first.url, intuit);
    await browser.signIn(email);
    await browser.connect(email, realmId);
    return browser;
  };
  const owner = await signIn("owner@acme.example", ACME);
  const operator = await signIn("platform@dockside.example", BAY);
  await setUpLabels(owner);
  s3.fail("slow_down", { method: "PUT" });
  const { id } = (await uploadRows(owner, ACME, invoiceRows(2, { prefix: "S3" }))).json() as { id: string };
  s3.fail("cut_after", { method: "PUT" });
  s3.fail("damaged", { method: "GET" });
  const made = await owner.call(createLabels, {
    headers: { "x-realm-id": ACME },
    json: { print_id: PRINT },
    file: { name: "week12.xlsx", bytes: await labelWorkbook([{ Cartons: 3 }]) },
  });
  expect(made.status).toBe(200);
  await operator.call(askForGrant, { json: { realm_id: ACME, reason: "Ticket 7" } });
  const before = await readFiles({ owner, operator }, id);
  expect(before.map(({ length }) => length > 1_000)).toEqual([true, true]);
  await first.kill();
  const second = await startProduct(place, env);
  onTestFinished(async () => void (await second.stop()));
  expect(await readFiles({ owner, operator }, id)).toEqual(before);
  expect(await readdir(join(place.folder, "objects"), { recursive: true })).toEqual(["incoming"]);
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith("uploads/"));
  expect(keys).toEqual([`uploads/${id}.xlsx`]);
});

test("OP-20 while the bucket can't be written an upload is refused with a sentence, and one whose file can't be read waits and is then posted once", async () => {
  const { s3, env } = await openBucket();
  const app = await startApp({ env });
  const owner = await app.owner(ACME);
  s3.deny("s3:PutObject");
  const refused = await uploadRows(owner, ACME, invoiceRows(1, { prefix: "S3R" }));
  expect([refused.status, refused.headers.get("retry-after"), refused.json()]).toEqual([
    503,
    "60",
    expect.objectContaining({
      code: "storage_unavailable",
      detail: "Files can't be stored or read at the moment. Try again in a minute.",
    }),
  ]);
  s3.allow("s3:PutObject");
  s3.deny("s3:GetObject");
  await uploadRows(owner, ACME, invoiceRows(2, { prefix: "S3W" }));
  await app.settle();
  expect(
    (
      await sql<{ n: number }>`select failures as n from run where state = 'waiting'
      and realm_id = ${ACME} and failures > 0`.execute(app.db)
    ).rows.length,
  ).toBe(1);
  s3.allow("s3:GetObject");
  const { uploads } = await settledUploads(owner, ACME);
  expect(uploads.map(({ counts }) => counts)).toEqual([
    expect.objectContaining({ completed: 2, problems: 0 }),
  ]);
});

test("OP-20 the product doesn't start on a bucket that can't be used, and says why", async () => {
  const [{ s3, env }, place] = [await openBucket(), await openPlace()];
  const fail = async () => {
    const { child, output } = spawnProduct({ ...productEnvironment(place), ...env });
    await untilClosed(child);
    return [child.exitCode, output()];
  };
  s3.setBucket(false);
  expect(await fail()).toEqual([
    1,
    expect.stringContaining(
      "cannot be used: there is no bucket of this name; create it, or set OBJECTS_S3_BUCKET to another one.",
    ),
  ]);
  s3.setBucket(true);
  s3.deny("s3:DeleteObject");
  expect(await fail()).toEqual([1, expect.stringContaining("lacks the right s3:DeleteObject")]);
});
