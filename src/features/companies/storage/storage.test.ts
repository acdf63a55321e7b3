import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listExports, requestExport } from "#features/companies/data-export/contract.ts";
import { readStorage, readStorageOf } from "#features/companies/storage/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import type { StorageKind, StoredBytes } from "#contract/storage.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { setGroups } from "../../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const ABOUT = { query: { realm_id: ACME } };
const MB = 1024 * 1024;
const ONE_MB = Object.fromEntries(
  ["WORKBOOKS", "ORDERS", "LABELS", "EXPORTS"].map((kind) => [`STORAGE_${kind}_MB`, "1"]),
);

const orderFile = (number: number) => ({
  name: "orders.edi",
  bytes: Buffer.from(sampleFile({ sets: [sampleOrder(number)] })),
});
const read = async (browser: Browser) => {
  const { storage } = (await browser.call(readStorage, ABOUT)).json() as { storage: StoredBytes[] };
  return Object.fromEntries(storage.map((of) => [of.kind, of])) as Record<StorageKind, StoredBytes>;
};
const refusal = (reply: Reply) => {
  const { code, detail } = reply.json() as { code: string; detail: string };
  return { status: reply.status, code, detail };
};
const refused = (detail: RegExp) => ({
  status: 413,
  code: "company_storage_full",
  detail: expect.stringMatching(detail),
});

/** As if a megabyte of each kind had been stored. */
async function fill({ db }: TestApp): Promise<void> {
  await sql`update upload set size_bytes = ${MB} where realm_id = ${ACME}`.execute(db);
  await sql`update order_document set content = decode(repeat('00', ${MB}), 'hex') where realm_id = ${ACME}`.execute(
    db,
  );
  await sql`update label_upload set size_bytes = ${MB} where realm_id = ${ACME}`.execute(db);
  await sql`update company_export set size_bytes = ${MB} where realm_id = ${ACME}`.execute(db);
}

test("UO-16 a company whose space is used up gets a sentence for each kind with what to do; nothing is stored, and others go on", async () => {
  const app = await startApp({ env: ONE_MB });
  const owner = await app.owner(ACME);
  await setGroups(app.db, ["app", "brainchild", "admin"]);
  await setUpLabels(owner);
  const empty = await read(owner);
  expect(empty.workbooks).toEqual({ kind: "workbooks", used_bytes: 0, limit_bytes: MB });
  const sheet = { name: "week12.xlsx", bytes: await labelWorkbook([{ Cartons: 2 }]) };
  const workbook = await invoiceWorkbook([invoiceLine("A-1")]);
  const sends = {
    workbook: () => owner.call(postInvoices, { ...ABOUT, file: { name: "a.xlsx", bytes: workbook } }),
    check: () => owner.call(checkInvoices, { ...ABOUT, file: { name: "b.xlsx", bytes: workbook } }),
    orders: () => owner.call(addOrders, { ...ABOUT, file: orderFile(1) }),
    labels: () => owner.call(createLabels, { file: sheet }),
    export: () => owner.call(requestExport, ABOUT),
  };
  const statuses = { workbook: 202, check: 202, orders: 200, labels: 200, export: 202 };
  for (const [name, send] of Object.entries(sends))
    expect([name, (await send()).status]).toEqual([name, statuses[name as keyof typeof sends]]);
  await settledUploads(owner, ACME);
  await app.settle(60_000);
  const used = await read(owner);
  expect(used.workbooks.used_bytes).toBe(2 * workbook.length);
  expect(used.orders.used_bytes).toBeGreaterThan(orderFile(1).bytes.length);
  expect(used.labels.used_bytes).toBeGreaterThan(400);
  expect(used.exports.used_bytes).toBeGreaterThan(10_000);
  await fill(app);
  const before = await read(owner);
  expect(refusal(await sends.workbook())).toEqual(
    refused(
      /^This company's invoice files use 2 MB of the 1 MB that it may store, and this one needs [\d.]+ kB\. Nothing was stored\. Discard checks/,
    ),
  );
  expect(refusal(await sends.check())).toEqual(refused(/^This company's invoice files use 2 MB/));
  expect(refusal(await sends.orders())).toEqual(
    refused(/files of orders use 1 MB of the 1 MB .* Contact us for more space\.$/),
  );
  expect(refusal(await sends.labels())).toEqual(refused(/label sheets use 1 MB of the 1 MB/));
  expect(refusal(await sends.export())).toEqual(
    refused(
      /^This company's exports of all data use 1 MB of the 1 MB that it may store\. Nothing was stored\. Download/,
    ),
  );
  expect(await read(owner)).toEqual(before);
  expect((await readdir(join(app.config.dataDir, "objects/incoming"))).length).toBe(0);
  expect((await owner.call(listExports, ABOUT)).status).toBe(200);
  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await uploadRows(other, BAY, [invoiceLine("B-1")])).status).toBe(202);
  // An operator sees the same.
  const seen = await other.call(readStorageOf, ABOUT);
  expect((seen.json() as { storage: StoredBytes[] }).storage).toEqual(Object.values(before));
  expect((await other.call(readStorageOf, { query: { realm_id: "1" } })).status).toBe(404);
});
