import { readAmounts } from "#integrations/intuit/read-amounts.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { centsText } from "#features/invoices/check/rules-report.ts";
import type { InvoiceDraft } from "#features/invoices/rules-draft.ts";

/** A value QuickBooks stored otherwise than it was sent, as texts. `line` counts an invoice's lines from 1. */
export type Difference = {
  field: "total" | "lines" | "quantity" | "rate" | "amount";
  line: number | null;
  sent: string;
  answered: string;
};

/** What the ledger keeps of QuickBooks' answer to an invoice. */
export type BooksAnswer = {
  qboId: string;
  qboDocNumber: string | null;
  qboTotalCents: number;
  qboTaxCents: number;
  qboSyncToken: string;
  differences: Difference[];
};

/** Reads an invoice as it came back, and compares it with what was sent. Tax that QuickBooks adds is no difference. */
export function readAnswer(
  { draft, amountCents }: { draft: InvoiceDraft; amountCents: number },
  invoice: Invoice,
): BooksAnswer {
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
    differences: [...total, ...compareLines(draft, invoice)],
  };
}

type Values = { amount?: number | undefined; quantity?: number | undefined; rate?: number | undefined };

/** Lines keep their order; QuickBooks adds a subtotal after them, which nobody sent. */
function compareLines(draft: InvoiceDraft, invoice: Invoice): Difference[] {
  const sent = draft.Line.filter(isSalesLine).map(valuesOf);
  const answered = invoice.Line.filter(isSalesLine).map(valuesOf);
  if (sent.length !== answered.length) {
    return [{ field: "lines", line: null, sent: String(sent.length), answered: String(answered.length) }];
  }
  return sent.flatMap((values, index) => compareLine(values, answered[index] ?? {}, index + 1));
}

/** Only what was sent and came back is compared: QuickBooks leaves out what it derives. */
function compareLine(sent: Values, answered: Values, line: number): Difference[] {
  return (["quantity", "rate", "amount"] as const).flatMap((field) => {
    const [one, other] = [sent[field], answered[field]];
    if (one === undefined || other === undefined || decimalText(one) === decimalText(other)) return [];
    return [{ field, line, sent: decimalText(one), answered: decimalText(other) }];
  });
}

type AnyLine = {
  DetailType?: string | undefined;
  Amount?: number | undefined;
  SalesItemLineDetail?: { Qty?: number | undefined; UnitPrice?: number | undefined } | undefined;
};

const isSalesLine = ({ DetailType }: AnyLine) => DetailType === "SalesItemLineDetail";

const valuesOf = ({ Amount, SalesItemLineDetail: detail }: AnyLine): Values => ({
  amount: Amount,
  quantity: detail?.Qty,
  rate: detail?.UnitPrice,
});

/** At least two decimals and at most seven, QuickBooks' own precision of rates. */
const decimalText = (value: number) => value.toFixed(7).replace(/0{1,5}$/, "");
