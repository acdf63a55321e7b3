import Stripe from "stripe";
import Newest from "stripe-newest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkingFetch, readStripeSchema, type Checked } from "../../test/support/stripe-schema.ts";
import { startStripeSimulator } from "./start.ts";

let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
const schema = readStripeSchema();
const checked: Checked[] = [];

/** A new invoice includes pending items only on request. */
const PENDING = { pending_invoice_items_behavior: "include" as const };

beforeAll(async () => {
  simulator = await startStripeSimulator({ port: 0 });
});
afterAll(() => simulator.close());

/** Connection settings for both releases of the SDK. */
const connection = () => {
  const { hostname, port } = new URL(simulator.url);
  return { host: hostname, port, protocol: "http" as const, telemetry: false };
};
const pinned = () =>
  new Stripe("sk_test_foreign", {
    apiVersion: "2023-10-16",
    httpClient: Stripe.createFetchHttpClient(checkingFetch(schema, checked)),
    ...connection(),
  });

/** Everything a foreign client does, from an empty account to a subscription that renewed and was canceled. */
async function useEverything(stripe: Stripe): Promise<void> {
  await stripe.accounts.retrieve();
  await stripe.balance.retrieve();
  const product = await stripe.products.create({
    name: "Widgets",
    description: "All",
    metadata: { app: "f" },
  });
  await stripe.products.update(product.id, { name: "Gadgets" });
  await stripe.products.retrieve(product.id);
  await stripe.products.list({ active: true, limit: 3 });
  const monthly = { product: product.id, currency: "usd", recurring: { interval: "month" as const } };
  const price = await stripe.prices.create({ ...monthly, unit_amount: 4900, lookup_key: "widgets" });
  const larger = await stripe.prices.create({ ...monthly, unit_amount: 9900, nickname: "Large" });
  await stripe.prices.update(price.id, { metadata: { a: "1" } });
  const standard = await stripe.products.update(product.id, {
    default_price: price.id,
    images: ["http://a/b"],
  });
  expect([standard.default_price, standard.images]).toEqual([price.id, ["http://a/b"]]);
  await stripe.prices.retrieve(price.id, { expand: ["product"] });
  await stripe.prices.list({ lookup_keys: ["widgets"], expand: ["data.product"] });
  const frozen = Math.floor(Date.UTC(2026, 0, 31) / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: frozen, name: "Mine" });
  await stripe.testHelpers.testClocks.retrieve(clock.id);
  await stripe.testHelpers.testClocks.list({ limit: 5 });
  const customer = await stripe.customers.create({ email: "a@f.example", name: "Ann", test_clock: clock.id });
  const at = { line1: "1 Main St", city: "Oakland", postal_code: "94607" };
  const lives = await stripe.customers.update(customer.id, {
    metadata: { b: "2" },
    phone: "1",
    address: at,
    shipping: { name: "Ann", address: at },
    preferred_locales: ["en"],
  });
  expect(lives).toMatchObject({
    address: at,
    shipping: { name: "Ann", address: at },
    preferred_locales: ["en"],
  });
  await stripe.customers.retrieve(customer.id);
  await stripe.customers.list({ email: "a@f.example" });
  await stripe.customers.search({ query: "metadata['b']:'2'" });
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  await stripe.paymentMethods.retrieve(card.id);
  await stripe.paymentMethods.update(card.id, { metadata: { a: "1" }, billing_details: { name: "Ann" } });
  await stripe.paymentMethods.list({ customer: customer.id, type: "card" });
  await stripe.customers.listPaymentMethods(customer.id);
  const setup = await stripe.setupIntents.create({ customer: customer.id, usage: "off_session" });
  await stripe.setupIntents.retrieve(setup.id);
  await stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_visa" });
  const trial = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: "pause" } },
  });
  const incomplete = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id, quantity: 2 }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    metadata: { realm_id: "1" },
    expand: ["latest_invoice.payment_intent", "pending_setup_intent"],
  });
  const { payment_intent: intent } = incomplete.latest_invoice as Stripe.Invoice;
  const { id: intentId } = intent as Stripe.PaymentIntent;
  await stripe.paymentIntents.retrieve(intentId);
  const confirmed = await stripe.paymentIntents.confirm(intentId, { payment_method: card.id });
  await stripe.paymentIntents.list({ customer: customer.id });
  await stripe.charges.retrieve(String(confirmed.latest_charge));
  await stripe.subscriptions.retrieve(incomplete.id, { expand: ["customer", "latest_invoice.charge"] });
  await stripe.subscriptions.list({ customer: customer.id, status: "all", expand: ["data.latest_invoice"] });
  const [item] = incomplete.items.data;
  await stripe.subscriptionItems.list({ subscription: incomplete.id });
  await stripe.subscriptions.update(incomplete.id, {
    items: [{ id: item!.id, price: larger.id }],
    proration_behavior: "create_prorations",
  });
  await stripe.invoices.retrieveUpcoming({ customer: customer.id });
  await stripe.invoices.listUpcomingLines({ subscription: incomplete.id, limit: 1 });
  await stripe.invoices.retrieveUpcoming({ customer: "cus_none" }).catch(() => null);
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozen + 40 * 86_400 });
  await stripe.subscriptions.update(incomplete.id, {
    cancel_at_period_end: true,
    cancellation_details: { comment: "Too dear", feedback: "too_expensive" },
  });
  await stripe.subscriptions.cancel(trial.id).catch(() => null);
  await stripe.subscriptions.cancel(incomplete.id, { prorate: false });
  await stripe.invoiceItems.create({ customer: customer.id, amount: 100, currency: "usd" });
  const draft = await stripe.invoices.create({ customer: customer.id, ...PENDING });
  await stripe.invoices.finalizeInvoice(draft.id);
  await stripe.invoices.pay(draft.id, { payment_method: card.id });
  await stripe.invoices.retrieve(draft.id, { expand: ["payment_intent", "charge"] });
  await stripe.invoices.list({ customer: customer.id, status: "paid" });
  await stripe.invoiceItems.create({ customer: customer.id, amount: 200, currency: "usd" });
  const unpaid = await stripe.invoices.finalizeInvoice(
    (await stripe.invoices.create({ customer: customer.id, ...PENDING })).id,
  );
  await stripe.invoices.voidInvoice(unpaid.id);
  await useInvoices(stripe, customer.id, product.id);
  const single = await stripe.paymentIntents.create({ amount: 500, currency: "usd", customer: customer.id });
  await stripe.paymentIntents
    .confirm(single.id, { payment_method: "pm_card_chargeDeclined" })
    .catch(() => null);
  await stripe.paymentIntents.update(single.id, { amount: 600, payment_method: "pm_card_visa" });
  expect((await stripe.paymentIntents.confirm(single.id)).amount_received).toBe(600);
  const left = await stripe.paymentIntents.create({
    amount: 50,
    currency: "usd",
    payment_method: "pm_card_visa",
  });
  expect((await stripe.paymentIntents.cancel(left.id)).payment_method).toBe(left.payment_method);
  await stripe.charges.list({ customer: customer.id });
  const other = await stripe.setupIntents.create({ payment_method: "pm_card_visa" });
  expect((await stripe.setupIntents.cancel(other.id)).status).toBe("canceled");
  await stripe.setupIntents.list({ limit: 2 });
  const configuration = await stripe.billingPortal.configurations.create({
    business_profile: { headline: "F" },
    features: { invoice_history: { enabled: true }, subscription_cancel: { enabled: true } },
  });
  await stripe.billingPortal.configurations.update(configuration.id, { business_profile: { headline: "G" } });
  await stripe.billingPortal.configurations.retrieve(configuration.id);
  await stripe.billingPortal.configurations.list({ active: true });
  await stripe.billingPortal.sessions.create({ customer: customer.id, configuration: configuration.id });
  const endpoint = await stripe.webhookEndpoints.create({
    url: "http://localhost:9/hook",
    enabled_events: ["invoice.paid"],
  });
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await stripe.webhookEndpoints.retrieve(endpoint.id);
  await stripe.webhookEndpoints.list();
  await stripe.webhookEndpoints.del(endpoint.id);
  const events = await stripe.events.list({ limit: 100 });
  await stripe.events.retrieve(events.data[0]!.id);
  await stripe.customers.retrieve("cus_none").catch(() => null);
  await stripe.paymentMethods.detach(card.id);
  await stripe.testHelpers.testClocks.del(clock.id);
  const sent = await stripe.subscriptions.create({
    customer: customer.id,
    items: [
      {
        price_data: {
          product: product.id,
          currency: "usd",
          unit_amount: 100,
          recurring: { interval: "month" },
        },
      },
    ],
    collection_method: "send_invoice",
    days_until_due: 30,
  });
  expect([sent.status, sent.days_until_due]).toEqual(["active", 30]);
  await stripe.customers.del(customer.id);
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  expect((await stripe.subscriptions.retrieve(sent.id)).status).toBe("canceled");
  await stripe.prices.update(price.id, { active: false });
}

/** Manual invoices, as a client without subscriptions creates them. */
async function useInvoices(stripe: Stripe, customer: string, product: string): Promise<void> {
  const draft = await stripe.invoices.create({
    customer,
    collection_method: "send_invoice",
    days_until_due: 30,
    description: "For work",
    footer: "Thank you",
    auto_advance: false,
  });
  const first = await stripe.invoiceItems.create({
    customer,
    invoice: draft.id,
    amount: 1500,
    currency: "usd",
  });
  const priced = { currency: "usd", product, unit_amount: 250 };
  const second = await stripe.invoiceItems.create({
    customer,
    invoice: draft.id,
    price_data: priced,
    quantity: 2,
  });
  await stripe.invoiceItems.update(first.id, { amount: 1000, description: "Hours" });
  await stripe.invoiceItems.retrieve(first.id);
  await stripe.invoiceItems.list({ invoice: draft.id });
  const due = await stripe.invoices.update(draft.id, { description: "For more work" });
  expect([due.amount_due, due.description, due.due_date !== null]).toEqual([1500, "For more work", true]);
  await stripe.invoiceItems.del(second.id);
  await stripe.invoices.sendInvoice(draft.id);
  const { data } = await stripe.invoices.listLineItems(draft.id);
  expect(data.map(({ amount, description }) => [amount, description])).toEqual([[1000, "Hours"]]);
  const paid = await stripe.invoices.pay(draft.id, { paid_out_of_band: true });
  expect([paid.status, paid.paid_out_of_band]).toEqual(["paid", true]);
  const lost = await stripe.invoices.create({ customer });
  await stripe.invoiceItems.create({ customer, invoice: lost.id, amount: 1, currency: "usd" });
  await stripe.invoices.finalizeInvoice(lost.id);
  await stripe.invoices.markUncollectible(lost.id);
  const empty = await stripe.invoices.create({ customer });
  expect(await stripe.invoices.del(empty.id)).toMatchObject({ deleted: true });
}

test("every request of the SDK and every answer to it matches Stripe's API description", async () => {
  await useEverything(pinned());
  expect(checked.length).toBeGreaterThan(60);
  expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([]);
});

test("requests and answers that differ from Stripe's description are reported", () => {
  const path = "/v1/subscriptions";
  const request = (text: string) =>
    schema.checkRequest({ method: "POST", path, fields: new URLSearchParams(text) });
  expect(request("customer=cus_1&items[0][price]=price_1&items[0][quantity]=2")).toEqual([]);
  for (const wrong of [
    "customer=cus_1&nickname=a",
    "customer=cus_1&payment_behavior=later",
    "items[0][price]=price_1",
    "customer=cus_1&items[0][quantity]=two",
  ])
    expect([wrong, request(wrong)]).not.toEqual([wrong, []]);
  const answer = (body: object) =>
    schema.checkAnswer({ method: "GET", path: "/v1/customers/cus_1", status: 200, body });
  expect(answer({ id: "cus_1", object: "customer", created: 1, livemode: false })).toEqual([]);
  expect(answer({ id: "cus_1", object: "customer", created: "1", livemode: false })).not.toEqual([]);
  expect(
    schema.checkRequest({ method: "GET", path: "/v1/nothing", fields: new URLSearchParams() }),
  ).not.toEqual([]);
});

test("the newest SDK works like the release that the product is pinned to", async () => {
  const received: string[] = [];
  const stripe = new Newest("sk_test_foreign", {
    apiVersion: "2023-10-16" as Newest.LatestApiVersion,
    ...connection(),
    httpClient: Newest.createFetchHttpClient((address: URL | RequestInfo, init?: RequestInit) => {
      received.push(String(new Headers(init?.headers).get("stripe-version")));
      return fetch(address, init);
    }),
  });
  const product = await stripe.products.create({ name: "Newest" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 4900,
    recurring: { interval: "month" },
  });
  const customer = await stripe.customers.create(
    { email: "new@f.example", payment_method: "" },
    { idempotencyKey: "newest-1" },
  );
  const again = await stripe.customers.create(
    { email: "new@f.example", payment_method: "" },
    { idempotencyKey: "newest-1" },
  );
  expect(again.id).toBe(customer.id);
  await expect(
    stripe.customers.create({ email: "other@f.example" }, { idempotencyKey: "newest-1" }),
  ).rejects.toBeInstanceOf(Newest.errors.StripeIdempotencyError);
  const made = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete",
    expand: ["latest_invoice.payment_intent"],
  });
  const { latest_invoice: invoice } = made as unknown as {
    latest_invoice: { id: string; payment_intent: { id: string } };
  };
  const declined: unknown = await stripe.paymentIntents
    .confirm(invoice.payment_intent.id, { payment_method: "pm_card_chargeDeclined" })
    .catch((error: unknown) => error);
  expect(declined).toBeInstanceOf(Newest.errors.StripeCardError);
  const paid = await stripe.paymentIntents.confirm(invoice.payment_intent.id, {
    payment_method: "pm_card_visa",
  });
  expect(paid.status).toBe("succeeded");
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe("active");
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe("paid");
  const next = await stripe.invoices.createPreview({ subscription: made.id });
  expect([next.status, next.amount_due]).toEqual(["draft", 4900]);
  const types: string[] = [];
  for await (const event of stripe.events.list({ limit: 3 })) types.push(event.type);
  expect(types).toContain("customer.subscription.updated");
  const body = JSON.stringify({ id: "evt_1", object: "event", type: "invoice.paid" });
  const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: "whsec_1" });
  expect((await stripe.webhooks.constructEventAsync(body, header, "whsec_1")).type).toBe("invoice.paid");
  expect((await stripe.subscriptions.cancel(made.id)).status).toBe("canceled");
  await useAsProduct(stripe, price.id, customer.id);
  expect(new Set(received)).toEqual(new Set(["2023-10-16"]));
});

/** The product's calls that go beyond a payment. */
async function useAsProduct(stripe: Newest, price: string, customer: string): Promise<void> {
  const { data: offers } = await stripe.prices.list({
    active: true,
    type: "recurring",
    expand: ["data.product"],
  });
  expect(offers.map(({ product }) => (product as Newest.Product).name)).toContain("Newest");
  expect((await stripe.customers.list({ email: "new@f.example" })).data).toMatchObject([{ id: customer }]);
  const expand = ["latest_invoice.payment_intent"];
  const trial = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
    payment_settings: { save_default_payment_method: "on_subscription" },
  });
  const planned = await stripe.subscriptions.update(trial.id, { cancel_at_period_end: true, expand });
  const day = await stripe.subscriptions.update(trial.id, { cancel_at: trial.created + 86_400 });
  const kept = await stripe.subscriptions.update(trial.id, { cancel_at: "" });
  expect([planned.cancel_at_period_end, day.cancel_at, kept.cancel_at]).toEqual([
    true,
    trial.created + 86_400,
    null,
  ]);
  const asked = { customer, items: [{ price }], payment_behavior: "default_incomplete" as const };
  const left = await stripe.subscriptions.create(asked);
  const { data: invoices } = await stripe.invoices.list({ subscription: left.id });
  expect(invoices).toMatchObject([{ id: left.latest_invoice, status: "open" }]);
  expect((await stripe.invoices.voidInvoice(String(left.latest_invoice))).status).toBe("void");
  const ended = await stripe.subscriptions.cancel(left.id, { expand });
  expect(ended).toMatchObject({ status: "incomplete_expired", latest_invoice: { status: "void" } });
  const listed = stripe.subscriptions.list({
    customer,
    status: "all",
    expand: expand.map((each) => `data.${each}`),
  });
  expect((await listed).data.map(({ status }) => status)).toEqual([
    "incomplete_expired",
    "trialing",
    "canceled",
  ]);
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    business_profile: { headline: "Newest" },
    features: { invoice_history: { enabled: true } },
  });
  const session = await stripe.billingPortal.sessions.create({
    customer,
    configuration,
    return_url: "http://a/",
  });
  expect(session.url).toContain("/p/session/");
}

test("a price change is prorated with the next renewal, at once, or not at all", async () => {
  const stripe = pinned();
  const start = Math.floor(Date.UTC(2026, 3, 1) / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const product = await stripe.products.create({ name: "Plans" });
  const createPrice = (cents: number) =>
    stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: cents,
      recurring: { interval: "month" },
    });
  const [small, large] = [await createPrice(3000), await createPrice(9000)];
  const customer = await stripe.customers.create({ test_clock: clock.id });
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  const begin = () =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: small.id }],
      default_payment_method: card.id,
    });
  const [later, now, never] = [await begin(), await begin(), await begin()];
  // April has 30 days: 10 of them are over.
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 10 * 86_400 });
  const change = (of: Stripe.Subscription, behavior: Stripe.SubscriptionUpdateParams.ProrationBehavior) =>
    stripe.subscriptions.update(of.id, {
      items: [{ id: of.items.data[0]!.id, price: large.id }],
      proration_behavior: behavior,
      expand: ["latest_invoice"],
    });
  const atOnce = (await change(now, "always_invoice")).latest_invoice as Stripe.Invoice;
  expect([atOnce.amount_due, atOnce.status, atOnce.lines.data.map(({ amount }) => amount)]).toEqual([
    4000,
    "paid",
    [-2000, 6000],
  ]);
  await change(never, "none");
  await change(later, "create_prorations");
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 31 * 86_400 });
  const renewed = async ({ id }: Stripe.Subscription) => {
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id, {
      expand: ["latest_invoice"],
    });
    return (invoice as Stripe.Invoice).amount_due;
  };
  expect([await renewed(later), await renewed(now), await renewed(never)]).toEqual([13_000, 9000, 9000]);
});
