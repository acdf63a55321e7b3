import { createBillingTurns, type BillingCtx } from "#features/billing/index.ts";
import type { CarrierCtx } from "#features/carrier/index.ts";
import { notifyBy } from "#features/notices/index.ts";
import { createReportKeeper, localDsn, parseDsn, type TelemetryCtx } from "#features/telemetry/index.ts";
import { createLogRocket } from "#integrations/logrocket/client.ts";
import { createPayments } from "#integrations/stripe/client.ts";
import { createUps } from "#integrations/ups/client.ts";
import { UPS_BUDGET } from "#integrations/ups/config.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Metrics } from "#platform/metrics.ts";
import { createBudget } from "#platform/outbound/budget.ts";
import { createOutboundFetch, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Opens the way to a vendor: its calls are logged and counted under its name. */
type OpenFetch = (
  vendor: string,
  allowedOrigins: readonly string[],
  /** Hosts of further addresses. */
  allowedHosts?: readonly RegExp[],
) => OutboundFetch;

/** Opens the ways to vendors, whose calls are counted. */
export const openOutbound =
  ({ log, clock }: Ctx, metrics: Metrics): OpenFetch =>
  (vendor, allowedOrigins, allowedHosts = []) =>
    createOutboundFetch({
      allowedOrigins,
      allowedHosts,
      log,
      clock,
      onCall: (call) => metrics.vendorCall(vendor, call),
    });

type Outbound = { config: Config; ctx: Ctx; outbound: OpenFetch };

/** Opens billing's dependencies; without Stripe keys nothing is sold. */
export function openBilling({ config, ctx, outbound }: Outbound): BillingCtx {
  const { stripe } = config;
  const common = {
    ...ctx,
    ...notifyBy(ctx, config.mail !== null),
    turns: createBillingTurns(ctx),
    settingsUrl: `${config.publicUrl}/settings/`,
    terms: config.billing,
  };
  if (!stripe) return { ...common, payments: null };
  const fetch = outbound("stripe", [stripe.apiBaseUrl]);
  return { ...common, payments: createPayments(stripe, { fetch, clock: ctx.clock }) };
}

/** Opens the dependencies of carrier accounts; without keys of UPS none are connected. */
export function openCarrier({
  config,
  ctx,
  sealingKeys,
  outbound,
  holder,
}: Outbound & { sealingKeys: SealingKeys; holder: string }): CarrierCtx {
  const { ups } = config;
  const common = { ...ctx, ...notifyBy(ctx, config.mail !== null), sealingKeys };
  if (!ups) return { ...common, ups: null };
  const fetch = outbound("ups", [ups.baseUrl]);
  const budget = createBudget({ ...ctx, rules: UPS_BUDGET, holder });
  return { ...common, ups: createUps(ups, { ...ctx, fetch, budget }) };
}

/** Error reports go to the operator's own server, or into our database; recordings into our database, or to LogRocket. */
export function openTelemetry({ config, ctx, outbound }: Outbound): TelemetryCtx {
  const { release, product, sentryDsn, publicUrl } = config;
  const logRocket = openLogRocket({ config, ctx, outbound });
  const common = { ...ctx, release, product, logRocket, keepReport: createReportKeeper(ctx) };
  if (sentryDsn === null) return { ...common, dsn: localDsn(publicUrl), forward: null };
  const dsn = parseDsn(sentryDsn);
  return { ...common, dsn, forward: outbound("sentry", [new URL(dsn.envelopeUrl).origin]) };
}

function openLogRocket({ config: { logRocket }, ctx, outbound }: Outbound): TelemetryCtx["logRocket"] {
  if (!logRocket) return null;
  const fetch = outbound("logrocket", [logRocket.scriptOrigin, logRocket.ingestOrigin]);
  return createLogRocket(logRocket, { fetch, clock: ctx.clock });
}
