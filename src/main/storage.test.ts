import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startSecondProcess } from "../../test/faults/support/second-process.ts";
import { ACME, BAY } from "../../test/support/intuit.ts";
import {
  createInstance,
  productEnvironment,
  removeInstance,
  spawnProduct,
  untilClosed,
} from "../../test/support/run-product.ts";
import { createLabels } from "#features/labels/contract.ts";
import { labelWorkbook } from "../../test/support/labels.ts";
import { openBucket } from "../../test/support/s3.ts";
import { readFiles, storeFiles } from "../../test/support/stored-files.ts";
import { startApp } from "../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../test/support/uploads.ts";
import { invoiceRows } from "../../test/support/workbooks.ts";

async function openPlace() {
  const place = await createInstance();
  onTestFinished(() => removeInstance(place));
  return place;
}

test("OP-20 with files in S3, an upload and a label document are the same at each reading, and none is kept in the folder", async () => {
  const { s3, env } = await openBucket();
  const app = await startApp({ env });
  const readers = {
    owner: await app.owner(ACME),
    operator: await app.owner(BAY, "platform@dockside.example"),
  };
  const id = await storeFiles(readers, s3);
  const files = await readFiles(readers, id);
  expect(files.map(({ length }) => length > 1_000)).toEqual([true, true]);
  expect(await readFiles(readers, id)).toEqual(files);
  expect(await readdir(join(app.config.dataDir, "objects"), { recursive: true })).toEqual(["incoming"]);
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith("uploads/"));
  expect(keys).toEqual([`uploads/${id}.xlsx`]);
});

test("HA-01 a process with an empty data folder, the bucket and the sealing keys goes on: it reads stored files, posts into the connected company, and gives no SSCC twice", async () => {
  const { s3, env } = await openBucket();
  const app = await startApp({ env, worker: false });
  const readers = {
    owner: await app.owner(ACME),
    operator: await app.owner(BAY, "platform@dockside.example"),
  };
  const stop = await app.work();
  const id = await storeFiles(readers, s3);
  await app.clock.during(stop());
  const files = await readFiles(readers, id);
  const dataDir = await mkdtemp(join(tmpdir(), "dockside-next-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const next = await startSecondProcess(app, { dataDir });
  const [owner, operator] = [await next.browserLike(readers.owner), await next.browserLike(readers.operator)];
  await next.work();
  expect(await readFiles({ owner, operator }, id)).toEqual(files);
  await uploadRows(owner, ACME, invoiceRows(3, { prefix: "NEXT" }));
  const { uploads } = await settledUploads(owner, ACME);
  expect(uploads.map(({ counts }) => [counts.total, counts.completed])).toEqual([
    [3, 3],
    [2, 2],
  ]);
  const made = await owner.call(createLabels, {
    headers: { "x-realm-id": ACME },
    json: { print_id: "0198c0de-0000-7000-8000-0000000000e2" },
    file: { name: "week13.xlsx", bytes: await labelWorkbook([{ Cartons: 3, "PO Number": "8841204" }]) },
  });
  expect(made.status).toBe(200);
  const { rows } =
    await sql`select count(*)::int as labels, count(distinct sscc)::int as numbers from label`.execute(
      app.db,
    );
  expect(rows).toEqual([{ labels: 6, numbers: 6 }]);
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
