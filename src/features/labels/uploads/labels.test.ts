import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import fs, { appendFile, readdir, rm, symlink } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import {
  createLabels,
  downloadProblemRows,
  drawLabel,
  exportSsccs,
  listLabelUploads,
  printLabels,
  readLabelSettings,
  readLabelUpload,
  type LabelDrawing,
  type LabelUploadView,
} from "#features/labels/contract.ts";
import { createFileLines, createJournal } from "#integrations/objects/journal.ts";
import { formatSscc } from "#formats/gs1/sscc.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, PREFIX, setUpLabels, type LabelCells } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";

const send = async (
  browser: Browser,
  rows: readonly LabelCells[],
  { name = "week12.xlsx", query = {} } = {},
) => browser.call(createLabels, { query, file: { name, bytes: await labelWorkbook(rows) } });

const read = async (browser: Browser, id: string | null): Promise<LabelUploadView> => {
  const reply = await browser.call(readLabelUpload, { params: { upload_id: id ?? "" } });
  const { state, labels } = reply.json() as { state: string; labels: LabelUploadView };
  expect(state).toBe("made");
  return labels;
};

const sscc = (serial: number) => formatSscc({ extension: 0, prefix: PREFIX, serial });

test("AP-23 GS-09 GEN-06 (its GS1-128 labels) a sheet becomes a PDF under the sheet's name, and the same rows give the same labels again", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const early = await send(owner, [{}]);
  expect([early.status, expectProblem(early.headers, early.text).code]).toEqual([400, "prefix_missing"]);
  expect((await setUpLabels(owner)).status).toBe(200);

  const rows = [{ Cartons: 3 }, { "PO Number": "8841219", "Mark For / Store": undefined }];
  const made = await send(owner, rows);
  expect([made.status, made.headers.get("content-type"), made.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    "attachment; filename=\"labels.pdf\"; filename*=UTF-8''week12.pdf",
  ]);
  expect(made.text.startsWith("%PDF-1.7")).toBe(true);
  expect(made.text.match(/\/Type\/Page\//g)).toHaveLength(4);
  expect(made.text).toContain("/PrintScaling/None/PickTrayByPDFSize true/Duplex/Simplex");
  const id = made.headers.get(DOCUMENT_OF_HEADER);
  expect(await read(owner, id)).toMatchObject({
    filename: "week12.xlsx",
    label_count: 4,
    prints: 1,
    orders: [
      {
        po_number: "8841203",
        count: 3,
        first_label: 1,
        first_sscc: "006141410000000005",
        last_sscc: "006141410000000029",
      },
      { po_number: "8841219", count: 1, first_label: 4, first_sscc: "006141410000000036" },
    ],
  });

  const again = await send(owner, rows, { name: "renamed.xlsx" });
  expect([again.headers.get(DOCUMENT_OF_HEADER), again.text === made.text]).toEqual([id, true]);
  expect(await read(owner, id)).toMatchObject({ label_count: 4, prints: 2 });
  const other = await send(owner, [{ "PO Number": "8841230" }]);
  expect(await read(owner, other.headers.get(DOCUMENT_OF_HEADER))).toMatchObject({
    orders: [{ first_sscc: "006141410000000043" }],
  });
});

test("a CSV file with common headers becomes as many labels as its label column says", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const headers = "P.O.,Ship To,Address,City,State,Zip Code,Store #,Ship Via,SKU,Qty,# Labels";
  const row = "8841203,Hearth Supply DC 12,500 Commerce Dr,Reno,NV,89506,0412,UPS Ground,1004-118,24,3";
  const file = { name: "week12.csv", bytes: new TextEncoder().encode(`${headers}\n${row}\n`) };
  const made = await owner.call(createLabels, { file });
  expect([made.status, made.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect(await read(owner, made.headers.get(DOCUMENT_OF_HEADER))).toMatchObject({
    filename: "week12.csv",
    label_count: 3,
    orders: [{ po_number: "8841203", count: 3 }],
  });
});

test("labels are reprinted by place, by purchase order and for Zebra printers, with the same SSCCs, and prints are counted", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const rows = [{ Cartons: 2 }, { "PO Number": "A-2" }, { Cartons: 2 }];
  const id = (await send(owner, rows)).headers.get(DOCUMENT_OF_HEADER) ?? "";
  const params = { upload_id: id };
  const print = (json: object) => owner.call(printLabels, { params, json });
  const countPages = ({ text }: Reply) => text.match(/\/Type\/Page\//g)?.length;
  expect(countPages(await print({ labels: "2-3, 5" }))).toBe(3);
  expect(countPages(await print({ po_number: "8841203" }))).toBe(4);
  const zpl = await print({ labels: "3", format: "zpl" });
  expect(zpl.headers.get("content-disposition")).toContain("week12.zpl");
  expect(zpl.text.match(/\^XA[^]*?\^XZ/g)).toHaveLength(1);
  expect(zpl.text).toContain("(00) 0 0614141 000000002 9");
  for (const labels of ["0", "6", "3-2", "x", "1-2-3", "1,,2"]) {
    const reply = await print({ labels });
    expect([labels, reply.status, expectProblem(reply.headers, reply.text).code]).toEqual([
      labels,
      400,
      "no_such_labels",
    ]);
  }
  expect((await print({ po_number: "B-1" })).status).toBe(400);
  const drawn = async (seq: number) =>
    (await owner.call(drawLabel, { params: { ...params, seq: `${seq}` } })).json() as LabelDrawing;
  expect((await read(owner, id)).prints).toBe(4);
  expect(await Promise.all([1, 2, 3, 5].map(async (seq) => (await drawn(seq)).prints))).toEqual([2, 3, 3, 3]);
  const third = await drawn(3);
  expect([third.sscc, third.symbols.length, third.texts.some(({ text }) => text === "A-2")]).toEqual([
    "006141410000000029",
    3,
    true,
  ]);
  expect((await owner.call(drawLabel, { params: { ...params, seq: "6" } })).status).toBe(404);
  expect((await owner.call(listLabelUploads)).json()).toMatchObject({ uploads: [{ id, label_count: 5 }] });
});

test("SSCCs of a sheet are stored and never assigned again, and without enough serials nothing is made", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner, { prefix: "061414112345", next_serial: 9_990 });
  const sscc = (serial: number) => formatSscc({ extension: 0, prefix: "061414112345", serial });
  const rows = [{ SSCC: sscc(9_991) }, { SSCC: `00${sscc(5)}` }];
  const own = await send(owner, rows);
  expect(own.status).toBe(200);
  const id = own.headers.get(DOCUMENT_OF_HEADER);
  const repeated = await send(owner, rows);
  expect([repeated.status, repeated.headers.get(DOCUMENT_OF_HEADER)]).toEqual([200, id]);
  expect(await read(owner, id)).toMatchObject({ label_count: 2, prints: 2 });
  // The same numbers with a row more, or in another order, are no repeat.
  for (const others of [[...rows, {}], rows.toReversed()])
    expect((await send(owner, others)).status).toBe(400);
  await sql`update label_upload set ended_at = '2026-11-03T20:00:00Z'`.execute(app.db);
  const again = await send(owner, [{ SSCC: sscc(5), "PO Number": "other" }]);
  expect([again.status, expectProblem(again.headers, again.text).detail]).toEqual([
    400,
    "SSCC in row 2: This SSCC was used on November 3, 2026 for PO 8841203. Leave it blank to get a new one.",
  ]);
  const made = await send(owner, [{ Cartons: 2, "PO Number": "next" }]);
  const { orders } = await read(owner, made.headers.get(DOCUMENT_OF_HEADER));
  expect(orders).toMatchObject([{ first_sscc: sscc(9_990), last_sscc: sscc(9_992) }]);
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({
    next_serial: 9_993,
    serials: { total: 10_000, left: 7, is_low: true },
  });
  const tooMany = await send(owner, [{ Cartons: 8 }]);
  expect([tooMany.status, expectProblem(tooMany.headers, tooMany.text)]).toEqual([
    409,
    expect.objectContaining({
      code: "serials_exhausted",
      detail: expect.stringMatching(/^Not enough serials: 7 left, 8 needed\./) as string,
    }),
  ]);
  expect((await send(owner, [{ Cartons: 7 }])).status).toBe(200);
  const back = await setUpLabels(owner, { prefix: "061414112345", next_serial: 3 });
  expect([back.status, expectProblem(back.headers, back.text).code]).toEqual([409, "serial_given"]);
});

test("with a restored database, at once or after the next start, serials continue after the last one printed", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const path = join(app.config.dataDir, "promises.jsonl");
  const putBack = () => sql`truncate label, label_print, label_upload, label_serial`.execute(app.db);
  const makeFirst = async (poNumber: string) => {
    const { headers } = await send(owner, [{ "PO Number": poNumber, Cartons: 3 }]);
    return (await read(owner, headers.get(DOCUMENT_OF_HEADER))).orders[0]?.first_sscc;
  };
  expect(await makeFirst("before")).toBe(sscc(0));
  await appendFile(path, '{"realm":"cut by a cra');
  await putBack();
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({ next_serial: 3 });
  const reused = await setUpLabels(owner, { next_serial: 2 });
  expect([reused.status, expectProblem(reused.headers, reused.text).code]).toEqual([409, "serial_given"]);
  expect(await makeFirst("while it runs")).toBe(sscc(3));
  // Lines after the one that the crash truncated count as well.
  await putBack();
  Object.assign(app.application.labels, { journal: createJournal(createFileLines(path)) });
  expect(await makeFirst("by the next process")).toBe(sscc(6));
  // As another process records it.
  const noted = { realm: ACME, prefix: PREFIX, extension: 0, next: 50 };
  await appendFile(path, `\n${JSON.stringify(noted)}\n`);
  await putBack();
  expect(await makeFirst("beside others")).toBe(sscc(50));
  // SSCCs that a sheet brought are skipped as well.
  expect((await send(owner, [{ SSCC: sscc(53) }, { SSCC: sscc(55), "PO Number": "own" }])).status).toBe(200);
  await putBack();
  const { headers } = await send(
    owner,
    [54, 56, 57].map((serial) => ({ "PO Number": `behind ${serial}` })),
  );
  const { orders } = await read(owner, headers.get(DOCUMENT_OF_HEADER));
  expect(orders.map(({ first_sscc: first }) => first)).toEqual([sscc(54), sscc(56), sscc(57)]);
  // A company that issued SSCCs elsewhere raised its next serial.
  expect((await setUpLabels(owner, { next_serial: 900 })).status).toBe(200);
  await putBack();
  expect(await makeFirst("after others")).toBe(sscc(900));
});

test("a database without space for labels is reported and makes none; their serials remain a gap", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  await sql`create function no_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
    app.db,
  );
  await sql`create trigger no_room before insert on label execute function no_room()`.execute(app.db);
  for (const _ of [1, 2]) {
    const failed = await send(owner, [{ Cartons: 3 }]);
    expect([failed.status, expectProblem(failed.headers, failed.text)]).toEqual([
      503,
      expect.objectContaining({
        code: "database_full",
        detail: "The database has no space left. Tell this server's operator, and try again later.",
      }),
    ]);
  }
  expect((await owner.call(listLabelUploads)).json()).toEqual({ uploads: [] });
  await sql`drop trigger no_room on label`.execute(app.db);
  const made = await send(owner, [{ Cartons: 3 }]);
  expect(await read(owner, made.headers.get(DOCUMENT_OF_HEADER))).toMatchObject({
    orders: [{ count: 3, first_sscc: sscc(6), last_sscc: sscc(8) }],
  });
});

test("a file that makes more labels than one upload may is refused with their number, and no SSCC is assigned", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const rows = Array.from({ length: 51 }, (_, at) => ({ "PO Number": `A-${at}`, Cartons: 1_000 }));
  const refused = await send(owner, rows);
  expect(refused.json()).toMatchObject({
    status: 400,
    code: "too_many_labels",
    detail: "The file makes 51,000 labels; we make at most 50,000 at once. Split it into several files.",
  });
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({ next_serial: 0 });
});

test("GS-15 the workbook of problem rows has every problem beside its row, and once corrected gives the labels of those rows", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const bad = Array.from({ length: 30 }, (_, at) => ({
    "PO Number": `bad-${at}`,
    "Ship To Name": undefined,
    Carrier: undefined,
  }));
  const file = { name: "week12.xlsx", bytes: await labelWorkbook([{}, ...bad]) };
  const refused = await send(owner, [{}, ...bad]);
  const detail = (refused.json() as { detail: string }).detail.split("\n");
  expect([detail.length, detail.at(-1)]).toEqual([21, "40 more problems."]);
  const workbook = readWorkbook(await owner.download(downloadProblemRows, { file }));
  const [header, first, ...others] = workbook.sheets[0]?.rows ?? [];
  expect([header?.cells.slice(-2), first?.cells.at(-1), others.length]).toEqual([
    ["Row in week12.xlsx", "Reason"],
    "Ship To Name is missing.\nCarrier is missing.",
    29,
  ]);
  const good = await send(owner, [{}, ...bad], { query: { rows: "good" } });
  expect(await read(owner, good.headers.get(DOCUMENT_OF_HEADER))).toMatchObject({ label_count: 1 });
});

test("GS-15 every problem in a file is listed at once with its cell, and no SSCC is assigned while there is one", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const reply = await send(owner, [
    { "UPC / GTIN": "061414100034" },
    { "Ship To Name": undefined, "Ship To State": "Nevadia", "Ship To Postal Code": "1234" },
    { "Ship To State": "ma", "Ship To Postal Code": 2134 },
    { "Qty In Carton": 2.5, "Carton Number": 5, "Carton Count": 4 },
    { Cartons: 2, SSCC: "006141410000000005" },
    { SSCC: "006141410000000006" },
    { SSCC: "109999990000000003" },
    { "Mark For / Store": "A store with spaces" },
    { "Mark For / Store": "ABCDEFGHIJKLMNOPQRST" },
    { "Ship To Country": "Canada", "Ship To State": "Quebec", "Ship To Postal Code": "H2X 1Y" },
    { "Ship To Country": "Atlantis", "Ship From Code": "NYC", "Ship Date": "2019-01-02" },
  ]);
  expect([reply.status, expectProblem(reply.headers, reply.text).code]).toEqual([400, "row_problems"]);
  expect((reply.json() as { detail: string }).detail.split("\n")).toMatchInlineSnapshot(`
    [
      "UPC / GTIN in row 2: The check digit should be 8.",
      "Ship To Name is missing in row 3.",
      "Ship To State in row 3: This isn't a state of US. Use two letters.",
      "Ship To Postal Code in row 3: This ZIP code is missing a digit.",
      "Qty In Carton in row 5: Enter a whole number from 1 to 99,999,999.",
      "Carton Number in row 5: Carton 5 is beyond the Carton Count of 4.",
      "Cartons in row 6: Cartons 2 makes several labels, so SSCC must be blank.",
      "SSCC in row 7: The check digit should be 5.",
      "SSCC in row 8: The check digit should be 9.",
      "Mark For / Store in row 9: The barcode can't hold a space.",
      "Mark For / Store in row 10: The barcode would be 154.0 mm wide; the label has room for 64.9 mm.",
      "Ship To Postal Code in row 11: This isn't a Canadian postal code, such as K1A 0B1.",
      "Ship To Country in row 12: We don't know this country. Use two letters, such as US.",
      "Ship From Code in row 12: This isn't a ship-from code: choose OAK.",
      "Ship Date in row 12: Ship Date January 2, 2019 is more than a year away.",
    ]
  `);
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({ next_serial: 0 });
});

/** Redirects writes below a folder to a full disk. @returns a function that frees space again */
function fillDisk(folder: string): () => void {
  const { open } = fs;
  fs.open = (path, ...how) => (String(path).startsWith(folder) ? open("/dev/full", "w") : open(path, ...how));
  syncBuiltinESMExports();
  return () => {
    fs.open = open;
    syncBuiltinESMExports();
  };
}

test("a full disk, for the file or next to the database, is reported, and no label is made and no number used", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const incoming = join(app.config.dataDir, "objects", "incoming");
  const makeRoom = fillDisk(incoming);
  onTestFinished(makeRoom);
  const refused = await send(owner, [{ Cartons: 3 }]);
  expect([
    refused.status,
    refused.headers.get("retry-after"),
    expectProblem(refused.headers, refused.text),
  ]).toEqual([
    507,
    "300",
    expect.objectContaining({
      code: "storage_full",
      detail:
        "The file couldn't be stored: this server has no space left. Tell its operator, and try again later.",
    }),
  ]);
  makeRoom();
  expect(await readdir(incoming)).toEqual([]);
  const path = join(app.config.dataDir, "promises.jsonl");
  await rm(path, { force: true });
  // Writing there fails as on a full disk.
  await symlink("/dev/full", path);
  const failed = await send(owner, [{ Cartons: 3 }]);
  expect([failed.status, expectProblem(failed.headers, failed.text).code]).toEqual([507, "storage_full"]);
  expect((await owner.call(listLabelUploads)).json()).toEqual({ uploads: [] });
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({ next_serial: 0 });
  await rm(path);
  const made = await send(owner, [{ Cartons: 3 }]);
  expect(await read(owner, made.headers.get(DOCUMENT_OF_HEADER))).toMatchObject({
    orders: [{ count: 3, first_sscc: "006141410000000005" }],
  });
});

test("a document of thousands of labels arrives complete or not at all, and a failed one is not counted as a print", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const rows = Array.from({ length: 3 }, (_, at) => ({ "PO Number": `A-${at}`, Cartons: 1_000 }));
  const made = await send(owner, rows);
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  // However many are stored and read at once, each is there once.
  const list = (await owner.call(exportSsccs)).text.match(/(?<=^|\n)\d{18}/g) ?? [];
  expect([list.length, made.text.match(/\/Type\/Page\//g)?.length]).toEqual([3_000, 3_000]);
  await sql`update label set content = content - 'postalCode' where seq = 2500`.execute(app.db);
  // The document in this form is cached, in another it is written.
  expect((await owner.call(printLabels, { params, json: {} })).text).toBe(made.text);
  const json = { order: "po" } as const;
  expect((await owner.call(printLabels, { params, json })).status).toBe(500);
  expect((await read(owner, params.upload_id)).prints).toBe(2);
  await sql`update label set content = content || '{"postalCode":"89506"}' where seq = 2500`.execute(app.db);
  expect((await owner.call(printLabels, { params, json })).text).toBe(made.text);
});

test("the list of SSCCs has a line for each label with its order, carton, file, row, user and prints", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const rows = [{ Cartons: 2 }, { "PO Number": "PO-9, east", Cartons: 1 }];
  const id = (await send(owner, rows)).headers.get(DOCUMENT_OF_HEADER);
  const lines = (await owner.call(exportSsccs)).text.trim().split("\r\n");
  const header = lines[0]?.replace("\uFEFF", "").split(",") ?? [];
  expect(header.slice(0, 2)).toEqual(["SSCC", "PO Number"]);
  const tail = [
    "Carton Number",
    "Carton Count",
    "Label",
    "File",
    "Row",
    "Made By",
    "Made At (UTC)",
    "Prints",
  ];
  expect(header.slice(-8)).toEqual(tail);
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual([sscc(0), sscc(1), sscc(2)]);
  expect(lines[3]).toContain(',"PO-9, east",');
  expect(lines[2]).toMatch(/,2,2,2,week12\.xlsx,2,[^,]+@[^,]+,\d{4}-[^,]+Z,1$/);
  expect((await owner.call(exportSsccs, { query: { upload_id: id ?? "" } })).text).toContain(sscc(2));
});

test("a UPC prefix of six digits becomes the GS1 prefix with a leading 0, with which SSCCs begin; others stay as they are", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  for (const [entered, prefix] of [
    ["614141", "0614141"],
    ["0614141", "0614141"],
    ["61414", "61414"],
  ] as const) {
    expect((await setUpLabels(owner, { prefix: entered })).json()).toMatchObject({ prefix });
    expect((await owner.call(readLabelSettings)).json()).toMatchObject({ prefix });
  }
  await setUpLabels(owner, { prefix: "614141" });
  const { headers } = await send(owner, [{}]);
  expect(await read(owner, headers.get(DOCUMENT_OF_HEADER))).toMatchObject({
    orders: [{ first_sscc: "006141410000000005" }],
  });
});

test("a company with several GS1 prefixes makes an upload with the chosen one, each with its own serials; a sheet's own SSCC prints by its prefix", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const other = "9512345678";
  const setUp = (next_serial: number) =>
    setUpLabels(owner, { other_prefixes: [{ prefix: other, next_serial }] });
  const saved = {
    prefix: other,
    next_serial: 40,
    serials: { total: 1_000_000, left: 999_960, is_low: false },
  };
  expect((await setUp(40)).json()).toMatchObject({ prefix: PREFIX, next_serial: 0, other_prefixes: [saved] });
  const make = async (poNumber: string, prefix?: string) => {
    const rows = [{ "PO Number": poNumber, Cartons: 2 }, { "PO Number": `${poNumber} too` }];
    return owner.call(createLabels, {
      file: { name: "week12.xlsx", bytes: await labelWorkbook(rows) },
      ...(prefix === undefined ? {} : { json: { prefix } }),
    });
  };
  const listFirst = async ({ headers }: Reply) =>
    (await read(owner, headers.get(DOCUMENT_OF_HEADER))).orders.map(({ first_sscc: first }) => first);
  const ofOther = (serial: number) => formatSscc({ extension: 0, prefix: other, serial });
  expect(await listFirst(await make("A", other))).toEqual([ofOther(40), ofOther(42)]);
  expect(await listFirst(await make("B"))).toEqual([sscc(0), sscc(2)]);

  const own = await send(owner, [{ SSCC: ofOther(7) }]);
  const params = { upload_id: own.headers.get(DOCUMENT_OF_HEADER) ?? "", seq: "1" };
  const { texts } = (await owner.call(drawLabel, { params })).json() as LabelDrawing;
  expect(texts.map(({ text }) => text)).toContain(`(00) 0 ${other} 000007 ${ofOther(7).at(-1)}`);

  const refusals = [
    await make("C", "7777777"),
    await setUp(3),
    await setUpLabels(owner, { other_prefixes: [{ prefix: "614141" }] }),
  ];
  expect(refusals.map(({ status, headers, text }) => [status, expectProblem(headers, text).detail])).toEqual([
    [400, `Choose one of the company's GS1 prefixes: ${PREFIX} or ${other}.`],
    [409, "Serial 3 is already used. Enter a higher one, so that no SSCC is used twice."],
    [400, `GS1 prefix ${PREFIX} is entered twice. Enter each only once.`],
  ]);
});

test("once 80 % of a prefix's numbers are used its company is warned, and at 100 % no more labels are made", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const prefix = "061414112345";
  await setUpLabels(owner, { prefix, next_serial: 7_998 });
  const serials = async () => ((await owner.call(readLabelSettings)).json() as { serials: object }).serials;
  const make = (poNumber: string) => send(owner, [{ "PO Number": poNumber }]);
  await make("7,999th");
  expect(await serials()).toEqual({ total: 10_000, left: 2_001, is_low: false });
  await make("8,000th");
  expect(await serials()).toEqual({ total: 10_000, left: 2_000, is_low: true });
  await setUpLabels(owner, { prefix, next_serial: 9_999 });
  expect((await make("10,000th")).status).toBe(200);
  const stopped = await make("one more");
  expect([stopped.status, expectProblem(stopped.headers, stopped.text).detail]).toEqual([
    409,
    "Not enough serials: 0 left, 1 needed. Choose another extension digit or GS1 prefix in the label settings.",
  ]);
  expect((await owner.call(listLabelUploads)).json()).toHaveProperty("uploads.length", 3);
  await setUpLabels(owner, { prefix, extension: 1 });
  expect((await make("one more")).status).toBe(200);
});

test("lot and dates are in barcodes, and each pallet gets one more label with its own SSCC", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner, { profile: "grocery" });
  const goods = { "UPC / GTIN": "061414100038", "Expiration Date": "11/24/2027", "Lot / Batch": "L24118" };
  const made = await send(owner, [
    { ...goods, Pallet: "1", Cartons: 2 },
    { ...goods, Pallet: "1", "PO Number": "8841219", "Lot / Batch": "L24119" },
    { ...goods, Pallet: "2" },
  ]);
  const upload_id = made.headers.get(DOCUMENT_OF_HEADER) ?? "";
  const labels = await read(owner, upload_id);
  expect([labels.label_count, labels.orders.map(({ po_number: po }) => po)]).toEqual([
    6,
    ["8841203", "8841219", "MIXED"],
  ]);
  const readTexts = async (seq: number) => {
    const drawn = await owner.call(drawLabel, { params: { upload_id, seq: `${seq}` } });
    return (drawn.json() as LabelDrawing).texts.map(({ text }) => text);
  };
  expect(await readTexts(1)).toEqual(
    expect.arrayContaining([
      "(02) 00061414100038 (37) 24",
      "(17) 271124 (10) L24118",
      "11/24/2027",
      "1 of 3",
    ]),
  );
  // Its cartons have two lots, so a pallet has no barcode for them.
  const pallet = await readTexts(5);
  expect(pallet).toEqual(
    expect.arrayContaining([
      "MIXED",
      "3 on pallet",
      "(02) 00061414100038 (37) 72",
      "(00) 0 0614141 000000004 3",
    ]),
  );
  expect(pallet.filter((text) => text.startsWith("(17)"))).toEqual([]);
});

test("for a retailer that wants a label on two sides each is printed twice, with one SSCC", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner, { profile: "home-depot-pro" });
  const made = await send(owner, [{ "Vendor Number": "104416", Cartons: 2 }]);
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  expect(made.text.match(/\/Type\/Page\//g)).toHaveLength(4);
  const { text } = await owner.call(printLabels, { params, json: { format: "zpl" } });
  expect(text.match(/\(00\) 0 0614141 \d{9} \d/g)).toEqual([
    "(00) 0 0614141 000000000 5",
    "(00) 0 0614141 000000000 5",
    "(00) 0 0614141 000000001 2",
    "(00) 0 0614141 000000001 2",
  ]);
});
