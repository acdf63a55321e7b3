import { type Problem, problemAt } from "#formats/table/problem.ts";
import {
  type Field,
  fieldRule,
  invoiceSheet,
  type RowGroup,
} from "#features/invoices/workbook/rules-sheet.ts";
import type {
  CheckedInvoice,
  Note,
  PlanContext,
  PlanLists,
  PlannedInvoice,
} from "#features/invoices/plan/rules.ts";
import { isEmailList } from "#formats/text/emails.ts";
import { formatCents } from "#formats/table/amounts.ts";
import { checkReference } from "#features/invoices/plan/rules-references.ts";
import { checkSigns, findCurrency } from "#features/invoices/plan/rules-currency.ts";
import { fingerprintFile } from "#features/invoices/plan/rules-fingerprints.ts";
import { addTerms, buildDraft, readSoFar } from "#features/invoices/plan/rules-draft.ts";
import { checkCharges, readExchangeRate, withoutZeros } from "#features/invoices/plan/rules-charges.ts";
import { checkDocument, checkTotal } from "#features/invoices/plan/rules-controls.ts";
import { cellText } from "#formats/table/cells.ts";
import { isoDate } from "#formats/table/dates.ts";
import { checkRepeated, findFirst } from "#formats/table/records.ts";
import { checkLine } from "#features/invoices/plan/rules-lines.ts";

const INVOICE_FIELDS = invoiceSheet.names.filter((field) => fieldRule(field).level === undefined);
const REQUIRED_FIELDS = INVOICE_FIELDS.filter((field) => fieldRule(field).required === true);

/** Checks one invoice with all its rows; its draft is null if there is any error. */
export function planInvoice(context: PlanContext, read: RowGroup): PlannedInvoice {
  const { table, lists } = context;
  const group = withoutZeros(read);
  const lineRows = group.rows.map(({ row }) => row);
  const rows = [...new Set(lineRows)];
  const problems: Problem[] = rows.flatMap((row) => context.cellProblems.get(row) ?? []);
  for (const field of INVOICE_FIELDS) problems.push(...checkRepeated(table, group, field));
  const note: Note = (field, found) => {
    const first = findFirst(group, field);
    const row = first?.row ?? group.rows[0]?.row ?? 0;
    problems.push(problemAt(table, { field, row }, { value: first?.read.shown ?? "", ...found }));
  };
  const value = withPostalCodes(cacheTexts(group), { note, isUs: lists.country === "US" });
  const txnDate = value("invoiceDate");
  checkRequired(group, note);
  const customer = checkReference(context.customers, value("customer"), { field: "customer", lists, note });
  const lines = group.rows.map((row) => checkLine(context, row, { problems, txnDate, customer }));
  const invoice: CheckedInvoice = {
    docNumber: group.name,
    customer,
    terms: checkReference(context.terms, value("terms"), { field: "terms", lists, note }),
    department: checkReference(context.departments, value("location"), { field: "location", lists, note }),
    lines,
    charges: checkCharges(context, group, { lines, customer, txnDate, note }),
    exchangeRate: readExchangeRate(context, group, { customer, note }),
    value,
  };
  checkNumber(lists, invoice, note);
  checkDates(lists, invoice, note);
  checkYears(lists, invoice, { note, group });
  checkContact(invoice, note);
  checkCurrency(lists, invoice, note);
  checkDocument(invoice, note);
  problems.push(...checkSigns(context, group, invoice));
  const totalCents = sumLines(invoice, note);
  const taxCents = totalCents === null ? null : checkTotal(group, BigInt(totalCents), note);
  const isGood = problems.every(({ severity }) => severity === "warning");
  const draft = isGood ? buildDraft(invoice, lists) : null;
  return {
    key: group.key,
    docNumber: group.name,
    rows,
    lineRows: rows.length === lineRows.length ? null : lineRows,
    problems,
    draft,
    fileFingerprint: draft && fingerprintFile(group),
    poNumber: value("poNumber") ?? null,
    read: draft ? null : readSoFar(invoice, group),
    termsDue: addTerms(invoice, lists),
    amountCents: totalCents,
    taxCents,
    currency: findCurrency(invoice, lists),
    customerName: invoice.customer?.name ?? value("customer") ?? "",
  };
}

type Value = CheckedInvoice["value"];

/** Caches the first text of each invoice field: an invoice may have 30,000 lines. */
function cacheTexts({ rows }: RowGroup): Value {
  const known = new Map<Field, string | undefined>();
  return (field) => {
    if (!known.has(field)) known.set(field, firstText(rows, field));
    return known.get(field);
  };
}

function firstText(rows: RowGroup["rows"], field: Field): string | undefined {
  for (const row of rows) {
    const text = cellText(row, field);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Restores zeros that US postal codes lost; each is reported to the user. */
function withPostalCodes(value: Value, { note, isUs }: { note: Note; isUs: boolean }): Value {
  const restored = new Map<Field, string>();
  for (const side of isUs ? (["bill", "ship"] as const) : []) {
    const field = `${side}PostalCode` as const;
    const found = restorePostalCode(value(field) ?? "", {
      state: value(`${side}State`),
      country: value(`${side}Country`),
    });
    if (!found) continue;
    note(field, {
      severity: "warning",
      code: "postal_code_short",
      value: value(field) ?? "",
      params: { readAs: found.isRestored ? found.code : null },
    });
    restored.set(field, found.code);
  }
  return (field) => restored.get(field) ?? value(field);
}

function checkRequired(group: RowGroup, note: Note): void {
  for (const field of REQUIRED_FIELDS) if (!findFirst(group, field)) note(field, { code: "required" });
}

function checkNumber(lists: PlanLists, { docNumber }: CheckedInvoice, note: Note): void {
  const used = docNumber === null ? undefined : lists.usedNumbers?.get(docNumber);
  if (!used) return;
  const { customer, voided = false } = used;
  note("invoiceNo", {
    code: "number_in_books",
    value: docNumber ?? "",
    params: { customer, voided, company: lists.companyName },
  });
}

/**
 * Invoices of another year are common when a company moves its books; beyond this many years a typo is more
 * likely.
 */
const YEARS_NEAR = 3;

/** Reports unlikely years: "1/5/2062", or 26-11-24 read as the 26th of 2024. */
function checkYears(
  { today }: PlanLists,
  { value }: CheckedInvoice,
  { note, group }: { note: Note; group: RowGroup },
): void {
  if (today === undefined) return;
  for (const field of ["invoiceDate", "dueDate"] as const) {
    const date = value(field);
    if (date === undefined) continue;
    const yearsTo = (day: string) => Number(day.slice(0, 4)) - Number(today.slice(0, 4));
    const years = yearsTo(date);
    const other = yearFirst(findFirst(group, field)?.read.shown ?? "");
    if (other !== undefined && Math.abs(yearsTo(other)) < Math.abs(years)) {
      note(field, { severity: "warning", code: "year_last", params: { date, other } });
      continue;
    }
    if (Math.abs(years) <= YEARS_NEAR) continue;
    note(field, { severity: "warning", code: "date_far_away", params: { date, years } });
  }
}

/** The day of "26-11-24" if its year is the first number. */
function yearFirst(text: string): string | undefined {
  const [, year, month, day] = /^(\d\d)[-/.](\d{1,2})[-/.](\d\d)$/.exec(text.trim()) ?? [];
  return isoDate(2000 + Number(year), Number(month), Number(day));
}

function checkDates(lists: PlanLists, { value }: CheckedInvoice, note: Note): void {
  const [txnDate, dueDate] = [value("invoiceDate"), value("dueDate")];
  if (txnDate && dueDate && dueDate < txnDate) {
    note("dueDate", {
      severity: "warning",
      code: "due_before_invoice",
      params: { dueDate, txnDate },
    });
  }
  if (txnDate && lists.closedThrough && txnDate <= lists.closedThrough) {
    note("invoiceDate", {
      code: "books_closed",
      params: { txnDate, closedThrough: lists.closedThrough, company: lists.companyName },
    });
  }
}

function checkContact({ value }: CheckedInvoice, note: Note): void {
  const email = value("email");
  if (email && !isEmailList(email)) note("email", { code: "not_an_email", value: email });
  const digit = wrongUpsCheckDigit(value("trackingNo") ?? "");
  if (digit !== undefined) {
    note("trackingNo", {
      severity: "warning",
      code: "tracking_check_digit",
      value: value("trackingNo") ?? "",
      params: { digit },
    });
  }
}

function checkCurrency(lists: PlanLists, { value, customer }: CheckedInvoice, note: Note): void {
  const currency = value("currency")?.toUpperCase();
  const expected = customer?.currency ?? lists.homeCurrency;
  if (currency && customer && expected && currency !== expected) {
    note("currency", {
      code: "currency_differs",
      value: currency,
      params: { customer: customer.name, expected },
    });
  }
}

/** Whole cents of all lines and charges; null if any is unknown. QuickBooks accepts no negative invoice. */
function sumLines(invoice: CheckedInvoice, note: Note): number | null {
  if (invoice.charges.cents === undefined) return null;
  let total = invoice.charges.cents;
  for (const line of invoice.lines) {
    if (line.cents === undefined) return null;
    total += line.cents;
  }
  if (total < 0n) note("amount", { code: "total_below_zero", params: { total: formatCents(total) } });
  return Number(total);
}

/** States and territories whose postal codes start with one or two zeros. */
const ZERO_STATES: ReadonlySet<string> = new Set(
  "MA NJ CT ME NH RI VT PR VI MASSACHUSETTS CONNECTICUT MAINE VERMONT"
    .split(" ")
    .concat("NEW JERSEY", "NEW HAMPSHIRE", "RHODE ISLAND", "PUERTO RICO"),
);

const US_NAMES: ReadonlySet<string> = new Set(["", "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA"]);

/**
 * Restores the leading zeros of a US postal code that Excel removed: "2134" in MA is "02134".
 * @returns undefined if nothing is missing; a short code of another state is left as it is
 */
function restorePostalCode(
  code: string,
  place: { state: string | undefined; country: string | undefined },
): { code: string; isRestored: boolean } | undefined {
  if (!/^\d{3,4}$/.test(code) || !US_NAMES.has((place.country ?? "").trim().toUpperCase())) return undefined;
  const isRestored = ZERO_STATES.has((place.state ?? "").trim().toUpperCase());
  return { code: isRestored ? code.padStart(5, "0") : code, isRestored };
}

/**
 * Reports a UPS tracking number with a wrong check digit; other numbers are not checked.
 * @param text as written; spaces and case do not matter
 * @returns the right check digit if the last one is wrong, else undefined
 * @see UPS: letters count (code − 63) modulo 10, even positions double, the digit completes the sum to a
 * multiple of ten
 */
export function wrongUpsCheckDigit(text: string): string | undefined {
  const number = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!/^1Z[0-9A-Z]{15}[0-9]$/.test(number)) return undefined;
  let sum = 0;
  for (let index = 2; index < 17; index++) {
    const code = number.charCodeAt(index);
    const value = code < 58 ? code - 48 : (code - 63) % 10;
    sum += index % 2 === 0 ? value : value * 2;
  }
  const digit = String((10 - (sum % 10)) % 10);
  return digit === number.at(-1) ? undefined : digit;
}
