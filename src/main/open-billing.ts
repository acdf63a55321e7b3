import { createBillingTurns, type BillingCtx } from "#features/billing/index.ts";
import { notifyBy } from "#features/notices/index.ts";
import { createPayments } from "#integrations/stripe/client.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Ctx } from "#platform/ctx.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Opens billing's dependencies; without keys of Stripe nothing is sold. */
export function openBilling({ config, ctx }: { config: Config; ctx: Ctx }): BillingCtx {
  const { stripe } = config;
  const common = {
    ...ctx,
    ...notifyBy(ctx, config.mail !== null),
    turns: createBillingTurns(ctx.db),
    settingsUrl: `${config.publicUrl}/settings/`,
    terms: config.billing,
  };
  if (!stripe) return { ...common, payments: null };
  const fetch = createOutboundFetch({ ...ctx, allowedOrigins: [stripe.apiBaseUrl] });
  return { ...common, payments: createPayments(stripe, { fetch, clock: ctx.clock }) };
}
