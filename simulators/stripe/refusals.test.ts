import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStripeSimulator } from "./start.ts";

let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await startStripeSimulator({ port: 0 });
  const { hostname, port } = new URL(simulator.url);
  stripe = new Stripe("sk_test_refused", {
    apiVersion: "2023-10-16",
    host: hostname,
    port,
    protocol: "http",
    telemetry: false,
  });
});
afterAll(() => simulator.close());

const refusal = (call: Promise<unknown>): Promise<Stripe.StripeRawError> =>
  call.then(
    () => Promise.reject(new Error("The call was accepted.")),
    (error: unknown) => (error as Stripe.errors.StripeError).raw as Stripe.StripeRawError,
  );

async function createPrice(unitAmount = 4900) {
  const product = await stripe.products.create({ name: "Widgets" });
  const recurring = { interval: "month" as const };
  return stripe.prices.create({ product: product.id, currency: "usd", unit_amount: unitAmount, recurring });
}

async function createPayer(card = "pm_card_visa") {
  const customer = await stripe.customers.create({ name: "Ann" });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return { customer: customer.id, method: method.id };
}

test("canceling an incomplete subscription expires it, voids its invoice, and reports an update, not a deletion", async () => {
  const price = await createPrice();
  const { customer } = await createPayer();
  const asked = {
    customer,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete" as const,
    expand: ["latest_invoice.payment_intent"],
  };
  const { id, latest_invoice: invoice } = await stripe.subscriptions.create(asked);
  const ended = await stripe.subscriptions.cancel(id, { expand: ["latest_invoice.payment_intent"] });
  expect(ended).toMatchObject({
    status: "incomplete_expired",
    ended_at: expect.any(Number),
    latest_invoice: { status: "void", payment_intent: { status: "canceled" } },
  });
  const events = (await stripe.events.list({ limit: 100 })).data.filter(
    ({ data }) => (data.object as { id?: string }).id === id,
  );
  expect(events.map(({ type }) => type)).toEqual([
    "customer.subscription.updated",
    "customer.subscription.created",
  ]);
  expect(events[0]!.data.previous_attributes).toEqual({ status: "incomplete" });
  expect(await refusal(stripe.subscriptions.cancel(id))).toMatchObject({ code: "resource_missing" });
  const { payment_intent: intent } = invoice as Stripe.Invoice;
  expect(
    await refusal(
      stripe.paymentIntents.confirm((intent as Stripe.PaymentIntent).id, { payment_method: "pm_card_visa" }),
    ),
  ).toMatchObject({ code: "payment_intent_unexpected_state" });
});

test.each([
  "acme",
  "ann@",
  "@acme.example",
  "ann@acme",
  "ann smith@acme.example",
  "ann@acme.example, bob@acme.example",
])("%s is refused as an email address", async (email) => {
  const { id } = await stripe.customers.create({ email: "ann@acme.example" });
  const invalid = { code: "email_invalid", message: `Invalid email address: ${email}` };
  expect(await refusal(stripe.customers.create({ email }))).toMatchObject({ ...invalid, param: "email" });
  expect(await refusal(stripe.customers.update(id, { email }))).toMatchObject(invalid);
  expect(
    await refusal(stripe.paymentIntents.create({ amount: 500, currency: "usd", receipt_email: email })),
  ).toMatchObject({ ...invalid, param: "receipt_email" });
  expect((await stripe.customers.update(id, { email: "" })).email).toBeNull();
});

test("metadata takes 50 keys of 40 characters with values of 500, and refuses more", async () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, "1"]));
  const full = await stripe.customers.create({ metadata: keys(50) });
  expect(Object.keys(full.metadata)).toHaveLength(50);
  const tooMany = "Metadata can have up to 50 keys, but you've set 51.";
  expect((await refusal(stripe.customers.create({ metadata: keys(51) }))).message).toContain(tooMany);
  expect((await refusal(stripe.customers.update(full.id, { metadata: { more: "1" } }))).message).toContain(
    tooMany,
  );
  const swapped = await stripe.customers.update(full.id, { metadata: { key_0: "", more: "1" } });
  expect(Object.keys(swapped.metadata)).toHaveLength(50);
  const widest = { ["k".repeat(40)]: "v".repeat(500) };
  expect((await stripe.products.create({ name: "Wide", metadata: widest })).metadata).toEqual(widest);
  expect(
    (await refusal(stripe.products.create({ name: "Long", metadata: { ["k".repeat(41)]: "1" } }))).message,
  ).toContain("Metadata keys can have up to 40 characters, but you passed in a key that is 41 characters.");
  expect(
    (await refusal(stripe.products.create({ name: "Long", metadata: { key: "v".repeat(501) } }))).message,
  ).toContain(
    "Metadata values can have up to 500 characters, but you passed in a value that is 501 characters.",
  );
});

test("a payment of less than 50 cents is refused", async () => {
  const least = await stripe.paymentIntents.create({ amount: 50, currency: "usd" });
  const small = { code: "amount_too_small", param: "amount", message: "Amount must be at least $0.50 usd" };
  expect(await refusal(stripe.paymentIntents.create({ amount: 49, currency: "usd" }))).toMatchObject(small);
  expect(await refusal(stripe.paymentIntents.update(least.id, { amount: 49 }))).toMatchObject(small);
});

test("a currency that Stripe does not have is refused in every field", async () => {
  const { product } = await createPrice();
  const { customer } = await createPayer();
  const calls = [
    stripe.paymentIntents.create({ amount: 500, currency: "usx" }),
    stripe.prices.create({ product: String(product), currency: "usx", unit_amount: 500 }),
    stripe.invoiceItems.create({ customer, amount: 500, currency: "usx" }),
    stripe.invoices.create({ customer, currency: "usx" }),
  ];
  for (const error of await Promise.all(calls.map(refusal)))
    expect(error).toMatchObject({
      param: "currency",
      message: expect.stringContaining(
        "Invalid currency: usx. Stripe currently supports these currencies: usd, aed,",
      ),
    });
  expect((await stripe.paymentIntents.create({ amount: 500, currency: "EUR" })).currency).toBe("eur");
});

test("the amount, currency and interval of a price can't be changed", async () => {
  const price = await createPrice();
  for (const change of [{ unit_amount: 1 }, { currency: "eur" }, { recurring: { interval: "year" } }])
    expect(await refusal(stripe.prices.update(price.id, change as Stripe.PriceUpdateParams))).toMatchObject({
      code: "parameter_unknown",
      param: Object.keys(change)[0],
    });
  expect(await stripe.prices.retrieve(price.id)).toMatchObject({ unit_amount: 4900, currency: "usd" });
});

test("a product with prices can't be deleted, even when they are inactive", async () => {
  const price = await createPrice();
  await stripe.prices.update(price.id, { active: false });
  expect((await refusal(stripe.products.del(String(price.product)))).message).toBe(
    "This product cannot be deleted because it has one or more user-created prices.",
  );
  const empty = await stripe.products.create({ name: "Empty" });
  expect(await stripe.products.del(empty.id)).toMatchObject({ deleted: true });
});

test("another customer's card is refused for a payment, a setup, an invoice and a subscription, and as a default", async () => {
  const price = await createPrice();
  const [ann, bob] = [await createPayer(), await createPayer()];
  const foreign = { payment_method: bob.method };
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", customer: ann.customer });
  const setup = await stripe.setupIntents.create({ customer: ann.customer });
  await stripe.invoiceItems.create({ customer: ann.customer, amount: 500, currency: "usd" });
  const { id: invoice } = await stripe.invoices.finalizeInvoice(
    (await stripe.invoices.create({ customer: ann.customer, pending_invoice_items_behavior: "include" })).id,
  );
  const notHers = `The PaymentMethod ${bob.method} does not belong to the Customer you supplied ${ann.customer}.`;
  for (const call of [
    stripe.paymentIntents.create({ amount: 500, currency: "usd", customer: ann.customer, ...foreign }),
    stripe.paymentIntents.update(intent.id, foreign),
    stripe.paymentIntents.confirm(intent.id, foreign),
    stripe.setupIntents.create({ customer: ann.customer, ...foreign }),
    stripe.setupIntents.confirm(setup.id, foreign),
  ])
    expect(await refusal(call)).toMatchObject({
      param: "payment_method",
      message: expect.stringContaining(notHers),
    });
  const notKept = `The customer does not have a payment method with the ID ${bob.method}.`;
  const items = [{ price: price.id }];
  for (const call of [
    stripe.customers.update(ann.customer, { invoice_settings: { default_payment_method: bob.method } }),
    stripe.subscriptions.create({ customer: ann.customer, items, default_payment_method: bob.method }),
    stripe.invoices.pay(invoice, foreign),
  ])
    expect((await refusal(call)).message).toContain(notKept);
  expect((await refusal(stripe.paymentMethods.attach(bob.method, { customer: ann.customer }))).message).toBe(
    "The payment method you provided has already been attached to a customer.",
  );
  const used = { amount: 500, currency: "usd", payment_method: ann.method };
  expect((await refusal(stripe.paymentIntents.create(used))).message).toContain(
    `The payment method supplied (${ann.method}) belongs to a Customer.`,
  );
  expect((await stripe.paymentIntents.retrieve(intent.id)).payment_method).toBeNull();
});
