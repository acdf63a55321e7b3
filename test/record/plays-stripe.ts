import { setTimeout as wait } from "node:timers/promises";
import type { Facts } from "./plays.ts";
import type { StripeApi, StripeReply } from "./wire-stripe.ts";
import { unique } from "./wire.ts";

/** Input of every play: a price of 49 dollars a month, and a customer whose time is that of a test clock. */
export type StripeStage = {
  api: StripeApi;
  price: string;
  customer: string;
  clock: string;
  startedAt: number;
};

type StripePlay = { name: string; play(stage: StripeStage): Promise<Facts> };

const MONTH_S = 32 * 86_400;
/** For Stripe, too, it takes a while to let a month pass. */
const PASSED_WITHIN_MS = 120_000;

export const toAnswer = ({ status, json }: StripeReply) => {
  const error = json["error"] as { code?: string; type?: string } | undefined;
  return `${status} ${error ? (error.code ?? error.type ?? "without a code") : "ok"}`;
};

/** Played in this order: each continues with the subscription of the one before. */
export const STRIPE_PLAYS: readonly StripePlay[] = [
  {
    name: "idempotency-key",
    play: async ({ api }) => {
      const make = (name: string, key: string) => api.call("POST", "customers", { name }, { key });
      const [key, refusedKey] = [unique(), unique()];
      const [first, again] = [await make("First", key), await make("First", key)];
      const refused = await api.call("POST", "subscriptions", { customer: "cus_none" }, { key: refusedKey });
      const corrected = await make("Corrected", refusedKey);
      const facts = {
        repeated: toAnswer(again),
        "repeated is the same customer": again.json["id"] === first.json["id"],
        "the repeat says so": again.headers.get("idempotent-replayed") === "true",
        "with another body": toAnswer(await make("Other", key)),
        refused: toAnswer(refused),
        "another call with the refused one's key": toAnswer(corrected),
      };
      for (const { json } of [first, corrected])
        if (json["id"]) await api.call("DELETE", `customers/${String(json["id"])}`);
      return facts;
    },
  },
  {
    name: "subscribe",
    play: async (stage) => {
      const made = await stage.api.call("POST", "subscriptions", {
        customer: stage.customer,
        "items[0][price]": stage.price,
        payment_behavior: "default_incomplete",
        "payment_settings[save_default_payment_method]": "on_subscription",
        "expand[0]": "latest_invoice.payment_intent",
      });
      const invoice = made.json["latest_invoice"] as { payment_intent?: { id: string; status: string } };
      const intent = invoice?.payment_intent;
      const confirm = (method: string) =>
        stage.api.call("POST", `payment_intents/${intent?.id}/confirm`, { payment_method: method });
      const declined = await confirm("pm_card_chargeDeclined");
      const afterDecline = await readSubscription(stage);
      const paid = await confirm("pm_card_visa");
      return {
        made: toAnswer(made),
        "its status": String(made.json["status"]),
        "its payment": String(intent?.status),
        "a declined card": toAnswer(declined),
        "the status after it": afterDecline.status,
        "another card": toAnswer(paid),
        "the payment after it": String(paid.json["status"]),
        "the subscription after it": (await readSubscription(stage)).status,
      };
    },
  },
  {
    name: "renew",
    play: async (stage) => {
      await passMonths(stage, 1);
      return { "after a month": await summarize(stage) };
    },
  },
  {
    name: "portal",
    play: async ({ api, customer }) => {
      const options = {
        "business_profile[headline]": "Recording",
        "features[invoice_history][enabled]": "true",
      };
      const made = await api.call("POST", "billing_portal/configurations", options);
      const { id } = made.json as { id: string };
      const fields = { customer, configuration: id, return_url: "https://example.com/" };
      const opened = await api.call("POST", "billing_portal/sessions", fields);
      // Stripe deletes no configuration.
      await api.call("POST", `billing_portal/configurations/${id}`, { active: "false" });
      return { opened: toAnswer(opened), "an address came": URL.canParse(String(opened.json["url"])) };
    },
  },
  {
    name: "failed-renewal",
    play: async (stage) => {
      const { id } = await readSubscription(stage);
      const card = await stage.api.call("POST", "payment_methods/pm_card_chargeCustomerFail/attach", {
        customer: stage.customer,
      });
      await stage.api.call("POST", `subscriptions/${id}`, {
        default_payment_method: String(card.json["id"]),
      });
      await passMonths(stage, 2);
      return { "the card is kept": toAnswer(card), "after another month": await summarize(stage) };
    },
  },
  {
    name: "cancel",
    play: async (stage) => {
      const { id } = await readSubscription(stage);
      const [first, again] = [
        await stage.api.call("DELETE", `subscriptions/${id}`),
        await stage.api.call("DELETE", `subscriptions/${id}`),
      ];
      return {
        canceled: toAnswer(first),
        "its status": String(first.json["status"]),
        again: toAnswer(again),
      };
    },
  },
  {
    name: "refusals",
    play: async ({ api, price, customer }) => {
      const subscribe = (fields: Record<string, string>) => api.call("POST", "subscriptions", fields);
      return {
        "unknown customer": toAnswer(await subscribe({ customer: "cus_none", "items[0][price]": price })),
        "unknown price": toAnswer(await subscribe({ customer, "items[0][price]": "price_none" })),
        "a subscription that does not exist": toAnswer(await api.call("GET", "subscriptions/sub_none")),
        "a field that does not exist": toAnswer(await api.call("POST", "customers", { color: "red" })),
        "a wrong key": toAnswer(await api.call("GET", "prices", {}, { secret: "sk_test_wrong key" })),
      };
    },
  },
  {
    name: "events",
    play: async ({ api }) => {
      const { json } = await api.call("GET", "events", { limit: "50" });
      const events = (json["data"] ?? []) as { type: string; api_version: string | null }[];
      return {
        "an event has a version": events.every(({ api_version: version }) => version !== null),
        "the end of a subscription is one": events.some(
          ({ type }) => type === "customer.subscription.deleted",
        ),
      };
    },
  },
];

async function readSubscription({ api, customer }: StripeStage) {
  const { json } = await api.call("GET", "subscriptions", { customer, status: "all" });
  const [found] = (json["data"] ?? []) as { id: string; status: string }[];
  if (!found) throw new Error("Stripe lists no subscription of the customer that was just made.");
  return found;
}

/** The status of the subscription, and of its invoices from the first to the last. */
async function summarize(stage: StripeStage): Promise<string[]> {
  const { json } = await stage.api.call("GET", "invoices", { customer: stage.customer });
  const invoices = (json["data"] ?? []) as { status: string }[];
  return [(await readSubscription(stage)).status, ...invoices.map(({ status }) => status).toReversed()];
}

/** Lets the customer's time pass, until this many months after its start and a day. */
async function passMonths({ api, clock, startedAt }: StripeStage, months: number): Promise<void> {
  const path = `test_helpers/test_clocks/${clock}`;
  const target = { frozen_time: String(startedAt + months * MONTH_S) };
  const moved = await api.call("POST", `${path}/advance`, target);
  if (moved.status !== 200) throw new Error(`The test clock did not advance: ${toAnswer(moved)}.`);
  for (const end = Date.now() + PASSED_WITHIN_MS; Date.now() < end; await wait(1_000))
    if ((await api.call("GET", path)).json["status"] === "ready") return;
  throw new Error(`The test clock was not ready within ${PASSED_WITHIN_MS / 1_000} s.`);
}
