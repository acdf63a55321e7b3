import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { changeSettings } from "#features/companies/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { downloadNotices, listNotices } from "#features/orders/notices-out/contract.ts";
import { readProof } from "#features/tracking/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../test/support/labels.ts";
import { runOperate } from "../../../test/support/operate.ts";
import { makeFolder, findAppPlace } from "../../../test/support/places.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { endService } from "../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { verifyExport } from "../../../test/support/verify-export.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";
import { readCatalog } from "./read-catalog.ts";
import { COMPANY_TABLES, LEFT_OUT } from "./tables.ts";

const ABOUT = { query: { realm_id: ACME } };
const PACKAGE = "1Z1A2B3C0399999990";
const PROOF = Buffer.from("%PDF-1.7 a proof of delivery");

/** Acme with something of everything, alongside another company. */
async function openCompany() {
  const desk = await openShippingDesk({ clock: machineTime() });
  const { app, browser } = desk;
  await setUpLabels(browser);
  const sheet = { name: "week 12 (ü).xlsx", bytes: await labelWorkbook([{ Cartons: 2 }]) };
  expect((await browser.call(createLabels, { file: sheet })).status).toBe(200);
  await desk.addSamples(1, 2);
  expect((await desk.ship("80001")).status).toBe(200);
  await sql`update order_notice set due_at = now() - interval '1 h'`.execute(app.db);
  const notices = (await browser.call(listNotices)).json() as { notices: { id: string }[] };
  const ids = notices.notices.map(({ id }) => id);
  expect((await browser.call(downloadNotices, { json: { ids } })).status).toBe(200);
  await endService(app);
  await app.work();
  const other = await app.owner(BAY, "platform@dockside.example");
  await uploadRows(other, BAY, [invoiceLine("NEIGHBOR-1")]);
  await settledUploads(other, BAY);
  await uploadRows(browser, ACME, [invoiceLine("UNDONE-1")]);
  const [undone] = (await settledUploads(browser, ACME)).uploads;
  const params = { upload_id: undone?.id ?? "" };
  await browser.call(startUndo, { ...ABOUT, params, json: { action: "void" } });
  await settledUploads(browser, ACME);
  await uploadRows(browser, ACME, [
    invoiceLine("EX-1"),
    invoiceLine("EX-2", { Customer: "No Such Customer" }),
  ]);
  await settledUploads(browser, ACME);
  await browser.call(changeSettings, { ...ABOUT, json: { invoice_lookback: 45 } });
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(app.db);
  await sql`insert into package (realm_id, number, state, added_at)
    values (${ACME}, ${PACKAGE}, 'delivered', now())`.execute(app.db);
  await sql`insert into tracked_proof (realm_id, number, state, pdf)
    values (${ACME}, ${PACKAGE}, 'carrier', ${PROOF})`.execute(app.db);
  return { ...desk, other };
}

async function exportFrom(app: TestApp) {
  const file = join(await makeFolder(), "export.tar");
  const made = await runOperate(await findAppPlace(app), "company", "export", ACME, file);
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Exported Acme Tools to \S+: \d+ files, 1 MB\.$/),
  });
  return file;
}

/** The operator's commands run in a process of their own, by the machine's time. */
const machineTime = () => steppedClock(Date.now());

test("OP-17 a company exports all its data: every hash and count fits, its documents are in it, and nothing of others", async () => {
  const { app, browser } = await openCompany();
  const { rows: pictures } = await sql<{ bytes: Buffer }>`select bytes from shipment_label`.execute(app.db);
  const file = await exportFrom(app);
  const bytes = await readFile(file);
  for (const text of ["NEIGHBOR-1", BAY, "dk_"]) expect(bytes.includes(text)).toBe(false);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { tables, files, folder } = await verifyExport(file);
  const counts = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  for (const name of [
    "upload",
    "upload_invoice",
    "write",
    "label",
    "shipment_label",
    "package",
    "tracked_proof",
    "run",
    "retail_order",
    "audit_entry",
  ])
    expect(counts[name], name).toBeGreaterThan(0);
  const kept = await Promise.all(
    files.map(async ({ path }) => (await readFile(join(folder, path))).toString("base64")),
  );
  // A label as UPS gave it: its page is drawn when it is printed.
  const [picture = Buffer.alloc(0)] = pictures.map(({ bytes }) => bytes);
  expect(picture.subarray(0, 4).toString()).toBe("GIF8");
  for (const document of [
    picture,
    await browser.download(readProof, { ...ABOUT, params: { number: PACKAGE } }),
  ])
    expect(kept).toContain(Buffer.from(document).toString("base64"));
});

test("OP-17 every table is exported or left out with a reason, and columns with secrets are withheld", async () => {
  const { DATABASE_URL: connectionString } = await findAppPlace(
    await startApp({ worker: false, clock: machineTime() }),
  );
  const client = new pg.Client({ connectionString });
  await client.connect();
  const catalog = await readCatalog(client);
  await client.end();
  const known = [...Object.keys(COMPANY_TABLES), ...Object.keys(LEFT_OUT)].toSorted();
  expect(catalog.map(({ name }) => name).toSorted()).toEqual(known);
  const secret = /_sealed$|^secret|_token|invitation_id/;
  const exported = catalog.flatMap(({ name, columns }) => {
    const table = COMPANY_TABLES[name];
    if (!table) return [];
    expect(
      columns.map((column) => column.name),
      name,
    ).toContain("realm_id");
    const withheld = Object.keys({ ...table.withheld, ...table.files });
    for (const column of withheld)
      expect(
        columns.map((each) => each.name),
        `${name}.${column}`,
      ).toContain(column);
    return columns.flatMap((column) =>
      secret.test(column.name) && column.name !== "sync_token" && !withheld.includes(column.name)
        ? [`${name}.${column.name}`]
        : [],
    );
  });
  expect(exported).toEqual([]);
});
