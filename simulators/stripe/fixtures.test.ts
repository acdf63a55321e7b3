import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStripeSimulator } from "./start.ts";

let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await startStripeSimulator({ port: 0 });
  const { hostname, port } = new URL(simulator.url);
  stripe = new Stripe("sk_test_fixtures", {
    apiVersion: "2023-10-16",
    host: hostname,
    port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 1,
  });
});
afterAll(() => simulator.close());

const SHIPPING = {
  name: "Jenny Rosen",
  phone: "555",
  address: {
    line1: "510 Townsend St",
    city: "San Francisco",
    state: "CA",
    postal_code: "94103",
    country: "US",
  },
};

/** The three steps that most of Stripe's own fixtures for subscriptions begin with. */
async function createSubscriber(card = "pm_card_visa") {
  const customer = await stripe.customers.create({
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  });
  const product = await stripe.products.create({ name: "Fixture" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 1500,
    recurring: { interval: "month" },
  });
  return { customer, price: price.id };
}

test("a customer is created with a test card as its default in one call, and a subscription charges it", async () => {
  const { customer, price } = await createSubscriber();
  const { data: cards } = await stripe.paymentMethods.list({ customer: customer.id });
  expect(cards).toHaveLength(1);
  expect(customer.invoice_settings.default_payment_method).toBe(cards[0]!.id);
  const made = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
  expect(made.status).toBe("active");
});

test("a payment keeps its shipping address, and so does its charge", async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: "usd",
    payment_method: "pm_card_visa",
    confirm: true,
    shipping: SHIPPING,
    expand: ["latest_charge"],
  });
  expect(intent).toMatchObject({
    status: "succeeded",
    shipping: SHIPPING,
    latest_charge: { shipping: SHIPPING },
  });
  const open = await stripe.paymentIntents.create({ amount: 2000, currency: "usd", shipping: SHIPPING });
  const cleared = await stripe.paymentIntents.update(open.id, { shipping: "" });
  expect([open.shipping?.name, cleared.shipping]).toEqual(["Jenny Rosen", null]);
});

test.each([
  ["pm_card_visa_chargeDeclined", "generic_decline"],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds"],
  ["pm_card_visa_chargeDeclinedLostCard", "lost_card"],
  ["pm_card_visa_chargeDeclinedStolenCard", "stolen_card"],
  ["pm_card_chargeDeclinedExpiredCard", "expired_card"],
  ["pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc"],
  ["pm_card_chargeDeclinedProcessingError", "processing_error"],
  ["pm_card_visa_chargeDeclinedFraudulent", "fraudulent"],
  ["pm_card_visa_chargeDeclinedVelocityLimitExceeded", "card_velocity_exceeded"],
])("the test card %s is declined with %s", async (card, reason) => {
  const asked = { amount: 500, currency: "usd", payment_method: card, confirm: true };
  const error = await stripe.paymentIntents.create(asked).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  const { code, decline_code: decline } = error as Stripe.errors.StripeCardError;
  expect([code, decline]).toContain(reason);
});

test.each([
  ["pm_card_visa_debit", "visa", "5556"],
  ["pm_card_amex", "amex", "0005"],
  ["pm_card_discover", "discover", "1117"],
  ["pm_card_mastercard", "mastercard", "4444"],
])("the test card %s is a %s card that pays", async (card, brand, last4) => {
  const asked = { amount: 500, currency: "usd", payment_method: card, confirm: true };
  const paid = await stripe.paymentIntents.create({ ...asked, expand: ["payment_method"] });
  expect(paid).toMatchObject({ status: "succeeded", payment_method: { card: { brand, last4 } } });
});

test("paying an invoice with a card that needs authentication gets 402, and the payment waits for the cardholder", async () => {
  const { customer } = await createSubscriber("pm_card_authenticationRequired");
  await stripe.invoiceItems.create({ customer: customer.id, amount: 2000, currency: "usd" });
  const draft = await stripe.invoices.create({
    customer: customer.id,
    pending_invoice_items_behavior: "include",
  });
  const error = await stripe.invoices.pay(draft.id).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(error).toMatchObject({ statusCode: 402, code: "invoice_payment_intent_requires_action" });
  const open = await stripe.invoices.retrieve(draft.id, { expand: ["payment_intent"] });
  expect(open).toMatchObject({ status: "open", payment_intent: { status: "requires_action" } });
});

test("a payment with manual capture is authorized first, then captured or canceled", async () => {
  const asked = {
    amount: 2000,
    currency: "usd",
    payment_method: "pm_card_visa",
    confirm: true,
    capture_method: "manual" as const,
  };
  const held = await stripe.paymentIntents.create({ ...asked, expand: ["latest_charge"] });
  expect(held).toMatchObject({
    status: "requires_capture",
    amount_capturable: 2000,
    amount_received: 0,
    latest_charge: { captured: false, amount_captured: 0, status: "succeeded" },
  });
  const captured = await stripe.paymentIntents.capture(held.id, {
    amount_to_capture: 1500,
    expand: ["latest_charge"],
  });
  expect(captured).toMatchObject({
    status: "succeeded",
    amount_capturable: 0,
    amount_received: 1500,
    latest_charge: { captured: true, amount_captured: 1500, amount_refunded: 500 },
  });
  await expect(stripe.paymentIntents.capture(held.id)).rejects.toMatchObject({
    code: "payment_intent_unexpected_state",
  });
  const released = await stripe.paymentIntents.cancel((await stripe.paymentIntents.create(asked)).id);
  expect([released.status, released.amount_capturable]).toEqual(["canceled", 0]);
  const types = (await stripe.events.list({ limit: 30 })).data.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(["payment_intent.amount_capturable_updated", "charge.captured"]),
  );
});

test("an event names the request and idempotency key that caused it; one caused by time names none", async () => {
  const start = Math.floor(Date.UTC(2026, 0, 1) / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const customer = await stripe.customers.create(
    { name: "Ann", test_clock: clock.id },
    { idempotencyKey: "fixture-1" },
  );
  const [created] = (await stripe.events.list({ type: "customer.created", limit: 1 })).data;
  expect(created!.request).toEqual({
    id: customer.lastResponse.headers["request-id"],
    idempotency_key: "fixture-1",
  });
  const { price } = await createSubscriber();
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    payment_behavior: "default_incomplete",
  });
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 86_400 });
  const [expired] = (await stripe.events.list({ type: "customer.subscription.updated", limit: 1 })).data;
  expect(expired!.request).toEqual({ id: null, idempotency_key: null });
});

test("a search finds customers by a missing field and by negation", async () => {
  const mine = { origin: "search" };
  const full = await stripe.customers.create({
    email: "full@f.example",
    metadata: { ...mine, plan: "large" },
  });
  const bare = await stripe.customers.create({ metadata: mine });
  const search = async (query: string) =>
    (await stripe.customers.search({ query: `metadata['origin']:'search' AND ${query}` })).data.map(
      ({ id }) => id,
    );
  expect(await search("email:null")).toEqual([bare.id]);
  expect(await search("-email:null")).toEqual([full.id]);
  expect(await search("metadata['plan']:null")).toEqual([bare.id]);
  expect(await search("-metadata['plan']:'large'")).toEqual([bare.id]);
  expect(await search("-email:'full@f.example'")).toEqual([bare.id]);
});
