import { expect, test } from "vitest";
import { readRow } from "#formats/table/cells.ts";
import { findTable } from "#formats/table/columns.ts";
import { defineSheet } from "#formats/table/define-sheet.ts";
import { checkRepeated, groupTable, warnScatteredRows } from "#formats/table/records.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { auditBy } from "#features/audit/index.ts";
import * as invoices from "#features/invoices/workbook/contract.ts";
import { chooseColumns, chooseDateOrder } from "#features/sheets/save-choices.ts";
import { findColumnChoices, findDateOrder, listColumnChoices } from "#features/sheets/store.ts";
import {
  extractRows,
  inspectColumns,
  inspectSheet,
  openFile,
  problemSentence,
  withPlace,
  warnOldTemplate,
  writeTemplate,
} from "#features/sheets/reading.ts";
import { FileRefused } from "#formats/facts.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";

/** Everything a second kind of sheet needs. */
const cartonSheet = defineSheet({
  kind: "cartons",
  words: { record: "carton", records: "cartons", receiver: "the carrier" },
  fields: {
    po: { header: "PO", type: "code", max: 22, required: true, synonyms: "ponumber purchaseorder" },
    cartons: { header: "Cartons", type: "decimal", required: true, synonyms: "boxes cartoncount" },
    weight: { header: "Weight", type: "decimal", required: { unless: ["netWeight", "tare"] } },
    netWeight: { header: "Net Weight", type: "decimal" },
    tare: { header: "Tare", type: "decimal" },
    shipDate: { header: "Ship Date", type: "date" },
  },
  neverTotal: "po",
  template: { version: "1", rules: ["One row is one purchase order."] },
  samples: { field: "po", value: "SAMPLE", rows: [{ cartons: 3, weight: 12.5 }] },
});

const CSV = (...lines: string[]) => new TextEncoder().encode(lines.join("\n"));
const FILE = CSV("Order,Boxes,Weight,Ship Date", "0042,3,12.5,03/04/2026", "0043,many,7,05/06/2026");
const fileName = "cartons.csv";
const by = "owner@acme.example";

test("a second kind of sheet needs only its description to be read, matched and saved, without effect on invoices", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const actor = { userId: null, realmId: ACME, requestId: "test" };
  const ctx = { ...app.application.invoices, ...auditBy(app.application.ctx, actor) };
  const own = { realmId: ACME, kind: cartonSheet.kind };
  const inspect = async () =>
    inspectSheet(cartonSheet, FILE, {
      fileName,
      chosen: await findColumnChoices(ctx.db, own),
      dateOrder: await findDateOrder(ctx.db, own),
    });

  await expect(inspect()).rejects.toMatchObject({ code: "columns_missing", params: { missing: ["po"] } });
  const seen = inspectColumns(cartonSheet, FILE, { fileName, chosen: new Map() });
  expect(seen.columns.map(({ header, field }) => [header, field])).toEqual([
    ["Order", null],
    ["Boxes", "cartons"],
    ["Weight", "weight"],
    ["Ship Date", "shipDate"],
  ]);

  await expect(
    chooseColumns(
      ctx,
      { realmId: ACME, by },
      { sheet: cartonSheet, columns: [{ header: "Order", field: "customer" }], sheets: [], values: [] },
    ),
  ).rejects.toThrow('"customer" isn\'t a field of a carton. Choose one from the list.');
  await chooseColumns(
    ctx,
    { realmId: ACME, by },
    { sheet: cartonSheet, columns: [{ header: "Order", field: "po" }], sheets: [], values: [] },
  );
  await expect(inspect()).rejects.toMatchObject({
    code: "date_order_unclear",
    params: { mdy: "2026-03-04", dmy: "2026-04-03" },
  });
  await chooseDateOrder(ctx, { realmId: ACME, by }, { sheet: cartonSheet, order: "dmy" });
  expect(await inspect()).toEqual({ dataRows: 2 });

  expect(await listColumnChoices(ctx.db, ACME, cartonSheet)).toEqual({
    columns: [{ header: "Order", field: "po", means: "PO" }],
    row_marks: [],
    layouts: [],
    sheets: [],
    values: [],
  });
  const query = { realm_id: ACME };
  expect((await owner.call(invoices.listColumnChoices, { query })).json()).toEqual({
    columns: [],
    row_marks: [],
    layouts: [],
    sheets: [],
    values: [],
  });
  expect((await owner.call(invoices.readDateOrder, { query })).json()).toEqual({ order: null });
});

test("a problem is stored as facts, and its sentence uses the sheet's own receiver and headers", () => {
  const chosen = new Map([["order", "po"]]);
  const table = findTable(cartonSheet, openFile(FILE, fileName), chosen);
  const problems: Parameters<typeof readRow>[2]["problems"] = [];
  const rules = { orders: new Map([["shipDate", "dmy"] as const]), latinOnly: false };
  const rows = table.rows.map((row) => readRow(table, row, { rules, problems }));
  expect(rows.map(({ cells }) => [cells.get("po")?.value, cells.get("shipDate")?.value])).toEqual([
    ["0042", "2026-04-03"],
    ["0043", "2026-06-05"],
  ]);
  expect(problems).toEqual([
    {
      code: "not_a_number",
      severity: "error",
      field: "cartons",
      row: 3,
      column: 1,
      value: "many",
      params: { hint: "plain" },
    },
  ]);
  expect(problems.map((problem) => withPlace(problem, problemSentence(cartonSheet, problem) ?? ""))).toEqual([
    "B3: Enter a number.",
  ]);
});

test("a problem workbook of any kind has its rows and their reasons", async () => {
  const chosen = new Map([["order", "po"]]);
  const reasons = [{ row: 3, reason: "Cartons isn't a number.", field: "cartons" }];
  const [sheet] = openFile(
    await extractRows(cartonSheet, FILE, { fileName: "cartons.csv", reasons, chosen }),
  ).sheets;
  expect([sheet?.name, sheet?.rows.map(({ cells }) => cells)]).toEqual([
    "Cartons",
    [
      ["Order", "Boxes", "Weight", "Ship Date", "Row in cartons.csv", "Reason"],
      ["0043", "many", "7", "05/06/2026", 3, "Cartons isn't a number."],
    ],
  ]);
});

test.each([
  ["PO,Cartons,Net Weight,Tare", true],
  ["PO,Cartons,Net Weight", false],
])("columns that together replace a required one make a file of %s complete: %s", (headers, isComplete) => {
  const bytes = CSV(headers, "1,2,3,4");
  const inspect = () => inspectSheet(cartonSheet, bytes, { fileName, chosen: new Map(), dateOrder: null });
  if (isComplete) expect(inspect()).toEqual({ dataRows: 1 });
  else
    expect(inspect).toThrow(
      new FileRefused("columns_missing", { sheet: "CSV", row: 1, missing: ["tare weight"] }),
    );
});

test("the template of any kind has headers, sample rows and explanations, and is recognized when read back", async () => {
  const lists = [{ field: "po", title: "Orders", names: ["0042", "0043"] }];
  const bytes = await writeTemplate(cartonSheet, { company: "Acme Tools", day: "2026-11-20", lists });
  const [sheet, explanations] = openFile(bytes).sheets;
  expect([sheet?.name, sheet?.rows.map(({ cells }) => cells)]).toEqual([
    "Cartons",
    [
      ["PO", "Cartons", "Weight", "Net Weight", "Tare", "Ship Date"],
      ["SAMPLE", 3, 12.5],
    ],
  ]);
  expect(explanations?.rows.map(({ cells }) => cells[2])).toContain("One row is one purchase order.");
  expect(
    inspectSheet(cartonSheet, bytes, { fileName: "t.xlsx", chosen: new Map(), dateOrder: null }),
  ).toEqual({
    dataRows: 0,
  });
  const filled = CSV("PO,Cartons,Weight", "1,2,3");
  const table = findTable(cartonSheet, openFile(filled), new Map());
  const names = readWorkbook(bytes).names;
  const remark = (offered: typeof lists) =>
    warnOldTemplate(table, { names, company: "Acme Tools", lists: offered })?.code;
  expect([remark(lists), remark([])]).toEqual([undefined, "template_lists_old"]);
});

test("rows of another kind are grouped by its own key, and differences are reported in its own words", () => {
  const orderSheet = defineSheet({
    kind: "orders",
    words: { record: "order", records: "orders", key: "PO", receiver: "the retailer" },
    fields: {
      po: { header: "PO", type: "code", level: "key", required: true },
      group: { header: "Group", type: "code", level: "key" },
      store: { header: "Store", type: "text" },
      cartons: { header: "Cartons", type: "decimal", level: "row" },
    },
    grouping: {
      key: "po",
      fallbackKey: "group",
      starts: ["store"],
      alike: (text) => text.toLowerCase(),
    },
    template: { version: "1", rules: [] },
  });
  const file = CSV("PO,Store,Cartons", "7,North,1", "8,South,2", "7,East,3", ",West,4", ",WEST,5");
  const table = findTable(orderSheet, openFile(file, "orders.csv"), new Map());
  const rules = { orders: new Map(), latinOnly: false };
  const groups = groupTable(table, rules);
  expect(groups.map(({ name, rows }) => [name, rows])).toEqual([
    ["7", [2, 4]],
    ["8", [3]],
    [null, [5, 6]],
  ]);
  const rows = table.rows
    .filter(({ number }) => groups[0]?.rows.includes(number))
    .map((row) => readRow(table, row, { rules, problems: [] }));
  const group = { key: "number:7", name: "7", rows };
  const found = [
    ...checkRepeated(table, group, "store"),
    ...warnScatteredRows(table, group, new Map([[4, 3]])),
  ];
  expect(found.map((problem) => withPlace(problem, problemSentence(orderSheet, problem)))).toEqual([
    "B4: Order 7 has two stores: North and East.",
    "A4: Order 7 continues here after rows of other orders. Its lines (rows 2 and 4) are combined.",
  ]);
});
