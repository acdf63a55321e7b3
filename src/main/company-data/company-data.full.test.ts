import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { listTrail } from "#features/companies/trail/contract.ts";
import { changeSettings } from "#features/companies/contract.ts";
import { downloadProblemRows, listUploadResults } from "#features/invoices/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { downloadLabelFile, downloadPackingSlip } from "#features/labels/carrier/contract.ts";
import { downloadNotices, listNotices } from "#features/orders/notices-out/contract.ts";
import { readProof } from "#features/tracking/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../test/support/labels.ts";
import { hurryRuns } from "../../../test/support/ledger.ts";
import { runOperate } from "../../../test/support/operate.ts";
import { makeFolder, placeOfApp } from "../../../test/support/places.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { endService } from "../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";
import { readCatalog } from "./read-catalog.ts";
import { COMPANY_TABLES, LEFT_OUT } from "./tables.ts";
import { verifyExport } from "./verify-export.ts";

const ABOUT = { query: { realm_id: ACME } };
const PACKAGE = "1Z1A2B3C0399999990";
const PROOF = Buffer.from("%PDF-1.7 a proof of delivery");

/** Acme with something of everything, beside a company of others. */
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
  await sql`insert into tracked_package (realm_id, number, state, added_at, proof_state, proof_pdf)
    values (${ACME}, ${PACKAGE}, 'delivered', now(), 'carrier', ${PROOF})`.execute(app.db);
  return { ...desk, other };
}

async function exportFrom(app: TestApp, name = "export.tar") {
  const file = join(await makeFolder(), name);
  const made = await runOperate(await placeOfApp(app), "company", "export", ACME, file);
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Exported Acme Tools to \S+: \d+ files, 1 MB\.$/),
  });
  return file;
}

const importInto = async (app: TestApp, file: string) =>
  runOperate(await placeOfApp(app), "company", "import", file);

/** Rows and hash of each table of an export, and hashes of its other files. */
async function summarize(file: string) {
  const { tables, files } = await verifyExport(file);
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return {
    tables: Object.fromEntries(
      tables.map(({ name, rows }) => [name, `${rows} ${hashes.get(`tables/${name}.csv`)}`]),
    ),
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    files: files
      .filter(({ path }) => path.startsWith("files/"))
      .map(({ path, sha256 }) => `${path} ${sha256}`),
  };
}

/** History and documents of a company, as its user sees them; links lead to the simulator of the installation. */
async function look(
  { intuit }: TestApp,
  browser: Browser,
  { slip, label }: Record<"slip" | "label", string>,
) {
  const withoutHost = (shown: unknown) =>
    JSON.parse(JSON.stringify(shown).replaceAll(intuit.url, "")) as unknown;
  const { uploads } = await settledUploads(browser, ACME);
  const results = [];
  for (const { id } of uploads) {
    const reply = await browser.call(listUploadResults, { ...ABOUT, params: { upload_id: id } });
    results.push(reply.json());
  }
  const trail = (await browser.call(listTrail, ABOUT)).json() as {
    entries: { title: string; user: string | null }[];
  };
  const last = uploads.find(({ filename }) => filename === "invoices.xlsx");
  return {
    uploads: withoutHost(uploads),
    results: results.map(withoutHost),
    trail: trail.entries.map(({ title, user }) => `${title}, ${user}`),
    documents: [
      await browser.download(downloadProblemRows, { ...ABOUT, params: { upload_id: last?.id ?? "" } }),
      await browser.download(downloadPackingSlip, { params: { filename: slip } }),
      await browser.download(downloadLabelFile, { params: { filename: label } }),
      await browser.download(readProof, { ...ABOUT, params: { number: PACKAGE } }),
    ],
  };
}

/** The operator's commands run in a process of their own, by the machine's time. */
const machineTime = () => steppedClock(Date.now());

test("OP-17 a company exports all its data, and an empty installation reads it back: equal counts and hashes, the same history and documents", async () => {
  const { app, browser, history } = await openCompany();
  const { rows: names } = await sql<{
    slip: string;
    label: string;
  }>`select slip_file as slip, label_file as label
    from retail_order join shipment on order_id = retail_order.id`.execute(app.db);
  const shipped = names[0] ?? expect.unreachable();
  const file = await exportFrom(app);
  const before = await look(app, browser, shipped);
  const bytes = await readFile(file);
  for (const text of ["NEIGHBOR-1", BAY, "dk_"]) expect(bytes.includes(text)).toBe(false);

  const there = await startApp({ clock: machineTime() });
  const imported = await importInto(there, file);
  expect([imported.code, imported.output]).toEqual([
    0,
    expect.stringMatching(
      /^Imported Acme Tools \(\d+\) as of \S+Z: \d+ rows, 2 stored files\.\nThe company is disconnected/,
    ),
  ]);
  const [here, again] = [await summarize(file), await summarize(await exportFrom(there))];
  const changed = ["audit_entry", "audit_link"];
  const isRead = (name: string) => COMPANY_TABLES[name]?.use === "moves" && !changed.includes(name);
  const moved = ({ tables }: typeof here) =>
    Object.fromEntries(Object.entries(tables).filter(([name]) => isRead(name)));
  expect(moved(again)).toEqual(moved(here));
  expect(again.files).toEqual(here.files);
  for (const name of [
    "upload",
    "upload_invoice",
    "write",
    "label",
    "shipment_label",
    "tracked_package",
    "run",
    "retail_order",
  ])
    expect(here.rows[name], name).toBeGreaterThan(0);
  // The import, and the second export.
  expect(again.rows["audit_entry"]).toBe((here.rows["audit_entry"] ?? 0) + 2);
  const trails = await runOperate(await placeOfApp(there), "trail", "verify");
  expect([trails.code, trails.output]).toEqual([0, expect.stringContaining(`${ACME} `)]);

  const owner = await there.owner(ACME);
  const after = await look(there, owner, shipped);
  expect(after.uploads).toEqual(before.uploads);
  expect(after.results).toEqual(before.results);
  expect(after.documents).toEqual(before.documents);
  expect(after.trail.slice(-before.trail.length)).toEqual(before.trail);
  // Each product has a clock of its own.
  expect(after.trail.slice(0, -before.trail.length).toSorted()).toEqual([
    "Connected the company, owner@acme.example",
    "Exported all data, Operator",
    "Imported all data, Operator",
  ]);
  const sent = before.results.length;
  await uploadRows(owner, ACME, [invoiceLine("EX-1"), invoiceLine("EX-2", { Customer: "No Such Customer" })]);
  const { uploads } = await settledUploads(owner, ACME);
  expect(uploads).toHaveLength(sent + 1);
  expect(await there.intuit.invoices(ACME)).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ DocNumber: "EX-1" })]),
  );
  expect((await history()).labels).toHaveLength(1);
});

test("OP-17 an import is refused, with nothing written, if a byte was changed or the company is there already", async () => {
  const app = await startApp({ clock: machineTime() });
  const owner = await app.owner(ACME);
  await uploadRows(owner, ACME, [invoiceLine("R-1")]);
  await settledUploads(owner, ACME);
  const file = await exportFrom(app);
  expect(await importInto(app, file)).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^This installation has Acme Tools \(\d+\) already, so nothing was imported/,
    ),
  });
  const there = await startApp({ worker: false, clock: machineTime() });
  const bytes = await readFile(file);
  const change = async (text: string) => {
    const at = bytes.indexOf(text);
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    const damaged = join(await makeFolder(), "damaged.tar");
    await writeFile(damaged, copy);
    return (await importInto(there, damaged)).output;
  };
  expect(await change("2026-11-02")).toMatch(
    /is damaged: tables\/upload_invoice\.csv is missing, was changed/,
  );
  expect(await change("xl/workbook.xml")).toMatch(
    /is damaged: files\/workbooks\/\S+\.xlsx is missing, was changed/,
  );
  expect(await change('"format": 1')).toMatch(/is no complete export: manifest\.json is missing, or/);
  const cut = join(await makeFolder(), "cut.tar");
  await writeFile(cut, bytes.subarray(0, bytes.length - 20_000));
  expect((await importInto(there, cut)).output).toMatch(
    /is no complete export: it is damaged after \S+\. Nothing/,
  );
  expect((await importInto(there, `${file}.no`)).output).toMatch(/^There is no file /);
  // An import that the trail can't keep.
  await sql`alter table audit_entry add constraint refused check (action <> 'companies.import')`.execute(
    there.db,
  );
  expect((await importInto(there, file)).code).not.toBe(0);
  const { rows } = await sql`select from company`.execute(there.db);
  expect(rows).toEqual([]);
  await sql`alter table audit_entry drop constraint refused`.execute(there.db);
  expect((await importInto(there, file)).code).toBe(0);
  expect((await importInto(there, file)).output).toMatch(/already, so nothing was imported/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("OP-17 open work of an export has ended after its import, and nothing of it is sent", async () => {
  const app = await startApp({ worker: false, clock: machineTime() });
  const browser = await app.owner(ACME);
  const reply = await uploadRows(browser, ACME, [invoiceLine("OPEN-1")]);
  const { id } = reply.json() as { id: string };
  const there = await startApp({ clock: machineTime() });
  const { output } = await importInto(there, await exportFrom(app));
  expect(output).toContain("Open work that ended here, and of which nothing is repeated: 1 runs.");
  const owner = await there.owner(ACME);
  await hurryRuns(there.db);
  const { uploads } = await settledUploads(owner, ACME);
  const results = await owner.call(listUploadResults, { ...ABOUT, params: { upload_id: id } });
  expect([uploads.length, results.text]).toEqual([
    1,
    expect.stringContaining("Not posted: the company moved to this installation before the upload ended."),
  ]);
  expect(await there.intuit.invoices(ACME)).not.toContainEqual(
    expect.objectContaining({ DocNumber: "OPEN-1" }),
  );
});

test("OP-17 every table is exported or left out with a reason, and columns with secrets are withheld", async () => {
  const { DATABASE_URL: connectionString } = await placeOfApp(
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
