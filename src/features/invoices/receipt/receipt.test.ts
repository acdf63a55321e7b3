import { sql } from "kysely";
import { expect, test } from "vitest";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { checkInvoices, type UploadCheck } from "#features/invoices/check/contract.ts";
import { listUploadResults, postInvoices } from "#features/invoices/contract.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { untilCheck } from "../../../../test/support/checks.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY, liftLimits } from "../../../../test/support/intuit.ts";
import { finishRun, startRun } from "../../../../test/support/ledger.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import {
  HEADERS,
  invoiceLine,
  type InvoiceRow,
  invoiceWorkbook,
} from "../../../../test/support/workbooks.ts";

async function openDesk() {
  const app = await startApp({ clock: steppedClock() });
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const upload = async (rows: readonly InvoiceRow[]) => {
    const file = { name: "mixed.xlsx", bytes: await invoiceWorkbook(rows) };
    expect((await browser.call(postInvoices, { query: { realm_id: ACME }, file })).status).toBe(202);
    return (await settledUploads(browser, ACME)).uploads[0]?.id ?? "";
  };
  return { app, browser, upload };
}

async function fetchReceipt(
  browser: Browser,
  id: string,
  page: Record<string, string> = {},
): Promise<Receipt> {
  const query = { realm_id: ACME, ...page };
  const reply = await browser.call(readReceipt, { query, params: { upload_id: id } });
  expect([reply.status, reply.status === 200 ? "" : reply.text]).toEqual([200, ""]);
  return reply.json() as Receipt;
}

test("a receipt accounts for every invoice and cent of a mixed file, and for the amounts that QuickBooks returned", async () => {
  const { app, browser, upload } = await openDesk();
  const rows = [
    invoiceLine("M-1"),
    invoiceLine("M-2", { Customer: "Cool Carz" }),
    invoiceLine("M-3", { Amount: 40 }),
    invoiceLine("M-4", { Amount: "a lot" }),
    invoiceLine("M-1", { Item: "Delivery", Qty: 1, Rate: 25, Amount: 25 }),
    invoiceLine("M-5", { "Due Date": "2026-12-02" }),
  ];
  const id = await upload(rows);
  const receipt = await fetchReceipt(browser, id);
  const [made] = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "M-1");
  expect(receipt).toMatchObject({
    upload_id: id,
    filename: "mixed.xlsx",
    company: "Acme Tools",
    uploaded_by: "Olive Owner",
    read: { invoices: 5, amount: "144.70" },
    posted: { invoices: 2, amount: "104.80" },
    rejected: { invoices: 3, amount: "39.90" },
    skipped: { invoices: 0, amount: "0.00" },
    unreadable_amounts: 2,
    books: { invoices: 2, amount: "104.80", tax: "0.00", total: "104.80" },
    difference: "0.00",
    agrees: true,
    flag_count: 0,
    flags: [],
    next: null,
  });
  expect(receipt.invoices).toHaveLength(5);
  expect(receipt.invoices[0]).toEqual({
    rows: "2 and 6",
    doc_number: "M-1",
    intuit_tid: null,
    qbo_doc_number: "M-1",
    customer: "Cool Cars",
    date: "2026-11-02",
    // As QuickBooks worked it out.
    due_date: "2026-12-02",
    is_due_derived: true,
    lines: 2,
    amount: "64.90",
    currency: "USD",
    qbo_total: made?.TotalAmt.toFixed(2),
    qbo_tax: "0.00",
    link: `${app.intuit.url}/qbo/${ACME}#invoice-${made?.Id}`,
    state: "posted",
    is_unanswered: false,
    sentence: "",
  });
  expect(receipt.invoices[1]).toMatchObject({
    doc_number: "M-2",
    date: null,
    due_date: null,
    lines: 1,
    state: "rejected",
    // An answer to which customer is meant settles it.
    is_unanswered: true,
    link: null,
    qbo_total: null,
    sentence: expect.stringContaining("Cool Carz"),
  });

  const again = await fetchReceipt(browser, await upload(rows));
  expect(again).toMatchObject({
    read: { invoices: 5 },
    posted: { invoices: 0, amount: "0.00" },
    skipped: { invoices: 2, amount: "104.80" },
    agrees: true,
  });

  const undo = { query: { realm_id: ACME }, params: { upload_id: id }, json: { action: "delete" } };
  await browser.call(startUndo, undo);
  await settledUploads(browser, ACME);
  expect(await fetchReceipt(browser, id)).toMatchObject({
    posted: { invoices: 0 },
    undone: { invoices: 2, amount: "104.80" },
    agrees: true,
    invoices: expect.arrayContaining([
      expect.objectContaining({
        doc_number: "M-5",
        date: "2026-11-02",
        due_date: "2026-12-02",
        state: "undone",
        link: null,
        // It is no longer in the books.
        qbo_total: null,
        qbo_tax: null,
        sentence: expect.stringMatching(/^Undone: invoice M-5 was deleted in QuickBooks on /),
      }),
    ]),
  });

  // If an upload's user is no longer known, the email that it was sent with is shown.
  await sql`update upload set uploaded_by_id = null`.execute(app.db);
  expect(await fetchReceipt(browser, id)).toMatchObject({ uploaded_by: "owner@acme.example" });
});

test("tax in the file is compared with what QuickBooks computed, and the receipt reports no match if it differs", async () => {
  const { app, browser } = await openDesk();
  const preferences = { TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: true } };
  await app.intuit.control(`companies/${ACME}`, { preferences, taxPercent: 8 }, "PATCH");
  const post = async (number: string, tax: string) => {
    const text = `Invoice No,Customer,Invoice Date,Item,Qty,Rate,Taxable,Sales Tax\n${number},Cool Cars,2026-11-02,Claw Hammer,2,19.95,Y,${tax}\n`;
    const file = { name: `${number}.csv`, bytes: Buffer.from(text) };
    expect((await browser.call(postInvoices, { query: { realm_id: ACME }, file })).status).toBe(202);
    return fetchReceipt(browser, (await settledUploads(browser, ACME)).uploads[0]?.id ?? "");
  };
  expect(await post("T-1", "3.19")).toMatchObject({
    tax_in_file: { amount: "3.19", computed: "3.19" },
    difference: "0.00",
    agrees: true,
  });
  expect(await post("T-2", "3.29")).toMatchObject({
    tax_in_file: { amount: "3.29", computed: "3.19" },
    difference: "0.00",
    agrees: false,
  });
});

test("SH-13 tax in the file and none in the books is reported in the check and in the results; tax that QuickBooks computes is not a warning", async () => {
  const { app, browser } = await openDesk();
  const check = async (taxable: string, ...more: string[]) => {
    const bytes = Buffer.from(
      `Invoice No,Customer,Invoice Date,Item,Qty,Rate,Taxable,Sales Tax\nT-1,Cool Cars,2026-11-02,Claw Hammer,2,19.95,${taxable},3.19\n${more.join("\n")}`,
    );
    const file = { name: "tax.csv", bytes };
    const { id } = (
      await browser.call(checkInvoices, { query: { realm_id: ACME }, file })
    ).json() as UploadCheck;
    const { report } = await untilCheck(browser, ACME, { id, state: "checked" });
    return { file, texts: report?.problems.map(({ code, text }) => `${code}: ${text}`) };
  };
  const off =
    'tax_not_billed: The file has $3.19 in sales tax in column "Sales Tax", and none of it will be in QuickBooks: sales tax is turned off there (Taxes).';
  expect((await check("Y")).texts).toEqual([off]);
  const preferences = { TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: true } };
  await app.intuit.control(`companies/${ACME}`, { preferences, taxPercent: 8 }, "PATCH");
  const { file, texts } = await check("");
  const said =
    'The file has $3.19 in sales tax in column "Sales Tax", and none of it will be in QuickBooks: we don\'t send tax, and no row is marked taxable. To have QuickBooks compute it, add a column Taxable with Y.';
  expect(texts).toEqual([`tax_not_billed: ${said}`]);
  expect((await check("Y")).texts).toEqual([
    "tax_computed: The file's sales tax ($3.19) isn't sent: QuickBooks computes its own, and the receipt compares both.",
  ]);
  const untaxed = "T-2,Cool Cars,2026-11-02,Claw Hammer,1,19.95,,1.60";
  expect((await check("Y", untaxed)).texts).toEqual([
    "tax_not_billed: $1.60 of the file's $4.79 in sales tax in column \"Sales Tax\" won't be in QuickBooks: we don't send tax, and those invoices have no row marked taxable. To have QuickBooks compute it, put Y in column Taxable. QuickBooks computes tax for the other invoices itself, and the receipt compares both.",
  ]);
  expect((await check("Y", untaxed.replace("1.60", "-1.60"))).texts).toEqual([
    "tax_computed: The file's sales tax ($3.19) isn't sent: QuickBooks computes its own, and the receipt compares both.",
  ]);

  await browser.call(postInvoices, { query: { realm_id: ACME }, file });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results.map(({ message }) => message)).toContainEqual(expect.stringContaining(said));
  expect(await fetchReceipt(browser, upload?.id ?? "")).toMatchObject({
    tax_in_file: { amount: "3.19", computed: "0.00" },
    agrees: false,
  });
});

test("another sheet of invoices that wasn't read is named, and keeps the receipt from reporting a match", async () => {
  const { browser } = await openDesk();
  const sheet = (name: string, more: readonly string[]) => ({
    name,
    columns: [...HEADERS, ...more].map((header) => ({ header })),
    rows: [[...HEADERS.map((header) => invoiceLine(name)[header] as string | number), ...more.map(() => 4)]],
  });
  const bytes = await writeWorkbook([sheet("Oct", []), sheet("Nov", ["Shipping"])]);
  const file = { name: "months.xlsx", bytes };
  expect((await browser.call(postInvoices, { query: { realm_id: ACME }, file })).status).toBe(202);
  const id = (await settledUploads(browser, ACME)).uploads[0]?.id ?? "";
  expect(await fetchReceipt(browser, id)).toMatchObject({
    posted: { invoices: 1 },
    unread_sheets: ["Nov"],
    agrees: false,
  });
});

test("rows of the file that are in no ledger invoice are reported, and keep the receipt from reporting a match", async () => {
  const { app, browser, upload } = await openDesk();
  const id = await upload([invoiceLine("L-1"), invoiceLine("L-2"), invoiceLine("L-3")]);
  expect(await fetchReceipt(browser, id)).toMatchObject({ missing_rows: 0, agrees: true });
  await sql`delete from upload_invoice where doc_number = 'L-2'`.execute(app.db);
  expect(await fetchReceipt(browser, id)).toMatchObject({
    read: { invoices: 2 },
    difference: "0.00",
    missing_rows: 1,
    agrees: false,
  });
});

test("a money column that a user ignored is named with its sum and its user, and keeps the receipt from reporting a match", async () => {
  const { browser } = await openDesk();
  const query = { realm_id: ACME };
  const headers = [...HEADERS, "Tip"];
  const values = { ...invoiceLine("IG-1"), Tip: 12.5 };
  const cells = headers.map((header) => values[header as keyof typeof values] as string | number);
  const columns = headers.map((header) => ({ header }));
  const bytes = await writeWorkbook([{ name: "Invoices", columns, rows: [cells] }]);
  const file = { name: "tips.xlsx", bytes };
  const refused = await browser.call(postInvoices, { query, file });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("sum 12.50) may change what you bill."),
  ]);
  const choice = { columns: [{ header: "Tip", field: "ignore" }] };
  expect((await browser.call(chooseColumns, { query, json: choice })).status).toBe(200);
  expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  const id = (await settledUploads(browser, ACME)).uploads[0]?.id ?? "";
  expect(await fetchReceipt(browser, id)).toMatchObject({
    posted: { invoices: 1, amount: "39.90" },
    difference: "0.00",
    ignored: [{ header: "Tip", sum: "12.50", by: expect.stringContaining("@"), day: expect.any(String) }],
    agrees: false,
  });
});

test("tax that QuickBooks adds is shown separately and is not a difference", async () => {
  const { app, browser } = await openDesk();
  const taxed = {
    preferences: { TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: true } },
    taxPercent: 8,
  };
  await app.intuit.control(`companies/${ACME}`, taxed, "PATCH");
  const headers = [...HEADERS, "Taxable"];
  const values: InvoiceRow & { Taxable: string } = { ...invoiceLine("TX-1"), Taxable: "Yes" };
  const cells = headers.map((header) => values[header as keyof typeof values] as string | number);
  const columns = headers.map((header) => ({ header }));
  const bytes = await writeWorkbook([{ name: "Invoices", columns, rows: [cells] }]);
  const file = { name: "taxed.xlsx", bytes };
  await browser.call(postInvoices, { query: { realm_id: ACME }, file });
  const id = (await settledUploads(browser, ACME)).uploads[0]?.id ?? "";
  expect(await fetchReceipt(browser, id)).toMatchObject({
    posted: { invoices: 1, amount: "39.90" },
    books: { amount: "39.90", tax: "3.19", total: "43.09" },
    difference: "0.00",
    agrees: true,
    flag_count: 0,
    invoices: [{ amount: "39.90", qbo_tax: "3.19", qbo_total: "43.09" }],
  });
});

test("rates that QuickBooks changes on 3 of 1,000 invoices are the receipt's three flags, with both values", async () => {
  const { app, browser, upload } = await openDesk();
  await app.intuit.control("faults", [
    { fault: "altered_rate", match: { operation: "batch.item" }, everyN: 300, count: 3 },
  ]);
  const id = await upload(Array.from({ length: 1_000 }, (_, index) => invoiceLine(`R-${index + 1}`)));
  const receipt = await fetchReceipt(browser, id, { limit: "400" });
  const altered = (await app.intuit.invoices(ACME)).filter(
    ({ TotalAmt, DocNumber }) => DocNumber?.startsWith("R-") && TotalAmt !== 39.9,
  );
  expect(altered).toHaveLength(3);
  expect(receipt).toMatchObject({
    posted: { invoices: 1_000, amount: "39900.00" },
    books: { invoices: 1_000, amount: "39900.06" },
    difference: "0.06",
    agrees: false,
    flag_count: 3,
  });
  expect(new Set(receipt.flags.map(({ doc_number }) => doc_number))).toEqual(
    new Set(altered.map(({ DocNumber }) => DocNumber)),
  );
  for (const flag of receipt.flags) {
    expect(flag.differences).toEqual([
      { field: "total", line: null, sent: "39.90", answered: "39.92" },
      { field: "rate", line: 1, sent: "19.95", answered: "19.96" },
      { field: "amount", line: 1, sent: "39.90", answered: "39.92" },
    ]);
    expect(flag.sentence).toBe(
      "QuickBooks stored a different value than we sent: total 39.92 instead of 39.90; rate of line 1 19.96 instead of 19.95; amount of line 1 39.92 instead of 39.90.",
    );
  }

  const numbers: (string | null)[] = [];
  let page = receipt;
  for (;;) {
    numbers.push(...page.invoices.map(({ doc_number }) => doc_number));
    if (page.next === null) break;
    page = await fetchReceipt(browser, id, { limit: "400", after: String(page.next) });
  }
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => `R-${index + 1}`));
});

test("a receipt lists only what is in QuickBooks, only what is not, or what has a text in its customer or number, page by page, with overall totals", async () => {
  const { browser, upload } = await openDesk();
  const id = await upload([
    ...["P-1", "P-2", "P-3"].map((number) => invoiceLine(number)),
    invoiceLine("P-4", { Customer: "Red Rock Diner" }),
    invoiceLine("N_1", { Customer: "Cool Carz" }),
    invoiceLine("N-2", { Amount: "a lot" }),
  ]);
  const listed = async (asked: Record<string, string>) => {
    const { invoices, read, next } = await fetchReceipt(browser, id, asked);
    expect(read.invoices).toBe(6);
    return { numbers: invoices.map(({ doc_number }) => doc_number), next };
  };
  expect(await listed({ filter: "posted" })).toEqual({ numbers: ["P-1", "P-2", "P-3", "P-4"], next: null });
  expect(await listed({ filter: "not_posted" })).toEqual({ numbers: ["N_1", "N-2"], next: null });
  expect(await listed({ search: "red rock" })).toEqual({ numbers: ["P-4"], next: null });
  expect(await listed({ search: "n_" })).toEqual({ numbers: ["N_1"], next: null });
  expect(await listed({ search: "p-", filter: "not_posted" })).toEqual({ numbers: [], next: null });
  const first = await listed({ filter: "posted", limit: "3" });
  expect(first.numbers).toEqual(["P-1", "P-2", "P-3"]);
  expect(await listed({ filter: "posted", limit: "3", after: String(first.next) })).toEqual({
    numbers: ["P-4"],
    next: null,
  });
});

test("another company's receipt is not found, for any user", async () => {
  const { app, upload } = await openDesk();
  const params = { upload_id: await upload([invoiceLine("X-1")]) };
  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await other.call(readReceipt, { params, query: { realm_id: BAY } })).status).toBe(404);
  expect((await other.call(readReceipt, { params, query: { realm_id: ACME } })).status).toBe(403);
});

const CREATE = { operation: "invoice.create" };
const FAILED = { fault: "code", code: "10000", match: CREATE };
const ENDED = { fault: "code", code: "6190", detail: "ended", match: { operation: "query" } };

test.each([
  {
    name: "a refusal",
    faults: [{ fault: "code", code: "5020", match: CREATE, count: 1 }],
    state: "rejected",
    statement: "QuickBooks rejected invoice T-1",
  },
  { name: "doubt to the end", faults: [FAILED], state: "unresolved", statement: "gave no clear answer" },
  {
    name: "doubt when the upload stops",
    faults: [{ ...FAILED, count: 1 }],
    later: [ENDED],
    state: "unresolved",
    statement: "gave no clear answer before the upload stopped",
  },
  {
    name: "the end of all work for the company",
    faults: [{ ...ENDED, match: CREATE }],
    state: "stopped",
    statement: "subscription has ended",
  },
])(
  "a problem that QuickBooks reported names Intuit's id of the last exchange, in the results and on the receipt ($name)",
  async ({ faults, later = [], state, statement }) => {
    const clock = steppedClock();
    const app = await startApp({ clock, worker: false });
    const browser = await app.owner(ACME);
    await app.intuit.control("faults", faults);
    const accepted = await uploadRows(browser, ACME, [invoiceLine("T-1")]);
    const { id } = accepted.json() as { id: string };
    const { afterMs } = await startRun(app, id);
    await app.intuit.control("faults", later);
    if (afterMs !== null) {
      clock.advance(afterMs);
      await finishRun(app, id, { clock });
    }
    const { entries } = await app.intuit.control<{ entries: { tid: string }[] }>(
      "journal?operation=invoice.create",
    );
    const tid = entries.at(-1)?.tid;
    expect(tid).toMatch(/^1-/);
    const message = expect.stringContaining(statement);
    const results = [{ status: expect.any(Number), rows: "2", message, intuit_tids: [tid] }];
    const reply = await browser.call(listUploadResults, {
      query: { realm_id: ACME },
      params: { upload_id: id },
    });
    expect(reply.json()).toEqual({ results });
    const { uploads } = await settledUploads(browser, ACME);
    expect(uploads[0]?.results).toEqual(results);
    const { invoices } = await fetchReceipt(browser, id);
    expect(invoices).toMatchObject([{ state, sentence: message, intuit_tid: tid }]);
  },
);
