import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import type { Clock } from "#platform/clock.ts";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { StripeFailure, unanswered } from "#integrations/stripe/errors.ts";
import { verifyEvent } from "#integrations/stripe/verify-event.ts";
import * as views from "#integrations/stripe/views.ts";
import { parseWith } from "#integrations/stripe/views.ts";
import type { Config } from "#platform/config/read-config.ts";

/** Stripe's addresses and our credentials. */
type StripeConfig = NonNullable<Config["stripe"]>;

/** Version of the objects we read; the SDK is pinned to the release with types of this version. */
export const STRIPE_API_VERSION = "2023-10-16";

/** Origins of the card fields and of 3-D Secure on the real service, besides the script's. */
const BROWSER_ORIGINS = ["https://hooks.stripe.com", "https://api.stripe.com"];

/** Every origin that our pages contact for a payment, for the content security policy. */
export function browserOrigins(config: StripeConfig): string[] {
  const own = new URL(config.scriptUrl).origin;
  return config.simulator ? [own] : [own, ...BROWSER_ORIGINS];
}

export type { EventView, SubscriptionView } from "#integrations/stripe/views.ts";

/** Timeout of one attempt; an unanswered call is sent once more, under the same key. */
const TIMEOUT_MS = 12_000;
const RETRY_DELAY_MS = 500;
const PAGE = 100;
/** Maximum number of events in one read. */
const MAX_EVENTS = 1_000;

const EXPAND = ["latest_invoice.payment_intent"];

type Deps = { fetch: OutboundFetch; clock: Clock };

type NewSubscription = {
  /** Idempotency key: a repeated call gets the first answer. */
  key: string;
  customerId: string;
  priceId: string;
  /** Text shown to the payer on invoices and in the portal. */
  description: string;
  metadata: { realm_id: string; service: string; attempt_id: string };
  /** Trial days before the first payment; null to pay now. */
  trialDays: number | null;
};

/**
 * Creates the client for subscriptions at Stripe; contains all our calls, and is the only file that knows the
 * SDK. Failures are StripeFailures.
 */
export function createPayments(config: StripeConfig, { fetch, clock }: Deps) {
  const stripe = openSdk(config, { fetch, clock });
  const bind =
    <Input extends unknown[], Result>(operation: (stripe: Stripe, ...input: Input) => Promise<Result>) =>
    (...input: Input): Promise<Result> =>
      settled(() => operation(stripe, ...input));
  return {
    isLive: config.isLive,
    listPrices: bind(listPrices),
    createCustomer: bind(createCustomer),
    listCustomers: bind(listCustomers),
    createSubscription: bind(createSubscription),
    readSubscription: bind(readSubscription),
    listSubscriptions: bind(listSubscriptions),
    findUnpaidSince: bind(findUnpaidSince),
    scheduleEnd: bind(scheduleEnd),
    endUnpaid: bind(endUnpaid),
    openPortal: bind((sdk, customer: PortalCustomer) => openPortal(sdk, config, customer)),
    listEvents: bind(listEvents),

    /** Reads an event signed by Stripe; null if the body or signature is invalid. */
    readEvent: (body: Buffer, signature: string | undefined): views.EventView | null => {
      const now = clock.now();
      return verifyEvent({ body, signature, secrets: config.webhookSecrets, now })
        ? views.readEvent(body)
        : null;
    },
  };
}

export type Payments = ReturnType<typeof createPayments>;

async function listPrices(stripe: Stripe): Promise<views.PriceView[]> {
  const found: views.PriceView[] = [];
  const query: Stripe.PriceListParams = {
    active: true,
    type: "recurring",
    limit: PAGE,
    expand: ["data.product"],
  };
  for await (const price of stripe.prices.list(query)) found.push(parseWith(views.price)(price));
  return found;
}

type NewCustomer = { accountId: string; email: string; name: string; realmId: string };

async function createCustomer(
  stripe: Stripe,
  { accountId, email, name, realmId }: NewCustomer,
): Promise<string> {
  const { id } = await stripe.customers
    .create({ email, name, metadata: { realm_id: realmId } }, { idempotencyKey: `customer-${accountId}` })
    .then(parseWith(views.customer));
  return id;
}

/** Lists the customers that were created for a company and a payer's email, newest first. */
async function listCustomers(
  stripe: Stripe,
  { email, realmId }: Pick<NewCustomer, "email" | "realmId">,
): Promise<string[]> {
  const found: string[] = [];
  for await (const each of stripe.customers.list({ email, limit: PAGE })) {
    const { id, metadata } = parseWith(views.customer)(each);
    if (metadata["realm_id"] === realmId) found.push(id);
  }
  return found;
}

function createSubscription(
  stripe: Stripe,
  { key, customerId, priceId, description, metadata, trialDays }: NewSubscription,
): Promise<views.SubscriptionView> {
  const trial: Stripe.SubscriptionCreateParams =
    trialDays === null
      ? { customer: customerId }
      : {
          customer: customerId,
          trial_period_days: trialDays,
          trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
        };
  const asked: Stripe.SubscriptionCreateParams = {
    ...trial,
    items: [{ price: priceId }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    description,
    metadata,
    expand: EXPAND,
  };
  return stripe.subscriptions.create(asked, { idempotencyKey: key }).then(parseWith(views.subscription));
}

/** @returns null if Stripe has none with this id */
async function readSubscription(stripe: Stripe, id: string): Promise<views.SubscriptionView | null> {
  try {
    return await stripe.subscriptions.retrieve(id, { expand: EXPAND }).then(parseWith(views.subscription));
  } catch (error) {
    const failure = toFailure(error);
    if (failure instanceof StripeFailure && failure.kind === "not_found") return null;
    throw failure;
  }
}

/** Lists all subscriptions of a customer, including ended ones, newest first. */
async function listSubscriptions(stripe: Stripe, customerId: string): Promise<views.SubscriptionView[]> {
  const found: views.SubscriptionView[] = [];
  const query: Stripe.SubscriptionListParams = {
    customer: customerId,
    status: "all",
    limit: PAGE,
    expand: EXPAND.map((path) => `data.${path}`),
  };
  for await (const each of stripe.subscriptions.list(query)) found.push(parseWith(views.subscription)(each));
  return found;
}

/**
 * Finds since when a subscription is unpaid: its first unpaid invoice after the last paid one; null for none.
 */
async function findUnpaidSince(stripe: Stripe, id: string): Promise<Date | null> {
  let since: Date | null = null;
  for await (const each of stripe.invoices.list({ subscription: id, limit: PAGE })) {
    const { status, created } = parseWith(views.pastInvoice)(each);
    if (status === "paid") break;
    if (status === "open" || status === "uncollectible") since = created;
  }
  return since;
}

/** Schedules the end at the end of the paid period, or removes a scheduled end. */
async function scheduleEnd(
  stripe: Stripe,
  { id, atPeriodEnd, key }: { id: string; atPeriodEnd: boolean; key: string },
): Promise<views.SubscriptionView> {
  const { subscriptions } = stripe;
  const change = (asked: Stripe.SubscriptionUpdateParams, idempotencyKey: string) =>
    subscriptions
      .update(id, { ...asked, expand: EXPAND }, { idempotencyKey })
      .then(parseWith(views.subscription));
  const changed = await change({ cancel_at_period_end: atPeriodEnd }, key);
  // An end on a custom date, as scheduled in Stripe's dashboard, must be removed separately.
  return atPeriodEnd || changed.endsAt === null ? changed : change({ cancel_at: "" }, `${key}-day`);
}

/**
 * Ends an unpaid subscription, so that it cannot be paid and no card is charged for it. Voids its open invoices
 * first: Stripe lets only one of a void and a payment succeed.
 * @returns its state: paid after all if the payment came first
 */
async function endUnpaid(
  stripe: Stripe,
  { id, invoice }: views.SubscriptionView,
): Promise<views.SubscriptionView> {
  try {
    // The one that was seen open comes first: if it was paid meanwhile, nothing is ended.
    if (invoice?.status === "open")
      await stripe.invoices.voidInvoice(invoice.id).then(parseWith(views.voided));
    // The latest one may be a draft, and an earlier one still payable.
    for await (const open of stripe.invoices.list({ subscription: id, status: "open", limit: PAGE }))
      await stripe.invoices.voidInvoice(open.id).then(parseWith(views.voided));
    return await stripe.subscriptions.cancel(id, { expand: EXPAND }).then(parseWith(views.subscription));
  } catch (error) {
    const failure = toFailure(error);
    const isOther = failure instanceof StripeFailure && ["refused", "not_found"].includes(failure.kind);
    const found = isOther ? await readSubscription(stripe, id) : null;
    if (found) return found;
    throw failure;
  }
}

type PortalCustomer = { customerId: string; returnUrl: string };

/** @returns the address of a page where a customer manages their payments; valid for minutes */
async function openPortal(
  stripe: Stripe,
  { portalOrigin }: StripeConfig,
  { customerId, returnUrl }: PortalCustomer,
): Promise<string> {
  const configuration = await findPortal(stripe);
  const session = await stripe.billingPortal.sessions
    .create({ customer: customerId, return_url: returnUrl, configuration })
    .then(parseWith(views.portalSession));
  if (new URL(session.url).origin !== portalOrigin) throw unanswered(null);
  return session.url;
}

type Events = { events: views.EventView[]; isComplete: boolean };

/**
 * Lists events since a time, oldest first. If there are very many, only the newest, because Stripe lists
 * those first.
 */
async function listEvents(stripe: Stripe, since: Date): Promise<Events> {
  const found: views.EventView[] = [];
  const query = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: PAGE };
  for await (const each of stripe.events.list(query)) {
    found.push(parseWith(views.event)(each));
    if (found.length === MAX_EVENTS) break;
  }
  return { events: found.reverse(), isComplete: found.length < MAX_EVENTS };
}

function openSdk(config: StripeConfig, { fetch, clock }: Deps): Stripe {
  const { protocol, hostname, port } = new URL(config.apiBaseUrl);
  const send = async (url: string, { method, headers, body, signal }: RequestInit) => {
    const response = await fetch(url, {
      ...(method ? { method } : {}),
      ...(headers ? { headers } : {}),
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
      timeoutMs: TIMEOUT_MS,
    });
    if (response.headers.has("request-id")) return response;
    // Every answer from Stripe has one. Any other answer, even a refusal in Stripe's format, is a proxy's:
    // the call may have been done.
    await response.body?.cancel();
    throw new Error(`An answer ${response.status} without Stripe's Request-Id`);
  };
  // The SDK's own retry waits by the machine's clock. A failure is logged where the call leaves.
  const sendWithRetry = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (init.method === "POST" && !headers.has("idempotency-key"))
      headers.set("idempotency-key", randomUUID());
    const first = await send(url, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted || error instanceof HostNotAllowed) throw error;
      return null;
    });
    if (first && !isWorthRetry(first)) return first;
    await first?.body?.cancel();
    await clock.sleep(RETRY_DELAY_MS);
    return send(url, { ...init, headers });
  };
  return new Stripe(config.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: Stripe.createFetchHttpClient(sendWithRetry as typeof globalThis.fetch),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port ? { port } : {}),
    maxNetworkRetries: 0,
    // Timeout of both attempts together.
    timeout: 3 * TIMEOUT_MS,
    telemetry: false,
  });
}

/** Says, as the SDK does, whether Stripe may answer otherwise: its own word, else a conflict or a failure of its own. */
function isWorthRetry({ headers, status }: Response): boolean {
  const said = headers.get("stripe-should-retry");
  return said ? said === "true" : status === 409 || status >= 500;
}

/** Finds our portal configuration in the account; creates it if there is none. */
async function findPortal(stripe: Stripe): Promise<string> {
  const asked = stripe.billingPortal.configurations.list({ active: true, limit: PAGE });
  const { data } = parseWith(views.portals)(await asked);
  const ours = data.find(({ metadata }) => metadata?.["app"] === "dockside");
  if (ours) return ours.id;
  // A second one after a lost answer is harmless; a failure that Stripe stores under an idempotency key is
  // not.
  return stripe.billingPortal.configurations
    .create({
      // Stripe requires one, and the SDK does not send an empty one.
      business_profile: { headline: "Your subscriptions and invoices" },
      metadata: { app: "dockside" },
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: "at_period_end" },
      },
    })
    .then((made) => parseWith(views.portal)(made).id);
}

async function settled<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error);
  }
}

function toFailure(error: unknown): unknown {
  if (error instanceof StripeFailure) return error;
  if (!(error instanceof Stripe.errors.StripeError)) return unanswered(error);
  const { statusCode: http = null, code = null } = error;
  return new StripeFailure({ kind: classifyError(error), http, code, requestId: error.requestId ?? null });
}

function classifyError(error: Stripe.errors.StripeError): StripeFailure["kind"] {
  if (error instanceof Stripe.errors.StripeCardError) return "card";
  // While the first of two calls with one key is running, its outcome is unknown.
  if (error.code === "idempotency_key_in_use") return "unanswered";
  if (error instanceof Stripe.errors.StripeIdempotencyError) return "key_conflict";
  if (error instanceof Stripe.errors.StripeAuthenticationError) return "keys";
  if (error instanceof Stripe.errors.StripePermissionError) return "keys";
  if (error.code === "resource_missing" && error.param === "customer") return "customer_gone";
  if (error.code === "resource_missing" && error.statusCode === 404) return "not_found";
  return error instanceof Stripe.errors.StripeInvalidRequestError ? "refused" : "unanswered";
}
