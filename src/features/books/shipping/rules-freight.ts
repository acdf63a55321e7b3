import { SHIPPING_ITEM } from "#integrations/intuit/invoice-body.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";

type Line = Invoice["Line"][number];

const isShipping = ({ SalesItemLineDetail: detail }: Line) => detail?.ItemRef?.value === SHIPPING_ITEM;

const toCents = (amount: number) => Math.round(amount * 100);

/** Cents that a column of the database takes. QuickBooks takes more, and no freight of labels is near it. */
const MAX_CENTS = 2_147_483_647;

/** The shipping amount of an invoice in cents, MAX_CENTS at most; 0 without one. */
export function sumShipping({ Line }: Pick<Invoice, "Line">): number {
  const cents = Line.filter(isShipping).reduce((sum, { Amount = 0 }) => sum + toCents(Amount), 0);
  return Math.max(-MAX_CENTS, Math.min(MAX_CENTS, cents));
}

/**
 * Lines of an invoice with another shipping amount. All other lines stay as they were read, since QuickBooks replaces the
 * lines as a whole. It appends the subtotal, which has no id, by itself.
 * @param cents 0 removes the amount
 */
export function replaceShipping(lines: readonly Line[], cents: number): Line[] {
  const own = lines.filter((line) => line.DetailType !== "SubTotalLineDetail" || "Id" in line);
  const others = own.filter((line) => !isShipping(line));
  const known = own.find(isShipping);
  // QuickBooks keeps no invoice without a line.
  if (cents === 0 && others.length > 0) return others;
  // A quantity and a price would have to give the amount.
  const {
    Qty: _qty,
    UnitPrice: _price,
    ...detail
  } = known?.SalesItemLineDetail ?? {
    ItemRef: { value: SHIPPING_ITEM },
  };
  const shipping = {
    ...known,
    DetailType: "SalesItemLineDetail",
    Amount: cents / 100,
    SalesItemLineDetail: detail,
  };
  return known ? own.map((line) => (line === known ? shipping : line)) : [...own, shipping];
}
