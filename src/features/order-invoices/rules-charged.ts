import type { Bill, Draft } from "#features/order-invoices/rules-draft.ts";
import { divideCharges, type BookedInvoice, type Partner, type StoredOrder } from "#features/orders/index.ts";
import { decimalToCents } from "#platform/money.ts";

/**
 * Finds the draft that gets the charges of the whole order: the first that can be posted, since one that waits for its ship
 * notice may be voided and never bill them.
 * @param drafts bills that aren't posted or being posted, in the order of their shipments
 * @param others invoices of the order that are
 */
export function findCharged(drafts: readonly Bill[], others: readonly Draft[]): Bill | undefined {
  if (others.some(({ hasOrderCharges }) => hasOrderCharges)) return undefined;
  return drafts.find(({ shipments }) => shipments.every(({ notice }) => notice !== "pending")) ?? drafts[0];
}

/** An invoice of an order that is posted or being posted, with what its document for the retailer says once there is one. */
export type Settled = {
  draft: Pick<Draft, "hasOrderCharges">;
  booked: Pick<BookedInvoice, "freight" | "allowance"> | undefined;
  /** The labels of all that it bills were voided. */
  isWholeExcess: boolean;
  isSent: boolean;
};

/** Cents of an order's charges that no invoice bills. `isGone`: the invoice that had them isn't in the books anymore. */
export type UnbilledCharges = { freight: number; allowance: number; isGone: boolean };

/**
 * Finds fixed amounts of an order that no invoice of it bills, since the one that had them was undone or is credited as a whole.
 * @param settled all its invoices: with a draft among them, that one has them
 */
export function findUnbilledCharges(
  { content, state }: Pick<StoredOrder, "content" | "state">,
  partner: Partner,
  settled: readonly Settled[],
): UnbilledCharges | null {
  if (state === "open" || state === "labelling") return null;
  const charged = settled.filter(({ draft }) => draft.hasOrderCharges);
  // A valid invoice has them; one that the retailer doesn't have is undone first.
  if (charged.some(({ isWholeExcess, isSent }) => !isWholeExcess || !isSent)) return null;
  const named = divideCharges(content, partner);
  const sumMissing = (amount: "freight" | "allowance") =>
    settled.reduce(
      (cents, { isWholeExcess, booked }) =>
        isWholeExcess || !booked ? cents : cents - decimalToCents(Number(booked[amount])),
      named[amount]?.amountCents ?? 0,
    );
  const [freight, allowance] = [sumMissing("freight"), sumMissing("allowance")];
  return freight > 0 || allowance > 0 ? { freight, allowance, isGone: charged.length === 0 } : null;
}
