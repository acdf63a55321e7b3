import { parseCents, centsToNumber, takePercent, toDecimal } from "../kit/decimal.ts";
import { fault, missing } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { preferenceOn, companyToday } from "./companies.ts";
import { buildLines, type BuiltLines } from "./invoice-lines.ts";
import { refTo, resolve, resolveRequired } from "./references.ts";
import { readList, refValue, readText, type Fields, type WriteContext } from "./write-context.ts";

/** An invoice without identity and number. */
export type InvoiceDraft = { body: Fields; customer: Entity; txnDate: string };

/**
 * Builds an invoice from the client's values (for a sparse update: already merged).
 * @param sentLines false if an update omitted `Line`: the stored lines stay unchanged
 * @throws ApiFault of the 2000 and 6000 families
 */
export function buildInvoice(
  ctx: WriteContext,
  fields: Fields,
  { previous, sentLines }: { previous: Entity | undefined; sentLines: boolean },
): InvoiceDraft {
  const customer = resolveRequired(ctx, fields, { kind: "Customer", property: "CustomerRef" });
  const term = resolve(ctx, fields, { kind: "Term", property: "SalesTermRef" });
  const txnDate = readDay(fields, "TxnDate") ?? companyToday(ctx.sim, ctx.company);
  refuseClosedBooks(ctx, txnDate);
  checkEmailStatus(fields);
  if (fields["Line"] === undefined) throw missing("Line");
  const previousLines = previous ? readList(previous, "Line") : [];
  const built = sentLines
    ? buildLines(ctx, readList(fields, "Line"), { txnDate, previous: previousLines })
    : keepLines(previousLines);
  const totals = computeTotals(ctx, built, { fields, previous });
  const body: Fields = {
    ...paymentFlags(fields),
    CustomField: customFields(ctx, fields),
    TxnDate: txnDate,
    CurrencyRef: chooseCurrency(ctx, fields, customer),
    ...copied(fields, ["ExchangeRate", "GlobalTaxCalculation", "PrivateNote", "PONumber"]),
    LinkedTxn: previous?.["LinkedTxn"] ?? readList(fields, "LinkedTxn"),
    Line: built.lines,
    TxnTaxDetail: { TotalTax: centsToNumber(totals.tax) },
    CustomerRef: refTo(customer),
    ...copied(fields, ["CustomerMemo"]),
    ...addresses(fields, customer),
    ...(term && { SalesTermRef: refTo(term) }),
    DueDate: readDay(fields, "DueDate") ?? computeDueDate(txnDate, term),
    ...shipping(ctx, fields),
    ...tracking(ctx, fields),
    TotalAmt: centsToNumber(totals.total),
    ApplyTaxAfterDiscount: flag(fields, "ApplyTaxAfterDiscount"),
    ...delivery(fields),
    ...(takesDeposits(ctx) && { Deposit: centsToNumber(totals.deposit) }),
    Balance: centsToNumber(totals.balance),
  };
  return { body, customer, txnDate };
}

/** @throws ApiFault 6210 if the date is in a closed period */
export function refuseClosedBooks(ctx: WriteContext, txnDate: string): void {
  const closed = ctx.company.preferences["AccountingInfoPrefs"]?.["BookCloseDate"];
  if (typeof closed !== "string" || txnDate > closed) return;
  throw fault(
    "6210",
    `Account Period Closed, Cannot Update Through Services API : The account period has closed on ${closed} and the account books ` +
      "cannot be updated through the QBO Services API. Please use the QBO website to make these changes.",
  );
}

function checkEmailStatus(fields: Fields): void {
  const email = (fields["BillEmail"] ?? {}) as Fields;
  if (fields["EmailStatus"] === "NeedToSend" && !readText(email, "Address")) {
    throw fault(
      "6420",
      "Email address required : Supply an email address in BillEmail when EmailStatus is NeedToSend.",
    );
  }
}

function paymentFlags(fields: Fields): Fields {
  const names = [
    "AllowIPNPayment",
    "AllowOnlinePayment",
    "AllowOnlineCreditCardPayment",
    "AllowOnlineACHPayment",
  ];
  return Object.fromEntries(names.map((name) => [name, flag(fields, name)]));
}

function delivery(fields: Fields): Fields {
  return {
    PrintStatus: readText(fields, "PrintStatus") ?? "NeedToPrint",
    EmailStatus: readText(fields, "EmailStatus") ?? "NotSet",
    ...copied(fields, ["BillEmail", "BillEmailCc", "BillEmailBcc", "DeliveryInfo"]),
  };
}

function keepLines(lines: Fields[]): BuiltLines {
  const sumLines = (type: string) =>
    lines
      .filter((line) => line["DetailType"] === type)
      .reduce((sum, line) => sum + parseCents(line["Amount"]), 0n);
  const taxable = lines
    .filter((line) => refValue((line["SalesItemLineDetail"] ?? {}) as Fields, "TaxCodeRef") === "TAX")
    .reduce((sum, line) => sum + parseCents(line["Amount"]), 0n);
  return {
    lines,
    subtotal: sumLines("SubTotalLineDetail"),
    taxable,
    discount: sumLines("DiscountLineDetail"),
  };
}

const takesDeposits = (ctx: WriteContext) => preferenceOn(ctx.company, "SalesFormsPrefs", "AllowDeposit");

/** A deposit is silently dropped if the company has deposits switched off. */
function computeTotals(
  ctx: WriteContext,
  built: BuiltLines,
  { fields, previous }: { fields: Fields; previous: Entity | undefined },
) {
  const percent = toDecimal(ctx.company.taxPercent);
  const taxed = preferenceOn(ctx.company, "TaxPrefs", "PartnerTaxEnabled") && percent;
  const tax = taxed ? takePercent(built.taxable, percent) : 0n;
  const total = built.subtotal - built.discount + tax;
  const deposit = (of: Fields | undefined) => (of ? parseCents(of["Deposit"] ?? 0) : 0n);
  const paid = previous
    ? parseCents(previous["TotalAmt"]) - parseCents(previous["Balance"]) - deposit(previous)
    : 0n;
  const kept = takesDeposits(ctx) ? deposit(fields) : 0n;
  return { tax, total, deposit: kept, balance: total - paid - kept };
}

function chooseCurrency(ctx: WriteContext, fields: Fields, customer: Entity): Fields {
  const prefs = ctx.company.preferences["CurrencyPrefs"] ?? {};
  const home = refValue(prefs, "HomeCurrency") ?? "USD";
  const own = refValue(customer, "CurrencyRef") ?? home;
  const sent = refValue(fields, "CurrencyRef") ?? own;
  if (!/^[A-Z]{3}$/.test(sent)) throw fault("2220", `Invalid Currency Type : ${sent}`, "CurrencyRef");
  if (sent !== home && prefs["MultiCurrencyEnabled"] !== true) {
    throw fault(
      "6000",
      "Business Validation Error: Multi Currency is not enabled for this company. Only transactions in the home currency are allowed.",
    );
  }
  if (sent !== own) {
    throw fault(
      "6000",
      `Business Validation Error: You can only use one foreign currency per transaction. The customer's currency is ${own}.`,
    );
  }
  return { value: sent, name: CURRENCY_NAMES[sent] ?? sent };
}

const CURRENCY_NAMES: Record<string, string> = {
  USD: "United States Dollar",
  CAD: "Canadian Dollar",
  EUR: "Euro",
};

function addresses(fields: Fields, customer: Entity): Fields {
  return {
    ...optional("BillAddr", fields["BillAddr"] ?? customer["BillAddr"]),
    ...optional("ShipAddr", fields["ShipAddr"] ?? customer["ShipAddr"]),
    ...optional("ShipFromAddr", fields["ShipFromAddr"]),
  };
}

/** Shipping fields are silently dropped if the company has them switched off. */
function shipping(ctx: WriteContext, fields: Fields): Fields {
  if (!preferenceOn(ctx.company, "SalesFormsPrefs", "AllowShipping")) return {};
  const method = refValue(fields, "ShipMethodRef");
  return {
    ...(method !== undefined && { ShipMethodRef: { value: method, name: method } }),
    ...optional("ShipDate", readDay(fields, "ShipDate")),
    ...copied(fields, ["TrackingNum"]),
  };
}

function tracking(ctx: WriteContext, fields: Fields): Fields {
  const classEntity = resolve(ctx, fields, { kind: "Class", property: "ClassRef" });
  const department = resolve(ctx, fields, { kind: "Department", property: "DepartmentRef" });
  const withClass = classEntity && preferenceOn(ctx.company, "AccountingInfoPrefs", "ClassTrackingPerTxn");
  const withDepartment = department && preferenceOn(ctx.company, "AccountingInfoPrefs", "TrackDepartments");
  return {
    ...(withClass && { ClassRef: refTo(classEntity) }),
    ...(withDepartment && { DepartmentRef: refTo(department) }),
  };
}

/** The company's custom fields, listed even without a value. */
function customFields(ctx: WriteContext, fields: Fields): Fields[] {
  const names = (ctx.company.preferences["SalesFormsPrefs"]?.["CustomFieldNames"] ?? []) as string[];
  const sent = readList(fields, "CustomField");
  return names.map((name, i) => {
    const value = sent.find((field) => String(field["DefinitionId"]) === String(i + 1))?.["StringValue"];
    return { DefinitionId: String(i + 1), Name: name, Type: "StringType", ...optional("StringValue", value) };
  });
}

function readDay(fields: Fields, name: string): string | undefined {
  return readText(fields, name)?.slice(0, 10);
}

function flag(fields: Fields, name: string): boolean {
  return String(fields[name]) === "true";
}

function copied(fields: Fields, names: readonly string[]): Fields {
  return Object.assign({}, ...names.map((name) => optional(name, fields[name]))) as Fields;
}

function optional(name: string, value: unknown): Fields {
  return value === undefined || value === null || value === "" ? {} : { [name]: value };
}

const DEFAULT_DUE_DAYS = 30;

/** Computes the due date from a term, or 30 days after the invoice's date without one. Dates `YYYY-MM-DD`. */
export function computeDueDate(txnDate: string, term: Entity | undefined): string {
  if (term?.["Type"] === "DATE_DRIVEN") return dateDriven(txnDate, term);
  return addDays(txnDate, term ? Number(term["DueDays"] ?? 0) : DEFAULT_DUE_DAYS);
}

function dateDriven(txnDate: string, term: Entity): string {
  const day = Number(term["DayOfMonthDue"] ?? 1);
  const [year = 0, month = 1] = txnDate.split("-").map(Number);
  const candidate = dayOfMonth(year, month, day);
  const earliest = addDays(txnDate, Number(term["DueNextMonthDays"] ?? 0));
  return candidate >= txnDate && candidate >= earliest ? candidate : dayOfMonth(year, month + 1, day);
}

function dayOfMonth(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1, Math.min(day, last))).toISOString().slice(0, 10);
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
