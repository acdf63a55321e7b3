import { expect, test } from "vitest";
import { headerKey } from "#formats/table/header-text.ts";
import { layoutChoiceKey, USED } from "#formats/table/layouts.ts";
import { valueKey } from "#formats/table/one-for-all.ts";
import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import { makeMoneySheet, type MoneySheet } from "./money-sheets.ts";
import type { Meaning } from "./money-tools.ts";
import { type Answer, type Outcome, planMoneySheet } from "./plan-money-sheet.ts";

const SHEETS = Array.from({ length: 500 }, (_, seed) => makeMoneySheet(seed));

/** The answer of a user who knows the program that the sheet comes from. */
const RIGHT: Partial<Record<Meaning, Field>> = {
  number: "invoiceNo",
  customer: "customer",
  date: "invoiceDate",
  due: "dueDate",
  email: "email",
  item: "item",
  description: "description",
  type: "documentType",
  status: "documentStatus",
  qty: "qty",
  rate: "rate",
  gross: "amount",
  net: "amount",
  lineDiscount: "lineDiscount",
  lineDiscountPercent: "lineDiscountPercent",
  lineTax: "taxTotal",
  lineShipping: "lineShipping",
  discount: "discount",
  discountPercent: "discountPercent",
  discountOfPercent: "discount",
  shipping: "shipping",
  fee: "fee",
  deposit: "deposit",
  tax: "taxTotal",
  total: "invoiceTotal",
};

const UNCONFIRMED = "layout_unconfirmed";

/** The product used for all lines of a report without products. */
const ITEM = "Design work";

/** Answers each question about a sheet until it is planned or refused without one. */
function planAnswered(sheet: MoneySheet, answerFor: (header: string) => Answer) {
  const answers = new Map<string, string>();
  for (let round = 0; ; round++) {
    const outcome = planMoneySheet(sheet, answers);
    // No choice for a column settles sheets that repeat each other.
    const isOpen = "refused" in outcome && outcome.refused.code !== "sheets_overlap";
    if (!isOpen || round === 6) return { outcome, answers };
    if (outcome.refused.code === UNCONFIRMED) {
      for (const { name } of layouts) answers.set(layoutChoiceKey(name), USED);
      continue;
    }
    if (outcome.refused.sentence.includes('"Item"')) answers.set(valueKey("item"), ITEM);
    const all = sheet.columns.map(({ header }) => header);
    const asked = outcome.refused.headers.length > 0 ? outcome.refused.headers : all;
    for (const header of asked) answers.set(headerKey(header), answerFor(header));
  }
}

const rightAnswer =
  ({ columns }: MoneySheet) =>
  (header: string): Answer => {
    const meaning = columns.find((column) => column.header === header)?.meaning;
    return (meaning && RIGHT[meaning]) ?? "ignore";
  };

const NAMES: ReadonlySet<Answer> = new Set<Answer>(["invoiceNo", "customer", "invoiceDate", "item"]);

/** Ignores all columns but those without which there is no invoice. */
const ignoreMoney =
  (sheet: MoneySheet) =>
  (header: string): Answer => {
    const right = rightAnswer(sheet)(header);
    return NAMES.has(right) ? right : "ignore";
  };

/** Differences of the plan from the money of the file that no question, problem or note names a column of. */
function findSilent(sheet: MoneySheet, outcome: Outcome): string[] {
  if ("refused" in outcome) {
    const { code, sentence, headers } = outcome.refused;
    // The page that asks whether it is that export shows every column with its meaning.
    if (code === UNCONFIRMED) return [];
    return headers.length > 0 || sentence.includes("missing") ? [] : [`${sentence} names no column`];
  }
  const { invoices, notes } = outcome.plan;
  const isSaid = notes.some(({ code }) => code === "money_ignored" || code === "charge_billed_once");
  const planned = new Map(invoices.map((invoice) => [invoice.docNumber, invoice]));
  const wrong = sheet.invoices.flatMap(({ number, cents }) => {
    const { draft = null, amountCents = null } = planned.get(number) ?? {};
    if (!planned.has(number)) return [`${number} is lost`];
    return draft === null || amountCents === cents || isSaid
      ? []
      : [`${number}: ${amountCents} for ${cents}`];
  });
  // A row that is not an invoice may be held back by a problem that names its cell.
  const strange = invoices.filter(
    ({ docNumber, draft }) => draft !== null && !sheet.invoices.some(({ number }) => number === docNumber),
  );
  return [...wrong, ...strange.map(({ docNumber }) => `${docNumber} is billed, and no invoice of the file`)];
}

const label = ({ seed, tool }: MoneySheet, silent: readonly string[]) =>
  `${seed} ${tool}: ${silent.join("; ")}`;

test("no amount in 500 sheets from other programs is changed silently, before any answer", () => {
  const silent = SHEETS.flatMap((sheet) => {
    const found = findSilent(sheet, planMoneySheet(sheet, new Map()));
    return found.length > 0 ? [label(sheet, found)] : [];
  });
  expect(silent).toEqual([]);
});

test("no amount is changed silently once every question is answered correctly, and then most of the invoices can be posted", () => {
  let [billed, made] = [0, 0];
  const silent = SHEETS.flatMap((sheet) => {
    const { outcome } = planAnswered(sheet, rightAnswer(sheet));
    billed += sheet.invoices.filter(({ cents }) => cents !== null).length;
    if ("plan" in outcome) made += outcome.plan.invoices.filter(({ draft }) => draft !== null).length;
    const found = findSilent(sheet, outcome);
    return found.length > 0 ? [label(sheet, found)] : [];
  });
  expect(silent).toEqual([]);
  expect(made / billed).toBeGreaterThan(0.7);
});

test("no amount is changed silently when a user ignores every column that is asked about: the file then says so", () => {
  const silent = SHEETS.flatMap((sheet) => {
    const { outcome, answers } = planAnswered(sheet, ignoreMoney(sheet));
    const found = findSilent(sheet, outcome);
    return found.length > 0 ? [`${label(sheet, found)} ${[...answers.keys()].join()}`] : [];
  });
  expect(silent).toEqual([]);
});
