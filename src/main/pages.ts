import type { TrackingPrice } from "#features/billing/index.ts";
import type { PageUser } from "#features/identity/contract.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Visitor } from "#platform/http/pages.ts";

/** Facts that pages have before their first call; all are public. */
export function bootFacts(config: Config, { price, dsn }: { price: TrackingPrice; dsn: string }) {
  const sellsTracking = config.billing.forSale.includes("tracking");
  return {
    product: config.product,
    retailer: config.retailer,
    release: config.release,
    dsn,
    recorder: config.recorder && {
      app_id: config.recorder.appId,
      sampled_prefix: config.recorder.sampledPrefix,
      sample_rate: config.recorder.sampleRate,
    },
    logrocket: config.logRocket?.appId ?? null,
    demo: config.simulators !== null,
    mail: config.mail !== null,
    edi_partner_url: config.ediPartnerUrl,
    add_in_link: config.addInLink,
    simulators: config.simulators ? { intuit: `http://localhost:${config.simulators.intuitPort}` } : null,
    stripe: config.stripe
      ? { script_url: config.stripe.scriptUrl, publishable_key: config.stripe.publishableKey }
      : null,
    sells_tracking: sellsTracking,
    tracking_price: price?.text ?? null,
    price_note: sellsTracking ? (price?.note ?? null) : "Tracking Service is coming soon.",
  };
}

/** Finds a page's signed-in user, with the values in the prerendered head: a company only for users with Upload. */
export function findVisitor(config: Config, user: PageUser | null): Visitor | null {
  if (!user) return null;
  const company = user.groups.includes("app") ? user.companies[0] : undefined;
  const words = {
    company: company?.name ?? "",
    company_id: company?.id ?? "",
    company_is_first: String(company !== undefined && user.company_is_first),
    company_tracking: String(company?.tracking === true),
    demo: String(config.simulators !== null),
  };
  return { user, words };
}

/** Paths with a page, with or without a trailing slash; any other path is the 404 page. */
export const PAGE_PATHS = [
  "/",
  "/app",
  "/add-in",
  "/tracking",
  "/settings",
  "/settings/developers",
  "/settings/data",
  "/payment-completion",
  "/label",
  "/orders",
  "/ups-callback",
  "/get-app",
  "/invitation",
  "/leave",
  "/disconnect",
  "/end-user-license-agreement",
  "/privacy-policy",
  "/contact",
  "/controller",
  "/controller/companies",
  "/controller/users",
  "/controller/uploads",
  "/controller/runs",
  "/controller/tracking",
  "/controller/orders",
  "/controller/differences",
  "/controller/labels",
  "/controller/billing",
  "/controller/webhooks",
  "/controller/outgoing",
  "/controller/mail",
  "/controller/messages",
  "/controller/errors",
  "/controller/recordings",
  "/controller/audit",
  "/controller/simulators",
  "/login/failed",
  "/logout/confirm",
] as const;

/**
 * Every route that is neither an endpoint nor a page. A route in none of these lists prevents the start.
 */
export const PUBLIC_ROUTES = [
  "GET /api/",
  "GET /api/openapi.json",
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
  "POST /telemetry/errors",
  "POST /telemetry/recordings",
  "GET /t/l/logger.min.js",
  "POST /t/l/i",
  "POST /t/l/s",
  "GET /login/",
  "GET /start/",
  "GET /oauth/intuit/callback",
  "GET /logout/",
  "POST /logout/",
  "GET /get-app/connect",
  "GET /templates/invoice-upload.xlsx",
  "GET /templates/gs1-128-labels.xlsx",
  "GET /templates/samples/*",
  "GET /assets/*",
  "POST /stripe/webhook",
  "POST /intuit/webhook",
  "POST /webhooks/ups",
  "POST /webhooks/ups/token",
  "GET /images/*",
  "GET /before-script.js",
  "GET /player.js",
  "GET /rrweb.js",
  "GET /plain.css",
  "GET /fonts.css",
] as const;
