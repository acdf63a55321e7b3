import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  createLabels,
  downloadProblemRows,
  drawLabel,
  listLabelUploads,
  readLabelSettings,
  readLabelUpload,
  reviewLabels,
  type LabelDrawing,
  type LabelReview,
} from "#features/labels/contract.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { SAMPLE_ROW } from "#features/labels/fixtures/sample-row.ts";
import { expandRows } from "#features/labels/uploads/cartons.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels, type LabelCells } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";

const BAD: LabelCells[] = [
  {},
  { "PO Number": "8841219", Carrier: undefined, "UPC / GTIN": "061414100034" },
  { "PO Number": "8841230", "Ship To State": "Nevadia" },
];

async function start() {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  return { app, owner };
}

const makeFile = async (rows: readonly LabelCells[]) => ({
  name: "week12.xlsx",
  bytes: await labelWorkbook(rows),
});

type Cells = { row: number; field: string; value: string }[];

async function review(browser: Browser, rows: readonly LabelCells[], cells?: Cells): Promise<LabelReview> {
  const file = await makeFile(rows);
  const reply = await browser.call(reviewLabels, { file, ...(cells ? { json: { cells } } : {}) });
  expect(reply.status).toBe(200);
  return reply.json() as LabelReview;
}

const CURE: Cells = [
  { row: 3, field: "carrier", value: "FedEx" },
  { row: 3, field: "gtin", value: "061414100038" },
  { row: 4, field: "state", value: "Nevada" },
];

test("GS-15 the review lists every problem with its cell and the labels of the good rows, and uses no SSCC", async () => {
  const { owner } = await start();
  const found = await review(owner, BAD);
  expect(found.errors.map(({ cell, header, value, text }) => [cell, header, value, text])).toEqual([
    ["H3", "Carrier", "", "Carrier is missing."],
    ["L3", "UPC / GTIN", "061414100034", "The check digit should be 8."],
    ["E4", "Ship To State", "Nevadia", "This isn't a state of US. Use two letters."],
  ]);
  expect([found.error_count, found.label_count, found.rows.map(({ row, state }) => [row, state])]).toEqual([
    3,
    1,
    [
      [2, "ready"],
      [3, "fix"],
      [4, "fix"],
    ],
  ]);
  expect((await owner.call(readLabelSettings)).json()).toMatchObject({ next_serial: 0 });
  expect((await owner.call(listLabelUploads)).json()).toEqual({ uploads: [] });
});

test("GS-15 cells corrected in the review replace the file's: in the review, in the labels and in the workbook of remaining problems", async () => {
  const { owner } = await start();
  const partly = await review(owner, BAD, CURE.slice(0, 2));
  expect(partly.errors.map(({ cell }) => cell)).toEqual(["E4"]);
  expect(partly.corrections).toEqual([
    { row: 3, place: "3", field: "carrier", header: "Carrier", was: "", value: "FedEx" },
    { row: 3, place: "3", field: "gtin", header: "UPC / GTIN", was: "061414100034", value: "061414100038" },
  ]);
  const file = await makeFile(BAD);
  const half = [{ row: 3, field: "carrier", value: "FedEx" }];
  const workbook = readWorkbook(await owner.download(downloadProblemRows, { file, json: { cells: half } }));
  const [, third] = workbook.sheets[0]?.rows ?? [];
  expect([third?.cells[7], third?.cells.at(-1)]).toEqual(["FedEx", "The check digit should be 8."]);

  const refused = await owner.call(createLabels, { file, json: { cells: half } });
  expect([refused.status, expectProblem(refused.headers, refused.text).code]).toEqual([400, "row_problems"]);
  const made = await owner.call(createLabels, { file, json: { cells: CURE } });
  const upload_id = made.headers.get(DOCUMENT_OF_HEADER) ?? "";
  expect((await owner.call(readLabelUpload, { params: { upload_id } })).json()).toMatchObject({
    labels: { label_count: 3 },
  });
  const drawn = await owner.call(drawLabel, { params: { upload_id, seq: "2" } });
  const texts = (drawn.json() as LabelDrawing).texts.map(({ text }) => text);
  expect(texts.some((text) => text.includes("FedEx"))).toBe(true);
  const again = await owner.call(createLabels, { file, json: { cells: CURE } });
  expect(again.headers.get(DOCUMENT_OF_HEADER)).toBe(upload_id);
});

test("GS-15 an SSCC already on a label is among the problems with the day it was used, and its row is not one of the good ones", async () => {
  const { app, owner } = await start();
  const sscc = "006141410000000005";
  await owner.call(createLabels, { file: await makeFile([{ SSCC: sscc }]) });
  // In Acme's time zone that is the day before.
  await sql`update label_upload set ended_at = '2026-11-03T05:00:00Z'`.execute(app.db);
  const rows = [{ "PO Number": "A-1" }, { "PO Number": "A-2", SSCC: sscc }, { Carrier: undefined }];
  const found = await review(owner, rows);
  expect(found.errors.map(({ cell, text }) => [cell, text])).toEqual([
    ["R3", "This SSCC was used on November 2, 2026 for PO 8841203. Leave it blank to get a new one."],
    ["H4", "Carrier is missing."],
  ]);
  const good = await owner.call(createLabels, { file: await makeFile(rows), query: { rows: "good" } });
  const params = { upload_id: good.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  expect((await owner.call(readLabelUpload, { params })).json()).toMatchObject({
    labels: { orders: [{ po_number: "A-1", count: 1 }] },
  });
});

test("GS-15 cartons are never numbered beyond their count, and the sheet's carton numbers are not assigned twice", async () => {
  const { owner } = await start();
  const short = { "Carton Count": 2 };
  const other = { "PO Number": "B-1" };
  const found = await review(owner, [
    short,
    short,
    short,
    { ...other, "Carton Count": 4 },
    { ...other, "Carton Count": 5 },
    { "PO Number": "C-1", "Carton Number": 7, "Carton Count": 9 },
  ]);
  expect(found.errors.map(({ cell, text }) => `${cell} ${text}`)).toEqual([
    ...[2, 3, 4].map(
      (row) => `P${row} PO 8841203 has 3 cartons here, not 2. Leave it blank and we'll count them.`,
    ),
    ...[5, 6].map(
      (row) => `P${row} PO B-1 has different counts in rows 5-6. Leave them blank and we'll count them.`,
    ),
  ]);
  const file = await makeFile([{ "Carton Number": 2, "Carton Count": 3 }, {}, { Cartons: 1 }]);
  const made = await owner.call(createLabels, { file });
  const upload_id = made.headers.get(DOCUMENT_OF_HEADER) ?? "";
  const cartons = await Promise.all(
    ["1", "2", "3"].map(async (seq) => {
      const drawn = await owner.call(drawLabel, { params: { upload_id, seq } });
      return (drawn.json() as LabelDrawing).texts.find(({ text }) => / of /.test(text))?.text;
    }),
  );
  expect(cartons.map((text) => /\d+ of \d+/.exec(text ?? "")?.[0])).toEqual(["2 of 3", "1 of 3", "3 of 3"]);
});

test("SH-14 rows of one carton are one label with mixed contents and one SSCC, and are held back together", async () => {
  const { owner } = await start();
  const carton = { "PO Number": "M-1", "Carton Number": 1, "Carton Count": 2 };
  const saw = {
    "SKU / Item": "2001-7",
    "UPC / GTIN": undefined,
    Description: "Hand Saw",
    "Qty In Carton": 6,
  };
  const last = { ...carton, "Carton Number": 2 };
  const mixed = await review(owner, [carton, { ...carton, ...saw }, last]);
  expect([mixed.error_count, mixed.label_count, mixed.rows.map(({ labels }) => labels)]).toEqual([
    0,
    2,
    [1, 0, 1],
  ]);
  expect(mixed.remarks.map(({ text }) => text)).toEqual([
    "Rows 2-3 share 1 carton number: it gets one label with mixed contents and one SSCC.",
  ]);
  const file = await makeFile([carton, { ...carton, ...saw }, last]);
  const made = await owner.call(createLabels, { file });
  const upload_id = made.headers.get(DOCUMENT_OF_HEADER) ?? "";
  const read = (await owner.call(readLabelUpload, { params: { upload_id } })).json();
  expect(read).toMatchObject({ labels: { label_count: 2, orders: [{ po_number: "M-1", count: 2 }] } });
  const drawn = await owner.call(drawLabel, { params: { upload_id, seq: "1" } });
  const texts = (drawn.json() as LabelDrawing).texts.map(({ text }) => text).join("\n");
  expect(texts).toMatch(/MIXED[^]*1 of 2[^]*30/);
  expect(texts).not.toMatch(/Claw Hammer|Hand Saw/);

  const wrong = [
    carton,
    { ...carton, ...saw, Carrier: undefined },
    last,
    { ...last, ...saw, "Ship To City": "Sparks" },
  ];
  const held = await review(owner, wrong);
  expect(held.errors.map(({ cell, text }) => `${cell} ${text}`)).toEqual([
    "O2 The same carton is in row 3, which needs fixing first.",
    "H3 Carrier is missing.",
    "O4 The same carton is in row 5, which needs fixing first.",
    'D5 Rows 4-5 are both carton 2 of PO M-1, but Ship To City differs: "Reno" and "Sparks". Make them the same, or give each carton its own number.',
  ]);
  expect(held.label_count).toBe(0);
});

test("GS-15 cartons that we number wait for the wrong rows of their order, so that no number and no count is printed twice", async () => {
  const { owner } = await start();
  const wrong = { Carrier: undefined };
  const numbered = { "PO Number": "N-1", "Carton Number": 3, "Carton Count": 3 };
  const rows = [{}, wrong, {}, wrong, {}, numbered, { ...numbered, "Carton Number": 2, ...wrong }];
  const found = await review(owner, rows);
  expect(found.errors.map(({ cell, text }) => `${cell} ${text}`)).toEqual([
    ...[3, 5, 8].map((row) => `H${row} Carrier is missing.`),
    ...[2, 4, 6].map((row) => `O${row} Its cartons can't be counted until rows 3 and 5 are fixed.`),
  ]);
  expect(found.label_count).toBe(1);
  const [, single] = (await review(owner, [{ Cartons: 4 }, wrong])).errors;
  expect(single?.text).toBe("Its cartons can't be counted until row 3 is fixed.");
});

test("GS-15 a carton of several rows counts once", async () => {
  const { owner } = await start();
  const counted = { "Carton Count": 2 };
  const twice = { ...counted, "Carton Number": 1 };
  const found = await review(owner, [twice, { ...twice, "SKU / Item": "2001-7" }, counted]);
  expect([found.errors, found.label_count]).toEqual([[], 2]);
});

const PACKED = { "PO Number": "M-1", "Carton Number": 1, "Carton Count": 1, "UPC / GTIN": "061414100038" };
const SAW = { "SKU / Item": "2001-7", "UPC / GTIN": "012345678905", Description: "Hand Saw" };

const listErrors = async (browser: Browser, rows: readonly LabelCells[]) =>
  (await review(browser, rows)).errors.map(({ cell, text }) => `${cell} ${text}`);

test("SH-14 a carton of several items is refused where its label needs one item or GTIN, and its sum is measured", async () => {
  const { owner } = await start();
  const vendor = { ...PACKED, "Vendor Number": "104416" };
  const rows = [vendor, { ...vendor, ...SAW }];
  const held = "O2 The same carton is in row 3, which needs fixing first.";
  const both = "Rows 2-3 are both carton 1 of PO M-1, but";
  await setUpLabels(owner, { profile: "kroger" });
  expect(await listErrors(owner, rows)).toEqual([
    held,
    `L3 ${both} UPC / GTIN differs: "061414100038" and "012345678905". The Kroger label must have one: give each item its own carton.`,
  ]);
  const sum = [vendor, vendor].map((row) => ({ ...row, "Qty In Carton": 9_999 }));
  expect(await listErrors(owner, sum)).toEqual([
    "L2 The barcode would be 104.5 mm wide; the label has room for 101.6 mm.",
    "O3 The same carton is in row 2, which needs fixing first.",
  ]);
  await setUpLabels(owner, { profile: "home-depot-pro" });
  expect(await listErrors(owner, rows)).toEqual([
    held,
    `K3 ${both} SKU / Item differs: "1004-118" and "2001-7". The Home Depot Pro label must have one: give each item its own carton.`,
  ]);
  await setUpLabels(owner, { profile: "lowes" });
  expect(await listErrors(owner, rows)).toEqual([
    held,
    `L3 ${both} UPC / GTIN differs: "061414100038" and "012345678905". The Lowe's label has a barcode for one: give each item its own carton, or leave UPC / GTIN blank in all rows of the carton.`,
  ]);
  expect(await listErrors(owner, [vendor, { ...rows[1], "UPC / GTIN": undefined }])).toEqual([
    held,
    `L3 ${both} UPC / GTIN differs: "061414100038" and blank. The Lowe's label has a barcode for one: give each item its own carton, or leave UPC / GTIN blank in all rows of the carton.`,
  ]);
});

test("SH-14 rows of one carton have one weight: the given one, and weights that differ are refused", async () => {
  const { owner } = await start();
  const weights = [18.5, 20].map((weight) => ({ ...PACKED, "Weight (lb)": weight }));
  expect(await listErrors(owner, weights)).toEqual([
    "O2 The same carton is in row 3, which needs fixing first.",
    'AF3 Rows 2-3 are both carton 1 of PO M-1, but Weight (lb) differs: "18.5" and "20". Make them the same, or give each carton its own number.',
  ]);
  const weigh = (...each: (number | null)[]) =>
    expandRows(each.map((weight) => ({ ...SAMPLE_ROW, carton: 1, weight }))).map(({ row }) => row.weight);
  expect([weigh(null, 18.5), weigh(18.5, null), weigh(18.5, 18.5), weigh(null, null)]).toEqual([
    [18.5],
    [18.5],
    [18.5],
    [null],
  ]);
});

test("SH-14 an item in several rows of one carton stays one item with its number, and its quantities are summed", async () => {
  const { owner } = await start();
  const reviewed = await review(owner, [
    PACKED,
    { ...PACKED, "UPC / GTIN": undefined, Description: undefined },
    { ...PACKED, "Carton Number": 2, "Carton Count": 2, "PO Number": "M-2" },
    { ...PACKED, ...SAW, "Carton Number": 2, "Carton Count": 2, "PO Number": "M-2" },
  ]);
  expect(reviewed.remarks.map(({ text }) => text)).toEqual([
    "Rows 2-3 share 1 carton number: it gets one label with the sum of its quantities and one SSCC.",
    "Rows 4-5 share 1 carton number: it gets one label with mixed contents and one SSCC.",
    "PO M-2 for store 0412 has no carton 1 of 2 in this file. Check that no row is missing.",
  ]);
  const merge = (...changes: Partial<typeof SAMPLE_ROW>[]) =>
    expandRows(changes.map((change) => ({ ...SAMPLE_ROW, carton: 1, ...change }))).map(
      ({ row: { item, gtin, model, description, qty } }) => [item, gtin, model, description, qty],
    );
  const { item, gtin, model, description } = SAMPLE_ROW;
  const none = { item: "", gtin: "", model: "" };
  expect([
    merge({ description: "", gtin: "" }, { model: "" }),
    merge({}, { description: "Hammer" }),
    merge(none, { ...none, description: "Hand Saw" }),
    merge({}, { ...none, description: "Hand Saw" }),
    merge({ item: "", description: "" }, { gtin: "", description: "" }),
  ]).toEqual([
    [[item, gtin, model, description, 48]],
    [[item, gtin, model, "", 48]],
    [["MIXED", "", "", "", 48]],
    [["MIXED", "", "", "", 48]],
    [["MIXED", "", model, "", 48]],
  ]);
});

test("SH-14 cartons of one number that go to different places are different cartons", async () => {
  const { owner } = await start();
  const found = await review(owner, [PACKED, { ...PACKED, "Ship To Name": "Hearth Supply DC 14" }]);
  expect([found.errors, found.label_count]).toEqual([[], 2]);
});

test("SH-14 a gap in the carton numbers of an order is reported before and after its labels are made", async () => {
  const { owner } = await start();
  const of = (carton: number, count: number, more: LabelCells = {}): LabelCells => ({
    "Carton Number": carton,
    "Carton Count": count,
    ...more,
  });
  const rows = [of(1, 3), of(3, 3), of(1, 2, { "PO Number": "F-1" }), of(2, 2, { "PO Number": "F-1" })];
  const gap = "PO 8841203 for store 0412 has no carton 2 of 3 in this file. Check that no row is missing.";
  const found = await review(owner, [...rows, of(7, 9, { "PO Number": "L-1", "Mark For / Store": "0412" })]);
  expect(found.remarks.map(({ text }) => text)).toEqual([
    gap,
    "PO L-1 for store 0412 has no cartons 1-6 and 8-9 of 9 in this file. Check that no row is missing.",
  ]);
  const made = await owner.call(createLabels, { file: await makeFile(rows) });
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  const { labels } = (await owner.call(readLabelUpload, { params })).json() as {
    labels: { label_count: number; remarks: { text: string }[] };
  };
  expect([labels.label_count, labels.remarks.map(({ text }) => text)]).toEqual([4, [gap]]);
});

test("a correction of a field that labels do not have, and an invalid form, are refused", async () => {
  const { owner } = await start();
  const file = await makeFile(BAD);
  for (const [json, code] of [
    [{ cells: [{ row: 2, field: "invoice", value: "x" }] }, "field_unknown"],
    [{ cells: [{ row: 0, field: "carrier", value: "x" }] }, "invalid_request"],
    [{ cells: [{ row: 2, field: "carrier", value: "x".repeat(1_000_000) }] }, "invalid_request"],
  ] as const) {
    const reply = await owner.call(reviewLabels, { file, json });
    expect([reply.status, expectProblem(reply.headers, reply.text).code]).toEqual([400, code]);
  }
});

test("cartons of one purchase order for two ship-tos are numbered apart where no store is named", () => {
  const row = { ...SAMPLE_ROW, markFor: "", carton: null, cartonCount: null };
  const cartons = expandRows([
    { ...row, cartons: 2 },
    { ...row, cartons: 1, shipToName: "Harbor Stores 2", postalCode: "85719" },
  ]);
  expect(cartons.map(({ carton, cartonCount }) => [carton, cartonCount])).toEqual([
    [1, 2],
    [2, 2],
    [1, 1],
  ]);
});
