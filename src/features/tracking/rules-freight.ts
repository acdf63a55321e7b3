import type { Freight } from "#features/tracking/tables.ts";

/** A purchase of UPS labels that the company paid, whose packages are of one invoice only. */
export type LabelShipment = {
  id: string;
  /** Price by UPS; null if it named no price. */
  cents: number | null;
  currency: string;
  /** Whether all of its labels are voided. */
  isVoided: boolean;
  /** Made since the company wants freight on its invoices. */
  isWanted: boolean;
};

type Invoice = { currency: string; shipping_cents: number; is_paid: boolean };
/** `problem`: code of a reason that a user should know. */
type Plan = { freight: Freight | null; problem: string | null };

const NOTHING: Plan = { freight: null, problem: null };

/**
 * Finds the shipping amount to write: the freight of all purchases known when it is written first; of those, the rest after a
 * void. An amount of a user's stays, and so does one of a paid invoice.
 * @param ours written last; null if never
 */
export function planFreight(
  invoice: Invoice,
  ours: Freight | null,
  shipments: readonly LabelShipment[],
): Plan {
  const live = shipments.filter(({ isVoided }) => !isVoided);
  const included = live.filter(({ id }) => ours?.shipments.includes(id));
  const chosen = included.length > 0 ? included : live.filter(({ isWanted }) => isWanted);
  const there = ours?.cents ?? 0;
  // An amount that a user typed, changed or removed is theirs.
  if (invoice.shipping_cents !== there) return NOTHING;
  if (chosen.some(({ cents }) => cents === null)) return { freight: null, problem: "freight_unpriced" };
  const cents = chosen.reduce((sum, pkg) => sum + (pkg.cents ?? 0), 0);
  if (cents === there) return NOTHING;
  if (invoice.is_paid) return { freight: null, problem: "freight_paid" };
  if (chosen.some(({ currency }) => currency !== invoice.currency))
    return { freight: null, problem: "freight_currency" };
  const freight = {
    cents,
    instead_of: there,
    currency: invoice.currency,
    shipments: chosen.map(({ id }) => id),
  };
  return { freight, problem: null };
}
