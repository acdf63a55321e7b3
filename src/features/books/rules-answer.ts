import { SHIPPING_ITEM } from "#integrations/intuit/invoice-body.ts";
import { readAmounts } from "#integrations/intuit/read-amounts.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { centsText } from "#platform/money.ts";
import type { InvoiceDraft } from "#features/books/rules.ts";
import { isOfMoney, type Difference, type OtherField } from "#features/books/contract.ts";

/**
 * Reads a returned invoice and compares it with what was sent. Tax added by QuickBooks is not a
 * difference.
 */
export function readAnswer(
  { draft, amountCents }: { draft: InvoiceDraft; amountCents: number },
  invoice: Invoice,
) {
  const { totalCents, taxCents, netCents } = readAmounts(invoice);
  const total: Difference[] =
    netCents === amountCents
      ? []
      : [{ field: "total", line: null, sent: centsText(amountCents), answered: centsText(netCents) }];
  return {
    qboId: invoice.Id,
    qboDocNumber: invoice.DocNumber ?? null,
    qboTotalCents: totalCents,
    qboTaxCents: taxCents,
    qboSyncToken: invoice.SyncToken,
    qboDueDate: invoice.DueDate ?? null,
    differences: [
      ...total,
      ...compareLines(draft, invoice),
      ...compareCharges(draft, invoice),
      ...compareOthers(draft, invoice),
    ],
  };
}

/** Whether QuickBooks kept the amounts of an invoice as sent, line by line. */
export const hasSameMoney = ({ differences }: { differences: readonly Difference[] }) =>
  !differences.some(isOfMoney);

type Values = { amount?: number | undefined; quantity?: number | undefined; rate?: number | undefined };

/** Lines keep their order; QuickBooks appends a subtotal that was not sent. */
function compareLines(draft: InvoiceDraft, invoice: Invoice): Difference[] {
  const sent = draft.Line.filter(isSalesLine).map(toValues);
  const answered = invoice.Line.filter(isSalesLine).map(toValues);
  if (sent.length !== answered.length) {
    return [{ field: "lines", line: null, sent: String(sent.length), answered: String(answered.length) }];
  }
  return sent.flatMap((values, index) => compareLine(values, answered[index] ?? {}, index + 1));
}

/**
 * Compares amounts outside the lines; QuickBooks may place shipping before or after the subtotal.
 */
function compareCharges(draft: InvoiceDraft, invoice: Invoice): Difference[] {
  const sum = (lines: readonly AnyLine[], isOne: (line: AnyLine) => boolean) =>
    lines.filter(isOne).reduce((total, { Amount = 0 }) => total + Amount, 0);
  const charges = [
    ["discount", sum(draft.Line, isDiscount), sum(invoice.Line, isDiscount)],
    ["shipping", sum(draft.Line, isShipping), sum(invoice.Line, isShipping)],
    ["deposit", draft.Deposit ?? 0, invoice.Deposit ?? 0],
  ] as const;
  return charges.flatMap(([field, sent, answered]) =>
    decimalText(sent) === decimalText(answered)
      ? []
      : [{ field, line: null, sent: decimalText(sent), answered: decimalText(answered) }],
  );
}

/** Compares only values that were sent and returned, because QuickBooks omits derived ones. */
function compareLine(sent: Values, answered: Values, line: number): Difference[] {
  return (["quantity", "rate", "amount"] as const).flatMap((field) => {
    const [first, second] = [sent[field], answered[field]];
    if (first === undefined || second === undefined || decimalText(first) === decimalText(second)) return [];
    return [{ field, line, sent: decimalText(first), answered: decimalText(second) }];
  });
}

type Ref = { value: string; name?: string | undefined };

/** Compares other values of the invoice and of each line. */
function compareOthers(draft: InvoiceDraft, invoice: Invoice): Difference[] {
  const sent: AnyLine[] = draft.Line.filter(isSalesLine);
  const answered: AnyLine[] = invoice.Line.filter(isSalesLine);
  const { ShipMethodRef: method, CustomField: fields = [] } = invoice;
  return [
    ...compareText("ship_via", null, [draft.ShipMethodRef?.value, method && refName(method)]),
    ...compareText("ship_date", null, [draft.ShipDate, invoice.ShipDate]),
    ...compareText("tracking_no", null, [draft.TrackingNum, invoice.TrackingNum]),
    ...(draft.CustomField ?? []).flatMap(({ DefinitionId: id, StringValue: text }) => {
      const kept = fields.find((field) => field["DefinitionId"] === id)?.StringValue;
      return compareText("po_number", null, [text, kept ?? undefined]);
    }),
    ...compareRef("location", null, [draft.DepartmentRef, invoice.DepartmentRef]),
    ...(sent.length === answered.length ? sent : []).flatMap(({ SalesItemLineDetail: detail }, index) => {
      const other = answered[index]?.SalesItemLineDetail;
      return [
        ...compareText("service_date", index + 1, [detail?.ServiceDate, other?.ServiceDate]),
        ...compareRef("class", index + 1, [detail?.ClassRef, other?.ClassRef]),
      ];
    }),
  ];
}

function compareText(
  field: OtherField,
  line: number | null,
  [sent, answered]: readonly [string | undefined, string | undefined],
): Difference[] {
  if (sent === undefined || sent === answered) return [];
  return [{ field, line, sent, answered: answered ?? "" }];
}

/** Compares names, since users don't know ids. */
function compareRef(
  field: OtherField,
  line: number | null,
  [sent, answered]: readonly [Ref | undefined, Ref | undefined],
): Difference[] {
  if (sent?.value === answered?.value) return [];
  return compareText(field, line, [sent && refName(sent), answered && refName(answered)]);
}

const refName = ({ value, name }: Ref) => name ?? value;

type AnyLine = Invoice["Line"][number];

const isSalesLine = (line: AnyLine) => line.DetailType === "SalesItemLineDetail" && !isShipping(line);

const isDiscount = ({ DetailType }: AnyLine) => DetailType === "DiscountLineDetail";

const isShipping = ({ SalesItemLineDetail: detail }: AnyLine) => detail?.ItemRef?.value === SHIPPING_ITEM;

const toValues = ({ Amount, SalesItemLineDetail: detail }: AnyLine): Values => ({
  amount: Amount,
  quantity: detail?.Qty,
  rate: detail?.UnitPrice,
});

/** Formats with at least two and at most seven decimals, QuickBooks' own precision for rates. */
const decimalText = (value: number) => value.toFixed(7).replace(/0{1,5}$/, "");
