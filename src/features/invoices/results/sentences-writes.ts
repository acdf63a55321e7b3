import { ownRow } from "#formats/text/sheet-rows.ts";
import { spellDate } from "#formats/table/dates.ts";
import { capitalize } from "#formats/text/phrases.ts";
import { moneyText } from "#platform/money.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { type Field, fieldHeader } from "#features/invoices/workbook/rules-sheet.ts";
import { unknownSentence } from "#features/sheets/reading.ts";

type Because = Pick<Cause, "code" | "params">;
type SentInvoice = { docNumber: string | null; txnDate: string | null };

/** Whether the sentence of a cause names the invoice; otherwise adjacent invoices with one cause share it. */
export const namesInvoice = ({ code }: Because): boolean => code in CREATE_SENTENCES;

/** Explains why an invoice was not posted or is unresolved, and what to do. */
export function createSentence(cause: Because, sent: SentInvoice): string {
  if (cause.code === "not_sent") {
    const { because, support_id: supportId, by = null } = cause.params;
    return uploadCauseSentence({ code: String(because), params: { by: String(by) } }, String(supportId));
  }
  const fixed = NAMELESS[cause.code] ?? PLAN_SENTENCES[cause.code]?.(cause.params);
  if (fixed) return fixed;
  const about = {
    ...sent,
    name: sent.docNumber ? `invoice ${sent.docNumber}` : "this invoice",
    column: findColumn(String(cause.params["element"] ?? "")),
    // QuickBooks leaves some of its placeholders unfilled.
    detail: String(cause.params["detail"] ?? "").replaceAll(/ ?\{\d+\}/g, ""),
    number: String(cause.params["number"] ?? ""),
  };
  return CREATE_SENTENCES[cause.code]?.(about) ?? unknownSentence(cause.code);
}

/** `column` is that of the property that QuickBooks names, or empty. */
type About = SentInvoice & { name: string; column: string; detail: string; number: string };

/** Fields by the last part of the name that QuickBooks has for them. */
const FIELDS: Readonly<Record<string, Field>> = {
  DocNumber: "invoiceNo",
  CustomerRef: "customer",
  TxnDate: "invoiceDate",
  DueDate: "dueDate",
  SalesTermRef: "terms",
  ItemRef: "item",
  Description: "description",
  Qty: "qty",
  UnitPrice: "rate",
  Amount: "amount",
  ServiceDate: "serviceDate",
  ClassRef: "className",
  DepartmentRef: "location",
  ShipMethodRef: "shipVia",
  ShipDate: "shipDate",
  TrackingNum: "trackingNo",
  Deposit: "deposit",
  ExchangeRate: "exchangeRate",
  BillEmail: "email",
  CustomerMemo: "customerMemo",
  PrivateNote: "privateNote",
  CurrencyRef: "currency",
};

/** Finds the header of the column that a property named by QuickBooks comes from; empty for none. */
function findColumn(element: string): string {
  const field = FIELDS[element.split(/[.\s/]/).at(-1) ?? ""];
  return field === undefined ? "" : fieldHeader(field);
}

const CREATE_SENTENCES: Readonly<Record<string, (about: About) => string>> = {
  refused: ({ name, column, detail }) =>
    `QuickBooks rejected ${name}${column ? ` because of its ${column}` : ""}: ${detail} Correct the rows and upload them again.`,
  duplicate_number: ({ docNumber }) => (docNumber ? takenNumber(docNumber) : TAKEN_GIVEN_NUMBER),
  closed_books: ({ name, detail }) =>
    `QuickBooks rejected ${name}: the books are closed for its date. Change the Invoice Date, or reopen the books in QuickBooks. (${detail})`,
  bad_reference: ({ name, detail }) =>
    `QuickBooks rejected ${name}: a name on it was deleted or made inactive in the meantime. Check its customer and items in QuickBooks and upload the rows again. (${detail})`,
  plan_limit: ({ name, detail }) =>
    `QuickBooks rejected ${name}: the company's QuickBooks plan, or the user who connected it, doesn't allow what it asks for. (${detail}) Leave it out of the sheet, or change the plan in QuickBooks, then upload the rows again.`,
  deleted: ({ number }) => goneSentence(number, "deleted"),
  voided: ({ number }) => goneSentence(number, "voided"),
  in_doubt: ({ name, txnDate }) =>
    `QuickBooks gave no clear answer, so we don't know whether ${name}${txnDate ? ` of ${spellDate(txnDate)}` : ""} was stored. Look for it in QuickBooks before you send it again.`,
  maybe_same: ({ number }) =>
    `QuickBooks gave no clear answer. Its invoice${number ? ` ${number}` : ""} has the same content and was created at that time, perhaps by a user. Is this the same invoice?`,
  altered: ({ docNumber }) =>
    `QuickBooks has an invoice ${docNumber ?? ""} for the same customer, created when we sent this one, but with different values. It may be this invoice: check it in QuickBooks before you upload these rows again.`,
};

const NAMELESS: Readonly<Record<string, string>> = {
  in_doubt_at_stop:
    "QuickBooks gave no clear answer before the upload stopped, so we don't know whether this invoice was stored. Look for it in QuickBooks before you send it again.",
  in_books: "Not posted: you said it's already in QuickBooks.",
  claimed:
    "QuickBooks answered with an invoice that already belongs to other rows, so we don't know whether this one was stored. Look for it in QuickBooks before you upload it again.",
};

const goneSentence = (number: string, how: string) =>
  `QuickBooks created this invoice${number ? ` as ${number}` : ""}, but it was ${how} there before the answer reached us. If you want it, upload its rows again.`;

const takenNumber = (docNumber: string) =>
  `The number ${docNumber} is already in QuickBooks. Change the Invoice No in the sheet, or remove the rows if it's the same invoice.`;

const TAKEN_GIVEN_NUMBER =
  "QuickBooks assigned this invoice a number that's already taken, and then rejected it. Check the latest invoice numbers in QuickBooks and upload the rows again, or give the invoice its own Invoice No.";

/** Explains why an undo left an invoice, or found that others had removed it. */
export function undoSentence({ code, params }: Because, { number }: { number: string | null }): string {
  const inText = number ? `invoice ${number}` : "the invoice";
  const name = capitalize(inText);
  switch (code) {
    case "deleted":
      return `${name} was already deleted in QuickBooks.`;
    case "voided":
      return `${name} was already voided in QuickBooks.`;
    case "paid":
      return `${name} has a payment. Delete the payment in QuickBooks first, then undo again.`;
    case "edited":
      return `${name} was changed in QuickBooks after it was posted, by a user or by the Tracking Service, so we left it alone. Void or delete it there if you want it gone.`;
    case "closed_period":
    case "closed_books":
      return `${name} is in a period whose books are closed. Reopen the books in QuickBooks first, then undo again.`;
    case "refused":
    case "bad_reference":
    case "plan_limit":
      return `QuickBooks didn't let us undo ${inText}: ${String(params["detail"] ?? "")}`;
    default:
      return `QuickBooks gave no clear answer, so we don't know whether ${inText} was undone. Undo again: we check QuickBooks first.`;
  }
}

type Params = Cause["params"];

/** Explains why the plan of an upload leaves out an invoice or holds it back, and what to do. */
const PLAN_SENTENCES: Readonly<Record<string, (params: Params) => string>> = {
  same_file: (params) => {
    const when = `already uploaded on ${spellDay(params)} in "${params["file"]}"`;
    const { name, books } = describeEarlier(params);
    switch (books) {
      case "in_doubt":
        return `Skipped: ${when}, and QuickBooks never confirmed this invoice. Look for it in QuickBooks; if it isn't there, give it a new number (or change the row) and upload again.`;
      case "open":
        return `Skipped: ${when}, and that upload was still working on this invoice. See its results.`;
      case "there":
      case "posted":
        return `Skipped: ${when}${name}.`;
      default:
        return `Skipped: ${when}${name}, and since ${books} in QuickBooks. To post it again, put its rows into a new file and upload that.`;
    }
  },
  posted_number: (params) => {
    const from = `"${params["file"]}"`;
    if (params["books"] === "open") {
      const skipped = `Skipped: ${from}, uploaded on ${spellDay(params)} by ${params["by"]}, has an invoice with this number and was still working on it. See its results; if it isn't posted there, upload this one again.`;
      return [skipped, differsFromEarlier(params, "There it's")].filter(Boolean).join(" ");
    }
    const posted = `posted on ${spellDay(params)} from ${from} by ${params["by"]}`;
    const skipped =
      params["books"] === "voided"
        ? `Skipped: ${posted}, and since voided in QuickBooks. To post it again, delete it there.`
        : `Skipped: ${posted}.`;
    return [skipped, differsFromEarlier(params, "Posted")].filter(Boolean).join(" ");
  },
  equal: (params) => {
    const when = `an identical invoice was uploaded on ${spellDay(params)} in row ${ownRow(Number(params["row"]))} of "${params["file"]}"`;
    const { number, books } = describeEarlier(params);
    if (books === "in_doubt")
      return `Skipped: ${when}, and QuickBooks never confirmed it. Look for it in QuickBooks; if it isn't there, give this one an Invoice No and upload again.`;
    const where =
      books === "there" || books === "posted"
        ? `${THERE[books]}${number}`
        : "that upload was still working on it (see its results)";
    return `Skipped: ${when}, and ${where}. If this is a different invoice, give it its own Invoice No and upload again; or review the file and choose "Post these too".`;
  },
  equal_in_books: (params) => {
    const number = params["number"] ? `, ${params["number"]},` : "";
    return `Skipped: QuickBooks has an identical invoice${number} that was created there on ${spellDay(params)}, not by us. If this is a different invoice, give it its own Invoice No and upload again; or review the file and choose "Post these too".`;
  },
  all_or_nothing: ({ faulty }) => {
    const invoices = faulty === 1 ? "1 invoice has errors" : `${faulty} invoices have errors`;
    return `Not posted: you asked for all or nothing, and ${invoices}. Correct them and upload the file again.`;
  },
};

const spellDay = ({ day }: Params) => spellDate(String(day));

const describeEarlier = ({ number, books }: Params) => ({
  name: number ? ` (invoice ${number})` : "",
  number: number ? ` as invoice ${number}` : "",
  books,
});

/** Only an invoice that was looked up is reported as in QuickBooks. */
const THERE = { there: "is in QuickBooks", posted: "was posted" };

type Billed = { customerName: string; amountCents: number | null };

/**
 * Says how an invoice of the file differs from an earlier one; null if it doesn't.
 * @param start of the sentence, before the amount or the customer of the earlier one
 */
export function differenceSentence(
  earlier: Billed,
  here: Billed & { currency: string | null },
  start = "Posted",
): string | null {
  const isSameAmount =
    (earlier.amountCents ?? here.amountCents) === (here.amountCents ?? earlier.amountCents);
  if (isSameAmount && earlier.customerName === here.customerName) return null;
  const text = ({ customerName, amountCents }: Billed) =>
    [
      isSameAmount || amountCents === null ? "" : moneyText(amountCents, here.currency),
      earlier.customerName === here.customerName ? "" : `for ${customerName}`,
    ]
      .filter(Boolean)
      .join(" ");
  return `${start} ${text(earlier)}; here it's ${text(here)}. Nothing is sent.`;
}

/** The same of a cause, with which the plan noted what the file says. */
const differsFromEarlier = (
  { customer, cents, hereCustomer, hereCents, currency }: Params,
  start: string,
): string | null =>
  differenceSentence(
    { customerName: String(customer), amountCents: asNumber(cents) },
    {
      customerName: String(hereCustomer),
      amountCents: asNumber(hereCents),
      currency: typeof currency === "string" ? currency : null,
    },
    start,
  );

const asNumber = (value: Params[string] | undefined) => (typeof value === "number" ? value : null);
