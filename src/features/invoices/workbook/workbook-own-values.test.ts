import { expect, test } from "vitest";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import type { CellSpec, MadeSheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { ACME, liftLimits } from "../../../../test/support/intuit.ts";
import { readSheets, sendSheets } from "../../../../test/support/send-sheets.ts";
import { everyNth } from "../../../../test/support/rules/every-nth.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const query = { realm_id: ACME };
/** Period of the limit of calls in a session. */
const MINUTE_MS = 60_000;
const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];

type Rows = readonly (readonly CellSpec[])[];

const line = (number: string, cents: number, ...more: CellSpec[]): CellSpec[] => [
  number,
  "Cool Cars",
  "2026-11-20",
  "Claw Hammer",
  cents / 100,
  ...more,
];

/** Two invoices; a column says that the first one is not billed. */
const column =
  (header: string, no: CellSpec, yes: CellSpec) =>
  (prefix: string): MadeSheet[] =>
    makeSheet([[...HEADERS, header], line(`${prefix}-no`, 1000, no), line(`${prefix}-yes`, 2000, yes)]);

const makeSheet = (rows: Rows, name = "Orders"): MadeSheet[] => [{ name, rows }];

const described = (text: string) => (prefix: string) =>
  makeSheet([
    [...HEADERS, "Description"],
    line(`${prefix}-no`, 1000, text),
    line(`${prefix}-yes`, 2000, "as agreed"),
  ]);

/** Sheets in which the invoice "…-no" is not to be billed, as only its own values or its place say. */
const SHEETS: Record<string, (prefix: string) => MadeSheet[]> = {
  "a state in French": column("Statut", "annulé", "payé"),
  "a state in Spanish": column("Estado", "Cancelado", "Pagado"),
  "yes and no in German": column("Abrechenbar", "Nein", "Ja"),
  "yes and no in Spanish": column("Facturable", "No", "Sí"),
  "yes and no in French": column("À facturer", "Non", "Oui"),
  "a tick in German": column("Gratis", "ja", null),
  "a column of plus and minus": column("Sign", "-", "+"),
  "debit and credit as letters": column("D/C", "C", "D"),
  "a code of states": column("Status Code", "X", "A"),
  "numbers of states": column("Status Code", 9, 1),
  "an abbreviation of a canceled state": column("Sts", "CXL", "OPN"),
  "an abbreviation under an unknown header": column("Code", "DNB", "BIL"),
  "a flag of one letter": column("Flag", "D", null),
  "a kind of hours that are not billed": column("Activity type", "Non Bill", "Bill"),
  "the invoice that billed it before": column("Billed on invoice", "INV-0033", null),
  "the number of an earlier invoice": column("Invoiced #", 4711, null),
  "the line that replaced it": column("Superseded by", "T-9", null),
  "the number of a return": column("RMA #", "RMA-12", null),
  "the day of a return": column("Return date", "2026-11-20", null),
  "a credit memo for it": column("Credit memo #", "CM-5", null),
  "an open dispute": column("Dispute", "open", null),
  "its number in the books": column("QB Invoice #", 1043, null),
  "a day to wait for": column("Do not bill before", "2026-12-24", null),
  "a person who has not approved it": column("Approved by", null, "Ann"),
  "a day on which it was not delivered": column("Delivered", null, "2026-11-02"),
  "what a change of the file does": column("Action", "delete", "add"),
  "a payer that is not the customer": column("Pay type", "WARRANTY", "CUSTOMER PAY"),
  "a price list of what is free": column("Price list", "FREE", "Retail"),
  "a kind of billing that is included": column("Billing type", "Included", "Hourly"),
  "a payment between companies": column("Pay type", "I/C", "Card"),
  "time of an absence": column("Activity", "PTO", "Design"),
  "an appointment without its guest": column("Attendance", "no-show", "present"),
  "a reason under the header of our own workbooks": column("Reason", "canceled", null),
  "a state in Italian": column("Stato", "annullata", "pagata"),
  "a mark in a column without a header": column("", "VOID", null),
  "a tick in a column without a header": column("", null, "x"),
  "a note in full words": column("Notes", "pls don't invoice this one", "thanks"),
  "a note that says not yet": column("Notes", "NOT TO BE INVOICED YET", null),
  "a description without a charge": described("Site visit (no charge)"),
  "a description of hours that are not billed": described("Travel - non billable"),
  "a warranty in a description": described("Repair under warranty - no charge"),
  "a mark behind a description": described("Hammer *VOID*"),
  "a price list in Czech": column("Ceník", "zdarma", "běžný"),
  "a price list in Chinese": column("价格表", "免费", "标准"),
  "a gift in Chinese": column("类型", "赠品", "商品"),
  "a canceled state in Chinese": column("状态", "已取消", "已完成"),
  "a state in Japanese": column("状態", "キャンセル済み", "完了"),
  "a state in Korean": column("상태", "환불", "완료"),
  "a state in Polish": column("Stan", "anulowane", "opłacone"),
  "a state in Russian": column("Статус", "отменён", "оплачен"),
  "a state in Turkish": column("Durum", "İptal edildi", "Ödendi"),
  "a state in Dutch": column("Toestand", "Geannuleerd", "Betaald"),
  "a state in Swedish": column("Läge", "Makulerad", "Betald"),
  "what is free in German": column("Preisliste", "kostenlos", "Standard"),
  "what is free in French": column("Tarif", "Offert", "Standard"),
  "yes and no in Czech": column("Fakturovat", "ne", "ano"),
  "yes and no in Chinese": column("开票", "否", "是"),
  "a note in Czech": column("Notes", "zdarma", null),
  "rows below a heading": (prefix) =>
    makeSheet([HEADERS, line(`${prefix}-yes`, 2000), ["Cancelled orders"], line(`${prefix}-no`, 1000)]),
  "rows below a heading in another column": (prefix) =>
    makeSheet([HEADERS, line(`${prefix}-yes`, 2000), [null, "DO NOT BILL"], line(`${prefix}-no`, 1000)]),
  "a sheet by its name": (prefix) => [
    ...makeSheet([HEADERS, line(`${prefix}-yes`, 2000)]),
    ...makeSheet([HEADERS, line(`${prefix}-no`, 1000)], "Cancelled"),
  ],
};

test("SH-01 in many kinds of sheets with headers of their own, a row that its own values or its place mark is asked about, and not in the books once it is left out", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const silent: string[] = [];
  const cases = everyNth(Object.entries(SHEETS), 5);
  for (const [at, [what, make]] of cases.entries()) {
    const [prefix, sheets] = [`OV${at}`, make(`OV${at}`)];
    app.clock.advance(MINUTE_MS);
    const refused = await sendSheets(browser, prefix, sheets);
    if (refused.status !== 400) silent.push(`${what}: ${refused.status}`);
    const { row_marks: marks } = await readSheets(browser, prefix, sheets);
    const isNo = (examples: readonly { texts: readonly string[] }[]) =>
      examples.some(({ texts }) => texts.some((text) => text.endsWith("-no")));
    const rowMarks = marks.flatMap(({ of, values }) =>
      values.map(({ value, examples }) => ({ of, value, is_billed: !isNo(examples) })),
    );
    await browser.call(chooseColumns, { query, json: { columns: [], row_marks: rowMarks } });
    const taken = await sendSheets(browser, prefix, sheets);
    if (taken.status !== 202) silent.push(`${what}: then ${taken.status} ${JSON.stringify(taken.json())}`);
  }
  expect(silent).toEqual([]);
  await settledUploads(browser, ACME);
  const posted = (await app.intuit.invoices(ACME)).flatMap(({ DocNumber }) =>
    DocNumber?.startsWith("OV") ? [DocNumber] : [],
  );
  expect(posted.toSorted()).toEqual(cases.map((_, at) => `OV${at}-yes`).toSorted());
});
