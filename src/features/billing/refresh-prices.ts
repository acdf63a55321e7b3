import { SERVICES } from "#features/companies/contract.ts";
import type { PriceView } from "#integrations/stripe/client.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { CATALOG_FRESH_MS } from "#features/billing/limits.ts";
import { listPrices, savePrices } from "#features/billing/store.ts";
import type { Price } from "#features/billing/tables.ts";

/** Our products at Stripe carry this, so that an account may sell other things too. */
const APP = "dockside";

/** Reads what is sold from Stripe. */
export async function refreshPrices(ctx: PaidCtx): Promise<void> {
  const now = ctx.clock.now();
  const prices = (await ctx.payments.listPrices()).flatMap((view) => toPrice(view, now) ?? []);
  await savePrices(ctx.db, prices, now);
}

/** Reads the offered services again when the last read is old; the earlier result serves when Stripe does not answer. */
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

function toPrice(view: PriceView, now: Date): Price | null {
  const service = SERVICES.find((each) => each === view.service);
  const isSellable = view.app === APP && view.isActive && view.currency === "usd";
  if (!service || !isSellable || view.cents === null || view.interval === null) return null;
  return {
    id: view.id,
    service,
    product_name: view.productName,
    product_description: view.productDescription,
    cents: view.cents,
    interval: view.interval,
    is_active: true,
    fetched_at: now,
  };
}
