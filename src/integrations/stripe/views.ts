import { lineText } from "#contract/text.ts";
import { unanswered } from "#integrations/stripe/errors.ts";
import * as z from "zod";

/** Parses an answer. One of another shape counts as no answer, because a proxy may have written it. */
export const parseWith =
  <T extends z.ZodType>(schema: T) =>
  (answer: unknown): z.output<T> => {
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw unanswered(parsed.error);
    return parsed.data;
  };

/** The last second a date can represent. */
const MAX_SECONDS = 8_640_000_000_000;
const seconds = z
  .int()
  .min(0)
  .max(MAX_SECONDS)
  .transform((value) => new Date(value * 1000));
const secondsOrNull = seconds.nullable();
const reference = z.union([z.string(), z.object({ id: z.string() })]);
const toId = (value: z.output<typeof reference>) => (typeof value === "string" ? value : value.id);

const intent = z
  .object({
    id: z.string(),
    status: z.string(),
    client_secret: z.string(),
    last_payment_error: z.object({ code: z.string().optional() }).nullable(),
  })
  .transform((found) => ({
    id: found.id,
    status: found.status,
    clientSecret: found.client_secret,
    failure: found.last_payment_error?.code ?? null,
  }));

const invoice = z
  .object({
    id: z.string(),
    status: z.string().nullable(),
    amount_due: z.int(),
    created: seconds,
    hosted_invoice_url: z.string().nullish(),
    payment_intent: z.union([z.string(), intent]).nullable(),
  })
  .transform((found) => ({
    id: found.id,
    status: found.status,
    amountDue: found.amount_due,
    createdAt: found.created,
    url: found.hosted_invoice_url ?? null,
    intent: typeof found.payment_intent === "string" ? null : found.payment_intent,
  }));

export const voided = z.object({ status: z.literal("void") });

/** The fields we read of an earlier invoice. */
export const pastInvoice = z.object({ status: z.string().nullable(), created: seconds });

export const portalSession = z.object({ url: z.url() });

/** A billing portal configuration, and a list of them. */
export const portal = z.object({ id: z.string(), metadata: z.record(z.string(), z.string()).nullish() });
export const portals = z.object({ data: z.array(portal) });

/** The fields we read of a subscription, with its latest invoice and that invoice's payment. */
export const subscription = z
  .object({
    id: z.string(),
    customer: reference,
    status: z.string(),
    livemode: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    created: seconds,
    current_period_end: seconds,
    cancel_at: secondsOrNull,
    cancel_at_period_end: z.boolean(),
    trial_end: secondsOrNull,
    ended_at: secondsOrNull,
    items: z.object({ data: z.array(z.object({ price: z.object({ id: z.string() }) })) }),
    latest_invoice: z.union([z.string(), invoice]).nullable(),
  })
  .transform((found) => ({
    id: found.id,
    customerId: toId(found.customer),
    status: found.status,
    isLive: found.livemode,
    realmId: found.metadata["realm_id"] ?? null,
    service: found.metadata["service"] ?? null,
    attemptId: found.metadata["attempt_id"] ?? null,
    priceId: found.items.data[0]?.price.id ?? null,
    createdAt: found.created,
    periodEnd: found.current_period_end,
    /** Scheduled end; null if it renews. */
    endsAt: found.cancel_at ?? (found.cancel_at_period_end ? found.current_period_end : null),
    trialEnd: found.trial_end,
    endedAt: found.ended_at,
    invoice: typeof found.latest_invoice === "string" ? null : found.latest_invoice,
  }));
export type SubscriptionView = z.output<typeof subscription>;

export const customer = z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) });

/** A recurring price with its product. */
export const price = z
  .object({
    id: z.string(),
    active: z.boolean(),
    unit_amount: z.int().nullable(),
    currency: z.string(),
    recurring: z.object({ interval: z.string(), interval_count: z.int().min(1) }).nullable(),
    product: z.object({
      id: z.string(),
      name: z.string(),
      description: z.string().nullish(),
      metadata: z.record(z.string(), z.string()),
      active: z.boolean(),
    }),
  })
  .transform(({ id, active, unit_amount: cents, currency, recurring, product }) => ({
    id,
    isActive: active && product.active,
    cents,
    currency,
    interval: recurring && spellInterval(recurring),
    productName: product.name,
    productDescription: product.description ?? "",
    app: product.metadata["app"] ?? null,
    service: product.metadata["service"] ?? null,
  }));
/** Spells the interval of a price, such as `month` or `3 months`. */
const spellInterval = ({ interval, interval_count: count }: { interval: string; interval_count: number }) =>
  count === 1 ? interval : `${count} ${interval}s`;

export type PriceView = z.output<typeof price>;

const eventText = lineText().min(1).max(255);
/**
 * Some have no id, such as a balance or an upcoming invoice. They are about nothing that we can read again.
 */
const subject = z.object({
  object: eventText,
  id: eventText.optional(),
  subscription: z.union([eventText, z.object({ id: eventText })]).nullish(),
});

/** Subject of an event. The rest of its payload is ignored, because the state is read again. */
export const event = z
  .object({
    id: eventText,
    type: eventText,
    created: seconds,
    livemode: z.boolean(),
    api_version: z.string().nullable(),
    data: z.object({ object: subject }),
  })
  .transform(({ id, type, created, livemode, api_version: apiVersion, data }) => ({
    id,
    type,
    createdAt: created,
    isLive: livemode,
    apiVersion,
    subject: readSubject(data.object),
  }));
export type EventView = z.output<typeof event>;

/** @returns null for a body that is not an event */
export function readEvent(body: Buffer): EventView | null {
  try {
    return event.safeParse(JSON.parse(body.toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

type EventSubject = { kind: "subscription" | "customer" | "catalog"; id: string } | null;

function readSubject({ object, id, subscription: of }: z.output<typeof subject>): EventSubject {
  if (object === "invoice" && of) return { kind: "subscription", id: toId(of) };
  if (id === undefined) return null;
  if (object === "subscription" || object === "customer") return { kind: object, id };
  return object === "price" || object === "product" ? { kind: "catalog", id } : null;
}
