import type { BillingCtx } from "#features/billing/ctx.ts";
import { PRICE_READ_MS } from "#features/billing/limits.ts";
import { listOffers } from "#features/billing/refresh-prices.ts";
import { priceNote, priceText } from "#features/billing/sentences.ts";
import { listPrices } from "#features/billing/store.ts";

/** Price of tracking, for pages that ask for it; null while it is not known, or not sold. */
export type TrackingPrice = { text: string; note: string } | null;

/**
 * Knows what tracking costs without keeping any page waiting: it is read from the record beside the requests, and from
 * Stripe only when nothing is recorded yet.
 */
export function watchPrices({ payments, ...rest }: BillingCtx): () => TrackingPrice {
  if (!payments) return () => null;
  const ctx = { ...rest, payments };
  let known: TrackingPrice = null;
  let readAt = -Infinity;
  const read = async () => {
    const recorded = await listPrices(ctx.db);
    const prices = recorded.length > 0 ? recorded : await listOffers(ctx);
    const price = prices
      .filter((each) => each.is_active && each.service === "tracking")
      .sort((a, b) => a.cents - b.cents)[0];
    known = price ? { text: priceText(price), note: priceNote(price, ctx.terms.trialDays) } : null;
  };
  const current = () => {
    const now = ctx.clock.now().getTime();
    if (now - readAt > PRICE_READ_MS) {
      readAt = now;
      read().catch((error: unknown) => ctx.log.warn({ err: error }, "The prices could not be read"));
    }
    return known;
  };
  current();
  return current;
}
