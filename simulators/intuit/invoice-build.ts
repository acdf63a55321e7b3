import { centsOf, centsToNumber, percentOf, toDecimal } from "../kit/decimal.ts";
import { fault, missing } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { preferenceOn, todayOf } from "./companies.ts";
import { dueDateOf } from "./invoice-dates.ts";
import { buildLines, type BuiltLines } from "./invoice-lines.ts";
import { refTo, resolve, resolveRequired } from "./references.ts";
import { listOf, refValue, textOf, type Fields, type WriteContext } from "./write-context.ts";

/** Everything of an invoice but identity and number. */
export type InvoiceDraft = { body: Fields; customer: Entity; txnDate: string };

/**
 * Builds an invoice from what a client wants stored (for a sparse update: already merged).
 * @param sentLines false when an update left `Line` out: the stored lines stay as they are
 * @throws ApiFault of the 2000 and 6000 families
 */
export function buildInvoice(
  ctx: WriteContext,
  wish: Fields,
  { previous, sentLines }: { previous: Entity | undefined; sentLines: boolean },
): InvoiceDraft {
  const customer = resolveRequired(ctx, wish, { kind: "Customer", property: "CustomerRef" });
  const term = resolve(ctx, wish, { kind: "Term", property: "SalesTermRef" });
  const txnDate = dayOf(wish, "TxnDate") ?? todayOf(ctx.sim, ctx.company);
  refuseClosedBooks(ctx, txnDate);
  checkEmailStatus(wish);
  if (wish["Line"] === undefined) throw missing("Line");
  const previousLines = previous ? listOf(previous, "Line") : [];
  const built = sentLines
    ? buildLines(ctx, listOf(wish, "Line"), { txnDate, previous: previousLines })
    : keepLines(previousLines);
  const totals = totalsOf(ctx, built, { previous });
  const body: Fields = {
    ...paymentFlags(wish),
    CustomField: customFields(ctx, wish),
    TxnDate: txnDate,
    CurrencyRef: currencyOf(ctx, wish, customer),
    ...copied(wish, ["ExchangeRate", "GlobalTaxCalculation", "PrivateNote", "PONumber"]),
    LinkedTxn: previous?.["LinkedTxn"] ?? listOf(wish, "LinkedTxn"),
    Line: built.lines,
    TxnTaxDetail: { TotalTax: centsToNumber(totals.tax) },
    CustomerRef: refTo(customer),
    ...copied(wish, ["CustomerMemo"]),
    ...addresses(wish, customer),
    ...(term && { SalesTermRef: refTo(term) }),
    DueDate: dayOf(wish, "DueDate") ?? dueDateOf(txnDate, term),
    ...shipping(ctx, wish),
    ...tracking(ctx, wish),
    TotalAmt: centsToNumber(totals.total),
    ApplyTaxAfterDiscount: flag(wish, "ApplyTaxAfterDiscount"),
    ...delivery(wish),
    Balance: centsToNumber(totals.balance),
  };
  return { body, customer, txnDate };
}

/** @throws ApiFault 6210 when the day lies in a closed period */
export function refuseClosedBooks(ctx: WriteContext, txnDate: string): void {
  const closed = ctx.company.preferences["AccountingInfoPrefs"]?.["BookCloseDate"];
  if (typeof closed !== "string" || txnDate > closed) return;
  throw fault(
    "6210",
    `Account Period Closed, Cannot Update Through Services API : The account period has closed on ${closed} and the account books ` +
      "cannot be updated through the QBO Services API. Please use the QBO website to make these changes.",
  );
}

function checkEmailStatus(wish: Fields): void {
  const email = (wish["BillEmail"] ?? {}) as Fields;
  if (wish["EmailStatus"] === "NeedToSend" && !textOf(email, "Address")) {
    throw fault(
      "6420",
      "Email address required : Supply an email address in BillEmail when EmailStatus is NeedToSend.",
    );
  }
}

function paymentFlags(wish: Fields): Fields {
  const names = [
    "AllowIPNPayment",
    "AllowOnlinePayment",
    "AllowOnlineCreditCardPayment",
    "AllowOnlineACHPayment",
  ];
  return Object.fromEntries(names.map((name) => [name, flag(wish, name)]));
}

function delivery(wish: Fields): Fields {
  return {
    PrintStatus: textOf(wish, "PrintStatus") ?? "NeedToPrint",
    EmailStatus: textOf(wish, "EmailStatus") ?? "NotSet",
    ...copied(wish, ["BillEmail", "BillEmailCc", "BillEmailBcc", "DeliveryInfo"]),
  };
}

function keepLines(lines: Fields[]): BuiltLines {
  const amountOf = (type: string) =>
    lines
      .filter((line) => line["DetailType"] === type)
      .reduce((sum, line) => sum + centsOf(line["Amount"]), 0n);
  const taxable = lines
    .filter((line) => refValue((line["SalesItemLineDetail"] ?? {}) as Fields, "TaxCodeRef") === "TAX")
    .reduce((sum, line) => sum + centsOf(line["Amount"]), 0n);
  return {
    lines,
    subtotal: amountOf("SubTotalLineDetail"),
    taxable,
    discount: amountOf("DiscountLineDetail"),
  };
}

function totalsOf(ctx: WriteContext, built: BuiltLines, { previous }: { previous: Entity | undefined }) {
  const percent = toDecimal(ctx.company.taxPercent);
  const taxed = preferenceOn(ctx.company, "TaxPrefs", "PartnerTaxEnabled") && percent;
  const tax = taxed ? percentOf(built.taxable, percent) : 0n;
  const total = built.subtotal - built.discount + tax;
  const paid = previous ? centsOf(previous["TotalAmt"]) - centsOf(previous["Balance"]) : 0n;
  return { tax, total, balance: total - paid };
}

function currencyOf(ctx: WriteContext, wish: Fields, customer: Entity): Fields {
  const prefs = ctx.company.preferences["CurrencyPrefs"] ?? {};
  const home = refValue(prefs, "HomeCurrency") ?? "USD";
  const own = refValue(customer, "CurrencyRef") ?? home;
  const sent = refValue(wish, "CurrencyRef") ?? own;
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

function addresses(wish: Fields, customer: Entity): Fields {
  return {
    ...optional("BillAddr", wish["BillAddr"] ?? customer["BillAddr"]),
    ...optional("ShipAddr", wish["ShipAddr"] ?? customer["ShipAddr"]),
    ...optional("ShipFromAddr", wish["ShipFromAddr"]),
  };
}

/** Shipping fields are dropped without a word while the company has them switched off. */
function shipping(ctx: WriteContext, wish: Fields): Fields {
  if (!preferenceOn(ctx.company, "SalesFormsPrefs", "AllowShipping")) return {};
  const method = refValue(wish, "ShipMethodRef");
  return {
    ...(method !== undefined && { ShipMethodRef: { value: method, name: method } }),
    ...optional("ShipDate", dayOf(wish, "ShipDate")),
    ...copied(wish, ["TrackingNum"]),
  };
}

function tracking(ctx: WriteContext, wish: Fields): Fields {
  const classEntity = resolve(ctx, wish, { kind: "Class", property: "ClassRef" });
  const department = resolve(ctx, wish, { kind: "Department", property: "DepartmentRef" });
  const withClass = classEntity && preferenceOn(ctx.company, "AccountingInfoPrefs", "ClassTrackingPerTxn");
  const withDepartment = department && preferenceOn(ctx.company, "AccountingInfoPrefs", "TrackDepartments");
  return {
    ...(withClass && { ClassRef: refTo(classEntity) }),
    ...(withDepartment && { DepartmentRef: refTo(department) }),
  };
}

/** The company's custom fields, listed even without a value. */
function customFields(ctx: WriteContext, wish: Fields): Fields[] {
  const names = (ctx.company.preferences["SalesFormsPrefs"]?.["CustomFieldNames"] ?? []) as string[];
  const sent = listOf(wish, "CustomField");
  return names.map((name, i) => {
    const value = sent.find((field) => String(field["DefinitionId"]) === String(i + 1))?.["StringValue"];
    return { DefinitionId: String(i + 1), Name: name, Type: "StringType", ...optional("StringValue", value) };
  });
}

function dayOf(wish: Fields, name: string): string | undefined {
  return textOf(wish, name)?.slice(0, 10);
}

function flag(wish: Fields, name: string): boolean {
  return String(wish[name]) === "true";
}

function copied(wish: Fields, names: readonly string[]): Fields {
  return Object.assign({}, ...names.map((name) => optional(name, wish[name]))) as Fields;
}

function optional(name: string, value: unknown): Fields {
  return value === undefined || value === null || value === "" ? {} : { [name]: value };
}
