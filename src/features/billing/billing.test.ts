import { expect, test } from "vitest";
import {
  activateSubscription,
  listSubscriptions,
  startPayment,
  type StartedPayment,
  type SubscriptionRow,
} from "#features/billing/contract.ts";
import { listCompanies } from "#features/companies/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import type { StripeSimulator } from "../../../test/support/stripe.ts";

const ABOUT = { query: { realm_id: ACME } };

const rowsOf = async (browser: Browser) =>
  ((await browser.call(listSubscriptions, ABOUT)).json() as { subscriptions: SubscriptionRow[] })
    .subscriptions;

const rowOf = async (browser: Browser): Promise<SubscriptionRow> => (await rowsOf(browser))[0]!;

const servicesOf = async (browser: Browser) =>
  ((await browser.call(listCompanies)).json() as { companies: { services: string[] }[] }).companies[0]
    ?.services;

/** What a click on Add calls. */
const add = async (browser: Browser, more: object = {}) => {
  const { price_id } = await rowOf(browser);
  return browser.call(startPayment, { ...ABOUT, json: { price_id, ...more } });
};

const activate = (browser: Browser, subscription_id: string, status = "succeeded") =>
  browser.call(activateSubscription, { ...ABOUT, json: { subscription_id, status } });

/** What the card form does: confirms a payment by its secret. */
const pay = (stripe: StripeSimulator, secret: string, card = "pm_card_visa") =>
  stripe.api<{ status: string }>(`payment_intents/${secret.split("_secret_")[0]}/confirm`, {
    payment_method: card,
  });

const open = async (options: Parameters<typeof startApp>[0] = {}): Promise<[TestApp, Browser]> => {
  const app = await startApp({ worker: false, ...options });
  return [app, await app.owner(ACME)];
};

test("SV-01 PY-01 PY-02 AP-18 AP-19 AP-20 GEN-08 a service is shown with its price, paid for, and on as soon as its payment is activated", async () => {
  const [{ stripe }, owner] = await open();
  const row = {
    subscription_id: null,
    price_id: expect.stringMatching(/^price_/),
    product_name: "Tracking Service",
    product_description: "Tracking and proof of delivery on your invoices",
    rate: 2900,
    interval: "month",
    service: "tracking",
    status: "none",
    end_date: null,
    grace_ends: null,
    trial_days: 14,
  };
  expect(await rowsOf(owner)).toEqual([row]);
  const started = (await add(owner)).json() as StartedPayment;
  expect(started).toEqual({
    ...row,
    subscription_id: expect.stringMatching(/^sub_/),
    status: "incomplete",
    end_date: expect.any(Number),
    client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
  });
  expect(await servicesOf(owner)).toEqual([]);
  await pay(stripe, started.client_secret!);
  const active = await activate(owner, started.subscription_id!);
  expect([active.status, active.json()]).toEqual([
    200,
    {
      ...row,
      subscription_id: started.subscription_id,
      status: "active",
      end_date: expect.any(Number),
      trial_days: 0,
    },
  ]);
  expect(await servicesOf(owner)).toEqual(["tracking"]);
});
