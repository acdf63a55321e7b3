import type { Field, RowGroup } from "#features/invoices/workbook/rules-sheet.ts";
import { AUTO_NUMBER, type InvoiceLineBody, SHIPPING_ITEM } from "#integrations/intuit/invoice-body.ts";
import { centsToFixed, type Fixed, fixedToNumber } from "#formats/table/amounts.ts";
import type { Charges, CheckedInvoice, Line, PlanLists } from "#features/invoices/plan/rules.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import { foreignCurrency } from "#features/invoices/plan/rules-currency.ts";
import { cellText } from "#formats/table/cells.ts";
import type { ReadInvoice } from "#features/invoices/ledger/tables.ts";
import { DAY_MS } from "#platform/time.ts";

/**
 * Builds the body of a checked invoice. Without a number, QuickBooks assigns one; a company that numbers by
 * hand must request that explicitly.
 * @throws Error if the invoice was not checked: a bug
 */
export function buildDraft(invoice: CheckedInvoice, lists: PlanLists): InvoiceDraft {
  const { customer, value } = invoice;
  const txnDate = value("invoiceDate");
  if (!customer || !txnDate) throw new Error("A draft needs a customer and a date.");
  return compact<InvoiceDraft>({
    CustomerRef: refTo(customer),
    TxnDate: txnDate,
    DocNumber: invoice.docNumber ?? (lists.customNumbers ? AUTO_NUMBER : undefined),
    DueDate: value("dueDate"),
    SalesTermRef: invoice.terms && { value: invoice.terms.id },
    DepartmentRef: invoice.department && refTo(invoice.department),
    // Companies with one currency refuse the property.
    CurrencyRef: given(foreignCurrency(customer, lists), (currency) => ({ value: currency })),
    CustomerMemo: given(value("customerMemo"), (memo) => ({ value: memo })),
    PrivateNote: value("privateNote"),
    BillEmail: given(value("email"), (email) => ({ Address: email })),
    ShipMethodRef: given(value("shipVia"), (shipVia) => ({ value: shipVia, name: shipVia })),
    ShipDate: value("shipDate"),
    TrackingNum: value("trackingNo"),
    BillAddr: buildAddress(value, "bill"),
    ShipAddr: buildAddress(value, "ship"),
    CustomField: given(value("poNumber"), (poNumber) => customField(poNumber, lists)),
    ExchangeRate: invoice.exchangeRate,
    Deposit: toMoney(invoice.charges.depositCents),
    Line: [...invoice.lines.map(lineBody), ...chargeLines(invoice.charges)],
  });
}

const refTo = ({ id, name }: { id: string; name: string }) => ({ value: id, name });

function given<Result>(text: string | undefined, make: (text: string) => Result): Result | undefined {
  return text === undefined ? undefined : make(text);
}

function customField(text: string, { poField }: PlanLists): InvoiceDraft["CustomField"] {
  return poField && [{ DefinitionId: poField.id, Name: poField.name, Type: "StringType", StringValue: text }];
}

function lineBody(line: Line): InvoiceLineBody {
  if (!line.item)
    return { DetailType: "DescriptionOnly", Description: line.description ?? "", DescriptionLineDetail: {} };
  if (line.cents === undefined) throw new Error("A line of a draft needs its amount.");
  return compact<InvoiceLineBody>({
    DetailType: "SalesItemLineDetail",
    Amount: toMoney(line.cents),
    Description: line.description,
    SalesItemLineDetail: compact({
      ItemRef: refTo(line.item),
      Qty: line.qty === undefined ? undefined : fixedToNumber(line.qty),
      UnitPrice: line.rate === undefined ? undefined : fixedToNumber(line.rate),
      ServiceDate: line.serviceDate,
      TaxCodeRef: line.taxable === undefined ? undefined : { value: line.taxable ? "TAX" : "NON" },
      ClassRef: line.lineClass && refTo(line.lineClass),
    }),
  });
}

/** Lines after those of the rows, in the order of QuickBooks' own form. */
function chargeLines({ shippingCents, lines, discount }: Charges): InvoiceLineBody[] {
  const charges = lines.map(({ item, cents }) => ({ ref: refTo(item), cents }));
  if (shippingCents !== undefined) charges.push({ ref: SHIPPING_REF, cents: shippingCents });
  const body = charges.map(({ ref, cents }): InvoiceLineBody => ({
    DetailType: "SalesItemLineDetail",
    Amount: toMoney(cents),
    SalesItemLineDetail: { ItemRef: ref },
  }));
  if (!discount) return body;
  // QuickBooks takes a percentage of all lines, charges included; ours is of the rows' lines.
  const detail =
    discount.percent === undefined || body.length > 0
      ? ({ PercentBased: false } as const)
      : ({ PercentBased: true, DiscountPercent: fixedToNumber(discount.percent) } as const);
  return [
    ...body,
    { DetailType: "DiscountLineDetail", Amount: toMoney(discount.cents), DiscountLineDetail: detail },
  ];
}

const SHIPPING_REF = { value: SHIPPING_ITEM, name: "Shipping" };

const ADDRESS_PARTS = {
  Line1: "Line1",
  Line2: "Line2",
  Line3: "Line3",
  Line4: "Line4",
  City: "City",
  CountrySubDivisionCode: "State",
  PostalCode: "PostalCode",
  Country: "Country",
} as const;

const addressFields = (side: "bill" | "ship") =>
  Object.entries(ADDRESS_PARTS).map(([part, name]) => [part, `${side}${name}` as Field] as const);
const ADDRESS_FIELDS = { bill: addressFields("bill"), ship: addressFields("ship") };

/** Omits a blank address, so that QuickBooks uses the customer's own. */
function buildAddress(value: CheckedInvoice["value"], side: "bill" | "ship"): InvoiceDraft["BillAddr"] {
  const address: Record<string, string> = {};
  for (const [part, field] of ADDRESS_FIELDS[side]) {
    const text = value(field);
    if (text !== undefined) address[part] = text;
  }
  return Object.keys(address).length > 0 ? address : undefined;
}

type Loose<Body> = Body extends unknown ? { [Key in keyof Body]: Body[Key] | undefined } : never;

/** Removes undefined properties: the body must have no empty ones. */
function compact<Body extends object>(body: Loose<Body>): Body {
  const filled: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) if (value !== undefined) filled[key] = value;
  return filled as Body;
}

/** Due date by the terms of an invoice without one of its own, as QuickBooks works it out; undefined when that is unknown. */
export function addTerms({ terms, value }: CheckedInvoice, lists: PlanLists): string | undefined {
  const [txnDate, dueDate] = [value("invoiceDate"), value("dueDate")];
  const days = lists.terms.find(({ id }) => id === terms?.id)?.dueDays;
  if (!txnDate || dueDate || days === undefined) return undefined;
  return new Date(Date.parse(txnDate) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Collects the readable values of an invoice that has an error. An unknown name stays as in the sheet. */
export function readSoFar({ value, lines }: CheckedInvoice, { rows }: RowGroup): ReadInvoice {
  return {
    txnDate: value("invoiceDate") ?? null,
    dueDate: value("dueDate") ?? null,
    lines: rows.map((row, index) => {
      const line = lines[index];
      return {
        row: row.row,
        item: line?.item?.name ?? cellText(row, "item") ?? null,
        description: line?.description ?? "",
        qty: toNumber(line?.qty),
        rate: toNumber(line?.rate),
        amount: line?.cents === undefined ? null : fixedToNumber(centsToFixed(line.cents)),
      };
    }),
  };
}

function toMoney(cents: bigint): number;
function toMoney(cents: bigint | undefined): number | undefined;
function toMoney(cents: bigint | undefined): number | undefined {
  return cents === undefined ? undefined : fixedToNumber(centsToFixed(cents));
}

const toNumber = (fixed: Fixed | undefined) => (fixed === undefined ? null : fixedToNumber(fixed));
