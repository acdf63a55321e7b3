import { readKeptLists, unreadableBooks } from "#features/books/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import type { Draft } from "#features/order-invoices/rules-draft.ts";
import type { BookedInvoice } from "#features/orders/index.ts";
import { SHIPPING_ITEM } from "#integrations/intuit/invoice-body.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { centsText, decimalToCents } from "#platform/money.ts";

/** Reads invoices as QuickBooks has stored them, by id, each with its currency. @throws AppError 409 or 503 if the books can't be read */
export async function readBooked(
  ctx: OrderInvoicesCtx,
  realmId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Invoice>> {
  if (ids.length === 0) return new Map();
  const { data } = await ctx
    .books(realmId)
    .findInvoicesById(ids)
    .catch((error: unknown) => {
      throw unreadableBooks(error, { what: "invoices" });
    });
  // A company with one currency may have it left out.
  const isLeftOut = data.some(({ CurrencyRef: own }) => !own);
  const home = isLeftOut ? (await readKeptLists(ctx, realmId)).homeCurrency : null;
  const currency = { value: home ?? "USD" };
  return new Map(
    data.map((invoice) => [invoice.Id, { ...invoice, CurrencyRef: invoice.CurrencyRef ?? currency }]),
  );
}

/** Facts of the retailer's document: the stored lines, each with the draft's line of its item and price, else with the next one, and the charges. */
export function toBooked(draft: Draft, stored: Invoice): BookedInvoice {
  const isSales = ({ DetailType, SalesItemLineDetail: detail }: Invoice["Line"][number]) =>
    DetailType === "SalesItemLineDetail" && detail?.ItemRef?.value !== SHIPPING_ITEM;
  const sales = stored.Line.filter(isSales);
  const left = [...draft.lines];
  const takeDrafted = (detail: Invoice["Line"][number]["SalesItemLineDetail"]) => {
    const own = left.findIndex(
      ({ item, unitPrice }) => item?.id === detail?.ItemRef?.value && Number(unitPrice) === detail?.UnitPrice,
    );
    return left.splice(Math.max(own, 0), 1)[0];
  };
  const sum = (isOne: (line: Invoice["Line"][number]) => boolean) =>
    stored.Line.filter(isOne).reduce((cents, { Amount = 0 }) => cents + decimalToCents(Amount), 0);
  return {
    id: stored.Id,
    number: stored.DocNumber ?? "",
    date: stored.TxnDate ?? "",
    dueDate: stored.DueDate ?? "",
    total: centsText(decimalToCents(stored.TotalAmt)),
    lines: sales.map(({ Amount = 0, SalesItemLineDetail: detail }) => ({
      line: takeDrafted(detail)?.line ?? "",
      quantity: decimalText(detail?.Qty ?? 0),
      unitPrice: decimalText(detail?.UnitPrice ?? 0),
      amount: centsText(decimalToCents(Amount)),
    })),
    freight: centsText(sum(({ SalesItemLineDetail: detail }) => detail?.ItemRef?.value === SHIPPING_ITEM)),
    allowance: centsText(sum(({ DetailType }) => DetailType === "DiscountLineDetail")),
    tax: centsText(decimalToCents(stored.TxnTaxDetail?.TotalTax ?? 0)),
    currency: stored.CurrencyRef?.value ?? "",
    // A draft is posted only once each of these is.
    ...(draft.overbilled && {
      credited: draft.overbilled.map(({ qboId, lines, isWhole }) => ({ id: qboId ?? "", lines, isWhole })),
    }),
  };
}

/** QuickBooks' own precision, without an exponent. */
const decimalText = (value: number): string => String(Number(value.toFixed(7)));
