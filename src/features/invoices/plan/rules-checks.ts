import { centsToFixed, formatMoney } from "#features/invoices/workbook/rules-amounts.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { checkCustomer, checkReference, type Reference } from "#features/invoices/plan/rules-references.ts";
import { checkSigns, currencyOf } from "#features/invoices/plan/rules-currency.ts";
import { buildDraft } from "#features/invoices/plan/rules-draft.ts";
import { ALL_FIELDS, specOf, type Field } from "#features/invoices/workbook/rules-fields.ts";
import { checkRepeated, firstOf, textOf, type RowGroup } from "#features/invoices/plan/rules-invoices.ts";
import { checkLine, type Line } from "#features/invoices/plan/rules-lines.ts";
import type { NameIndex } from "#features/invoices/plan/rules-names.ts";
import type { BooksLists, PlannedInvoice } from "#features/invoices/plan/rules-plan.ts";
import { restorePostalCode } from "#features/invoices/plan/rules-postal.ts";
import { problemAt, quote, type Found, type Problem } from "#features/invoices/workbook/rules-problems.ts";
import { wrongUpsCheckDigit } from "#features/invoices/plan/rules-tracking.ts";

/** Everything the checks of one file share. */
export type PlanContext = {
  table: Table;
  lists: BooksLists;
  /** Problems of reading the cells, by row. */
  cellProblems: ReadonlyMap<number, readonly Problem[]>;
  customers: NameIndex<BooksLists["customers"][number]>;
  items: NameIndex<BooksLists["items"][number]>;
  terms: NameIndex<BooksLists["terms"][number]>;
  classes: NameIndex<BooksLists["classes"][number]>;
  departments: NameIndex<BooksLists["departments"][number]>;
};

/** What is known of an invoice once all its rows are checked. */
export type CheckedInvoice = {
  docNumber: string | null;
  customer: BooksLists["customers"][number] | undefined;
  terms: Reference | undefined;
  department: Reference | undefined;
  lines: Line[];
  /** Text or date of an invoice field; undefined when blank. */
  value: (field: Field) => string | undefined;
};

const INVOICE_FIELDS = ALL_FIELDS.filter((field) => specOf(field).level === "invoice");

/** Checks one invoice with all its rows; its draft is null when anything is an error. */
export function planInvoice(context: PlanContext, group: RowGroup): PlannedInvoice {
  const { table, lists } = context;
  const problems: Problem[] = group.rows.flatMap(({ row }) => context.cellProblems.get(row) ?? []);
  for (const field of INVOICE_FIELDS) problems.push(...checkRepeated(table, group, field));
  const note = (field: Field, found: Found) => {
    const row = firstOf(group, field)?.row ?? group.rows[0]?.row ?? 0;
    problems.push(
      problemAt(table, { field, row }, { value: firstOf(group, field)?.read.shown ?? "", ...found }),
    );
  };
  const value = withPostalCodes(
    (field) => group.rows.map((row) => textOf(row, field)).find((text) => text !== undefined),
    { note, isUs: lists.country === "US" },
  );
  checkRequired(group, note);
  const invoice: CheckedInvoice = {
    docNumber: group.docNumber,
    customer: checkCustomer(context, value("customer"), (found) => note("customer", found)),
    terms: checkReference(context.terms, value("terms"), {
      field: "terms",
      lists,
      note: (found) => note("terms", found),
    }),
    department: checkReference(context.departments, value("location"), {
      field: "location",
      lists,
      note: (found) => note("location", found),
    }),
    lines: group.rows.map((row) => checkLine(context, row, { problems, txnDate: value("invoiceDate") })),
    value,
  };
  checkNumber(lists, invoice, note);
  checkDates(lists, invoice, note);
  checkYears(lists, invoice, note);
  checkContact(invoice, note);
  checkCurrency(lists, invoice, note);
  problems.push(...checkSigns(context, group, invoice));
  const totalCents = totalOf(invoice, note);
  const isGood = problems.every(({ severity }) => severity === "warning");
  const draft = isGood ? buildDraft(invoice, lists) : null;
  return {
    key: group.key,
    docNumber: group.docNumber,
    rows: group.rows.map(({ row }) => row),
    problems,
    draft,
    amountCents: totalCents,
    currency: currencyOf(invoice, lists),
    customerName: invoice.customer?.name ?? value("customer") ?? "",
  };
}

type Note = (field: Field, found: Found) => void;
type Value = CheckedInvoice["value"];

/** The same values, with the zeros that postal codes of the US lost; a person is told of each. */
function withPostalCodes(value: Value, { note, isUs }: { note: Note; isUs: boolean }): Value {
  const restored = new Map<Field, string>();
  for (const side of isUs ? (["bill", "ship"] as const) : []) {
    const field = `${side}PostalCode` as const;
    const found = restorePostalCode(value(field) ?? "", {
      state: value(`${side}State`),
      country: value(`${side}Country`),
    });
    if (!found) continue;
    const cure = found.isRestored
      ? `It is read as ${found.code}.`
      : "Check it, and format the column as Text.";
    note(field, {
      severity: "warning",
      code: "postal_code_short",
      text: `${specOf(field).header} ${quote(value(field) ?? "")} has fewer than 5 digits; Excel removes leading zeros. ${cure}`,
    });
    restored.set(field, found.code);
  }
  return (field) => restored.get(field) ?? value(field);
}

function checkRequired(group: RowGroup, note: Note): void {
  for (const field of ["customer", "invoiceDate"] as const) {
    if (firstOf(group, field)) continue;
    note(field, {
      code: "required",
      text: `${specOf(field).header} is blank. Fill it in on the first line of the invoice.`,
    });
  }
}

function checkNumber(lists: BooksLists, { docNumber }: CheckedInvoice, note: Note): void {
  const used = docNumber === null ? undefined : lists.usedNumbers?.get(docNumber);
  if (!used) return;
  const whose = used.customer ? ` for ${quote(used.customer)}` : "";
  const there = `Invoice number ${quote(docNumber ?? "")} is already in ${lists.companyName}${whose}`;
  note("invoiceNo", {
    code: "number_in_books",
    text: used.voided
      ? `${there}, on an invoice that was voided. Delete it in QuickBooks, or give this invoice another number.`
      : `${there}. Give this invoice another number, or remove its rows if it is the same invoice.`,
  });
}

/** Invoices of another year are usual where somebody moves; beyond this a year is more likely mistyped. */
const YEARS_NEAR = 3;

/** "1/5/2062", or 26-01-13 read as the 26th of 2013. */
function checkYears({ today }: BooksLists, { value }: CheckedInvoice, note: Note): void {
  if (today === undefined) return;
  for (const field of ["invoiceDate", "dueDate"] as const) {
    const date = value(field);
    if (date === undefined) continue;
    const years = Number(date.slice(0, 4)) - Number(today.slice(0, 4));
    if (Math.abs(years) <= YEARS_NEAR) continue;
    const far = years < 0 ? "ago" : "ahead";
    note(field, {
      severity: "warning",
      code: "date_far_away",
      text: `${specOf(field).header} ${date} is ${Math.abs(years)} years ${far}. Check the year.`,
    });
  }
}

function checkDates(lists: BooksLists, { value }: CheckedInvoice, note: Note): void {
  const [txnDate, dueDate] = [value("invoiceDate"), value("dueDate")];
  if (txnDate && dueDate && dueDate < txnDate) {
    note("dueDate", {
      severity: "warning",
      code: "due_before_invoice",
      text: `Due Date ${dueDate} is before Invoice Date ${txnDate}. The invoice is overdue from the start; check both dates.`,
    });
  }
  if (txnDate && lists.closedThrough && txnDate <= lists.closedThrough) {
    note("invoiceDate", {
      code: "books_closed",
      text: `Invoice Date ${txnDate} is in a closed period: the books of ${lists.companyName} are closed through ${lists.closedThrough}. Use a later date, or reopen the books in QuickBooks.`,
    });
  }
}

function checkContact({ value }: CheckedInvoice, note: Note): void {
  const email = value("email");
  if (email && !email.split(/[,;]\s*/).every((each) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(each))) {
    note("email", {
      code: "not_an_email",
      text: `Email ${quote(email)} is not an e-mail address. Correct it or leave the cell blank.`,
    });
  }
  const digit = wrongUpsCheckDigit(value("trackingNo") ?? "");
  if (digit !== undefined) {
    note("trackingNo", {
      severity: "warning",
      code: "tracking_check_digit",
      text: `Tracking No ${quote(value("trackingNo") ?? "")} looks like a UPS number, but its last digit should be ${digit}. Check it for a typing mistake.`,
    });
  }
}

function checkCurrency(lists: BooksLists, { value, customer }: CheckedInvoice, note: Note): void {
  const currency = value("currency")?.toUpperCase();
  const expected = customer?.currency ?? lists.homeCurrency;
  if (currency && customer && expected && currency !== expected) {
    note("currency", {
      code: "currency_differs",
      text: `Currency ${quote(currency)} is not the customer's: QuickBooks bills ${quote(customer.name)} in ${expected}. Correct the currency or the customer.`,
    });
  }
}

/** Whole cents of all lines; null when one of them is not known. QuickBooks takes no invoice below zero. */
function totalOf(invoice: CheckedInvoice, note: Note): number | null {
  let total = 0n;
  for (const line of invoice.lines) {
    if (line.cents === undefined) return null;
    total += line.cents;
  }
  if (total < 0n)
    note("amount", {
      code: "total_below_zero",
      text: `The lines of this invoice sum to ${formatMoney(centsToFixed(total))}, and QuickBooks takes no invoice below zero. Make it a credit memo in QuickBooks, or correct the lines.`,
    });
  return Number(total);
}
