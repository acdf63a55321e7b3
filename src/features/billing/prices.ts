import { SERVICES } from "#features/companies/contract.ts";
import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { CATALOG_FRESH_MS, PRICE_READ_MS } from "#features/billing/limits.ts";
import { priceNote, priceText } from "#features/billing/sentences.ts";
import { listPrices, savePrices } from "#features/billing/store.ts";
import type { Price } from "#features/billing/tables.ts";

/** Metadata of our products at Stripe; the account may sell other things too. */
const APP = "dockside";

/** Reads the prices of our services from Stripe. */
export async function refreshPrices(ctx: PaidCtx): Promise<void> {
  const now = ctx.clock.now();
  const prices = (await ctx.payments.listPrices()).flatMap((view): Price[] => {
    const service = SERVICES.find((each) => each === view.service);
    const isSellable = view.app === APP && view.isActive && view.currency === "usd";
    if (!service || !isSellable || view.cents === null || view.interval === null) return [];
    return [
      {
        id: view.id,
        service,
        product_name: view.productName,
        product_description: view.productDescription,
        cents: view.cents,
        interval: view.interval,
        is_active: true,
        fetched_at: now,
      },
    ];
  });
  await savePrices(ctx.db, prices, now);
}

/**
 * Lists the recorded prices and refreshes them when stale; keeps the recorded ones if Stripe does
 * not answer.
 */
export async function listOffers(ctx: PaidCtx): Promise<Price[]> {
  const known = await listPrices(ctx.db);
  const oldest = Math.min(...known.map(({ fetched_at: at }) => at.getTime()));
  if (known.length > 0 && ctx.clock.now().getTime() - oldest < CATALOG_FRESH_MS) return known;
  try {
    await refreshPrices(ctx);
  } catch (error) {
    if (known.length === 0) throw error;
    ctx.log.warn({ err: error }, "The catalog could not be read again");
  }
  return listPrices(ctx.db);
}

/** The price of tracking for public pages; null if unknown or not sold. */
export type TrackingPrice = { text: string; note: string } | null;

/**
 * Provides the price of tracking without delaying any page: read from the record in the background,
 * and from Stripe only if nothing is recorded yet.
 */
export function watchPrices({ payments, ...rest }: BillingCtx): () => TrackingPrice {
  if (!payments || !rest.terms.forSale.includes("tracking")) return () => null;
  const ctx = { ...rest, payments };
  let known: TrackingPrice = null;
  let readAt = -Infinity;
  const read = async () => {
    const recorded = await listPrices(ctx.db);
    const prices = recorded.length > 0 ? recorded : await listOffers(ctx);
    const [price] = prices
      .filter((each) => each.is_active && each.service === "tracking")
      .sort((a, b) => a.cents - b.cents);
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
