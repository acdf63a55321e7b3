import { createHmac } from "node:crypto";
import {
  activateSubscription,
  listSubscriptions,
  readPayer,
  startPayment,
  type StartedPayment,
  type SubscriptionRow,
} from "#features/billing/contract.ts";
import { listCompanies } from "#features/companies/contract.ts";
import type { Browser, Reply } from "./browser.ts";
import { steppedClock } from "./stepped-clock.ts";
import { ACME } from "./intuit.ts";
import { startApp, type TestApp } from "./start-app.ts";
import { executeSystemRun } from "./system-runs.ts";

const DAY_MS = 24 * 3_600_000;

/** Starts a product for its payments: the test moves the clock, and `passDays` the vendors' clocks with it. */
export async function openBilling(
  options: Pick<NonNullable<Parameters<typeof startApp>[0]>, "log" | "mail"> = {},
) {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock, ...options });
  const owner = await app.owner(ACME);
  const passDays = async (days: number) => {
    clock.advance(days * DAY_MS);
    await app.stripe.control("clock");
    await owner.signIn("owner@acme.example");
  };
  return { app, owner, clock, passDays };
}

const about = (realmId: string) => ({ query: { realm_id: realmId } });

export const listRows = async (browser: Browser, realmId = ACME) =>
  (await browser.call(listSubscriptions, about(realmId))).json() as SubscriptionRow[];

/** Who pays for a company, as it tells a user. */
export const findPayer = async (browser: Browser, realmId = ACME) =>
  (await browser.call(readPayer, about(realmId))).json();

/** The row of the one service that the demo sells. */
export async function readRow(browser: Browser, realmId = ACME): Promise<SubscriptionRow> {
  const [row] = await listRows(browser, realmId);
  if (!row) throw new Error("Nothing is sold.");
  return row;
}

export const listServices = async (browser: Browser, realmId = ACME): Promise<string[]> => {
  const { companies } = (await browser.call(listCompanies)).json() as {
    companies: { id: string; services: string[] }[];
  };
  return companies.find(({ id }) => id === realmId)?.services ?? [];
};

/** The call of a click on Add. */
export async function clickAdd(
  browser: Browser,
  more: { trial?: boolean } = {},
  realmId = ACME,
): Promise<Reply> {
  const { price_id } = await readRow(browser, realmId);
  return browser.call(startPayment, { ...about(realmId), json: { price_id, ...more } });
}

export const clickActivate = (browser: Browser, subscriptionId: string, realmId = ACME): Promise<Reply> =>
  browser.call(activateSubscription, {
    ...about(realmId),
    json: { subscription_id: subscriptionId, status: "succeeded" },
  });

/** Confirms a payment by its secret, as the card form does. */
export const payByCard = ({ stripe }: Pick<TestApp, "stripe">, secret: string, card = "pm_card_visa") =>
  stripe.api<{ status: string }>(`payment_intents/${secret.split("_secret_")[0]}/confirm`, {
    payment_method: card,
  });

/** A company that pays: its subscription's id. */
export async function subscribe(app: Pick<TestApp, "stripe">, browser: Browser): Promise<string> {
  const reply = await clickAdd(browser);
  const { subscription_id: id, client_secret: secret } = reply.json() as StartedPayment;
  if (!id || !secret) throw new Error(`No payment was started: ${reply.text}`);
  await payByCard(app, secret);
  await clickActivate(browser, id);
  return id;
}

/** Lets every later charge of a company's subscription fail. */
export async function spoilCard({ stripe }: Pick<TestApp, "stripe">, id: string): Promise<void> {
  const { customer } = await stripe.api<{ customer: string }>(`subscriptions/${id}`);
  const bad = await stripe.api("payment_methods/pm_card_chargeCustomerFail/attach", { customer });
  await stripe.api(`subscriptions/${id}`, { default_payment_method: bad.id });
}

/** Does once what a run of billing does. */
export const runBilling = (app: TestApp, kind: "read-events" | "sync-events" | "sync-all") =>
  executeSystemRun(app, `billing.${kind}`);

type Event = { id: string; type: string };

/** Plans the end of a subscription that is paid. @returns five events of its life, which come to that together */
export async function fiveEvents({ stripe }: Pick<TestApp, "stripe">, id: string): Promise<Event[]> {
  await stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
  const { data } = await stripe.api<{ data: Event[] }>("events?limit=100");
  const types = [
    "customer.subscription.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
  ];
  return types.map((type) => {
    const found = data.find((event) => event.type === type);
    if (!found) throw new Error(`There was no ${type}.`);
    return found;
  });
}

/** All orders of a list. */
export const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

type Delivered = { secret?: string; at?: number; body?: string; signature?: string };

/** Delivers an event to the webhook as Stripe does, or with a forged signature. */
export function deliver(app: Pick<TestApp, "url">, event: object, forged: Delivered = {}): Promise<Response> {
  const body = JSON.stringify(event);
  const at = forged.at ?? Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", forged.secret ?? "whsec_dockside")
    .update(`${at}.${body}`)
    .digest("hex");
  return fetch(new URL("/stripe/webhook", app.url), {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": forged.signature ?? `t=${at},v1=${v1}`,
    },
    body: forged.body ?? body,
  });
}
