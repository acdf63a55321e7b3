import { describe, expect, test } from "vitest";
import { FileRefused } from "#formats/facts.ts";
import { layoutColumnKey } from "#formats/table/layouts.ts";
import { ACME, planInvoices } from "#features/invoices/fixtures/plan-rows.ts";
import type { Plan } from "#features/invoices/plan/rules.ts";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { run as extractRows } from "#features/invoices/workbook/extract-problem-rows.ts";
import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns, openFile, type InspectedSheet } from "#features/sheets/reading.ts";
import { totalWith } from "#features/sheets/web/rules-answers.ts";
import { findBilled } from "#features/sheets/web/rules-row-marks.ts";
import { acceptPage } from "../../../../test/corpus/accept-page.ts";
import { createRandom } from "../../../../test/corpus/random.ts";
import { makeLayoutSheet } from "../../../../test/corpus/layout-sheets.ts";

type Sheet = ReturnType<typeof makeLayoutSheet>;

const ask = ({ fileName, bytes }: Sheet, chosen: ReadonlyMap<string, string> = new Map()): InspectedSheet =>
  inspectColumns(invoiceSheet, bytes, { fileName, chosen });

const readMeanings = ({ columns }: InspectedSheet) => columns.map(({ field, guess }) => field ?? guess ?? "");

const entry = (name: string, id: number) => ({ id: String(id), name, fullName: name, active: true });
const CUSTOMERS = ["Cool Cars", "Red Rock Diner", "Mark Cho", "Oak Anchor"].map(entry);
const ITEMS = ["Claw Hammer", "Tape Measure", "Work Gloves", "Wood Glue", "Design work"];

function plan(
  { bytes, fileName }: { bytes: Uint8Array; fileName: string },
  answers: ReadonlyMap<string, string>,
): Plan {
  const table = findTable(openFile(bytes, fileName), answers);
  const items = [...ITEMS, ...table.columns.map(({ header }) => header)];
  const lists = {
    ...ACME,
    allowed: { discount: true, shipping: true, deposit: true },
    customers: CUSTOMERS,
    items: items.map((name, id) => ({ ...entry(name, id), type: "Service" })),
  };
  return planInvoices(table, lists);
}

const outcome = ({ invoices }: Plan) => ({
  cents: invoices.reduce((sum, { amountCents, draft }) => sum + ((draft && amountCents) ?? 0), 0),
  // One whose state says so is held back as it should be.
  held: invoices.flatMap(({ docNumber, draft, problems }) =>
    draft || problems.some(({ field }) => field === "documentStatus")
      ? []
      : [`${docNumber} ${problems.map(({ code, field }) => `${field} ${code}`).join()}`],
  ),
});

const refusal = (read: () => unknown): string => {
  try {
    read();
    return "";
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return error.code;
  }
};

describe.each(layouts.map(({ name, title }) => [name, title] as const))("%s", (name, title) => {
  test("SH-08 an export of thirty rows is recognized, asked about once, and posts its right total", () => {
    const sheet = makeLayoutSheet(name);
    expect(sheet.rows).toBe(30);
    const seen = ask(sheet);
    expect(seen.layout?.title).toBe(title);
    // With a field of two columns, the page can't be saved.
    const fields = seen.columns.flatMap(({ field }) => (field === null || field === "ignore" ? [] : [field]));
    expect(fields).toEqual([...new Set(fields)]);
    expect(refusal(() => plan(sheet, new Map()))).toMatch(/layout_unconfirmed|columns_missing/);
    // A user sees before continuing how much is posted.
    const total = totalWith(seen, readMeanings(seen), findBilled(seen.row_marks, new Map()));
    expect(total?.cents).toBe(sheet.cents);
    expect(outcome(plan(sheet, acceptPage(seen)))).toEqual({ cents: sheet.cents, held: [] });
  });

  test("SH-08 UP-53 its problem rows are read as the same export, and bill the same", async () => {
    const sheet = makeLayoutSheet(name);
    const answers = acceptPage(ask(sheet));
    const planned = plan(sheet, answers);
    const billed = planned.invoices.flatMap(({ rows }) => rows);
    const reasons = billed.map((row) => ({ row, reason: "Why." }));
    const bytes = await extractRows(sheet.bytes, { fileName: sheet.fileName, reasons, chosen: answers });
    expect(outcome(plan({ bytes, fileName: "problem rows.xlsx" }, answers))).toEqual(outcome(planned));
  });

  test("SH-09 with a tenth of its headers renamed or missing it posts its right total, or asks", () => {
    const random = createRandom(name.length);
    const silent: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { headers } = makeLayoutSheet(name);
      const lost = new Map<string, string | null>();
      while (lost.size < Math.ceil(headers.length / 10)) {
        const header = random.pick(headers);
        // Without its states and its money, a file doesn't say what is billed.
        const decides = /status|^event type|^billable|price|discount|amount|shipping|rate|cost/i.test(header);
        lost.set(header, random.chance(0.5) && !decides ? null : `My ${lost.size}`);
      }
      const sheet = makeLayoutSheet(name, (header) =>
        lost.has(header) ? (lost.get(header) ?? null) : header,
      );
      const found = tryAll(sheet);
      if (found !== null) silent.push(`${[...lost].join(" ")}: ${found}`);
    }
    expect(silent).toEqual([]);
  });
});

test("SH-08 UP-53 a correction of a column that an export's layout forms of others is kept in the problem rows, and one of its parts counts there", async () => {
  const sheet = makeLayoutSheet("woocommerce");
  const answers = acceptPage(ask(sheet));
  const bytes = await extractRows(sheet.bytes, {
    fileName: sheet.fileName,
    reasons: { all: "Why." },
    chosen: answers,
    corrections: [{ row: 2, field: "customer", value: "Mark Cho" }],
  });
  const customers = (file: Uint8Array) =>
    plan({ bytes: file, fileName: "problem rows.xlsx" }, answers).invoices.map(
      ({ customerName }) => customerName,
    );
  const [, ...others] = plan(sheet, answers).invoices.map(({ customerName }) => customerName);
  expect(customers(bytes)).toEqual(["Mark Cho", ...others]);
  const [first] = openFile(bytes).sheets;
  if (!first) throw new Error("The workbook has no sheet.");
  const headers = first.rows[0]?.cells.map(String) ?? [];
  const renamed = first.rows.map(({ cells }, at) =>
    cells.map((cell, index) => {
      const part = headers[index];
      if (at !== 3 || (part !== "First Name (Billing)" && part !== "Last Name (Billing)"))
        return typeof cell === "object" ? null : cell;
      return part.startsWith("First") ? "Oak" : "Anchor";
    }),
  );
  const changed = buildXlsx({ sheets: [{ name: "Invoices", rows: renamed }] });
  expect([customers(changed)[0], customers(changed).includes("Oak Anchor")]).toEqual(["Mark Cho", true]);
});

test("SH-08 whether a discount of an export is of the line follows from the columns that a user chose as price and amount", () => {
  const rows = [
    "Client Name,Invoice #,Date Issued,Invoice Status,Date Paid,Item Name,Item Description,Rate,Quantity,Discount Percentage,Line Subtotal,Tax 1 Type,Tax 1 Amount,Line Total,Currency",
    "Cool Cars,FB-1,2026-11-02,sent,,Claw Hammer,,100,1,10,90,,,100,USD",
    "Cool Cars,FB-1,,,,Tape Measure,,50,1,10,45,,,50,USD",
  ];
  const sheet = { fileName: "details.csv", bytes: Buffer.from(rows.join("\n")) };
  const meaning = (chosen: [string, string][]) =>
    inspectColumns(invoiceSheet, sheet.bytes, {
      fileName: sheet.fileName,
      chosen: new Map(chosen),
    }).columns.find(({ header }) => header === "Discount Percentage")?.field;
  expect(meaning([])).toBe("lineDiscountPercent");
  const chosen: [string, string][] = [
    [layoutColumnKey("freshbooks", "Line Subtotal"), "ignore"],
    [layoutColumnKey("freshbooks", "Line Total"), "amount"],
  ];
  expect(meaning(chosen)).toBe("discountPercent");
});

/** The wrong total of a sheet that nothing was said about; null if it is right, or something is asked. */
function tryAll(sheet: Sheet): string | null {
  const seen = ask(sheet);
  const answers = acceptPage(seen);
  const isAsked =
    seen.columns.some(({ reason }) => reason !== null) ||
    seen.row_marks.some(({ values }) => values.some(({ guess }) => guess === null));
  if (isAsked || refusal(() => plan(sheet, answers)) !== "") return null;
  const planned = plan(sheet, answers);
  const { cents, held } = outcome(planned);
  const isSaid = planned.notes.some(({ code }) => code === "money_ignored");
  return held.length > 0 || isSaid || cents === sheet.cents ? null : `${cents} for ${sheet.cents}`;
}
