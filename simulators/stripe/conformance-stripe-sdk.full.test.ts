import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStripeSimulator } from "./start.ts";

let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
let stripe: Stripe;

/** A new invoice includes pending items only on request. */
const PENDING = { pending_invoice_items_behavior: "include" as const };

beforeAll(async () => {
  simulator = await startStripeSimulator({ port: 0 });
  const { hostname, port } = new URL(simulator.url);
  stripe = new Stripe("sk_test_foreign", {
    apiVersion: "2023-10-16",
    host: hostname,
    port,
    protocol: "http",
    telemetry: false,
  });
});
afterAll(() => simulator.close());

const makePrice = async () => {
  const product = await stripe.products.create({ name: "Widgets", metadata: { app: "foreign" } });
  return stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 4900,
    recurring: { interval: "month" },
  });
};

const makeCustomer = (more: Stripe.CustomerCreateParams = {}) =>
  stripe.customers.create({ email: "ann@foreign.example", name: "Ann", ...more });

/** A customer with a saved card. */
async function makePayer(card: string, more: Stripe.CustomerCreateParams = {}) {
  const customer = await makeCustomer(more);
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  return customer;
}

test("the official SDK creates a customer, a product, a price and a subscription, and pays its first invoice", async () => {
  const price = await makePrice();
  const customer = await makeCustomer();
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    metadata: { realm_id: "1", service: "widgets" },
    expand: ["latest_invoice.payment_intent"],
  });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const intent = invoice.payment_intent as Stripe.PaymentIntent;
  expect(subscription.status).toBe("incomplete");
  expect([invoice.status, invoice.amount_due, intent.amount, intent.status]).toEqual([
    "open",
    4900,
    4900,
    "requires_payment_method",
  ]);
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
  expect(paid.status).toBe("succeeded");
  const active = await stripe.subscriptions.retrieve(subscription.id, { expand: ["latest_invoice"] });
  expect(active.status).toBe("active");
  expect((active.latest_invoice as Stripe.Invoice).status).toBe("paid");
  expect(active.default_payment_method).toBe(paid.payment_method);
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  for (const type of ["customer.subscription.created", "customer.subscription.updated", "invoice.paid"])
    expect(types).toContain(type);
  expect(types.indexOf("invoice.paid")).toBeLessThan(types.indexOf("customer.subscription.created"));
});

test("a declined card is a StripeCardError with its decline code, and the failed payment stays on record", async () => {
  const customer = await makeCustomer();
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", customer: customer.id });
  const failure: unknown = await stripe.paymentIntents
    .confirm(intent.id, { payment_method: "pm_card_chargeDeclinedInsufficientFunds" })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(failure).toMatchObject({
    statusCode: 402,
    code: "card_declined",
    decline_code: "insufficient_funds",
  });
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { decline_code: "insufficient_funds" },
  });
});

test("a repeat with the same idempotency key gets the first answer, and another body with it is refused", async () => {
  const options = { idempotencyKey: "foreign-key-1" };
  const first = await stripe.customers.create({ name: "Once" }, options);
  const again = await stripe.customers.create({ name: "Once" }, options);
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
  await expect(stripe.customers.create({ name: "Twice" }, options)).rejects.toBeInstanceOf(
    Stripe.errors.StripeIdempotencyError,
  );
});

test("lists are paged by the SDK's own iteration, and an unknown field, id or key is refused as Stripe does", async () => {
  const customer = await makeCustomer();
  for (let count = 0; count < 5; count += 1)
    await stripe.invoiceItems.create({ customer: customer.id, amount: 100, currency: "usd" });
  const found: string[] = [];
  for await (const each of stripe.products.list({ limit: 1 })) found.push(each.id);
  expect(new Set(found).size).toBe(found.length);
  expect(found.length).toBeGreaterThan(1);
  const draft = await stripe.invoices.create({ customer: customer.id, ...PENDING });
  const final = await stripe.invoices.finalizeInvoice(draft.id);
  expect([final.status, final.amount_due]).toEqual(["open", 500]);
  await expect(stripe.customers.retrieve("cus_none")).rejects.toMatchObject({
    code: "resource_missing",
    statusCode: 404,
  });
  await expect(stripe.customers.create({ nickname: "Ann" } as object)).rejects.toMatchObject({
    code: "parameter_unknown",
  });
  const { hostname, port } = new URL(simulator.url);
  const stranger = new Stripe("sk_live_x", {
    apiVersion: "2023-10-16",
    host: hostname,
    port,
    protocol: "http",
  });
  await expect(stranger.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
});

test("with a test clock a subscription renews, a failing card is retried for two weeks, and then it ends", async () => {
  const start = Math.floor(Date.UTC(2026, 0, 31) / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const customer = await makePayer("pm_card_visa", { test_clock: clock.id });
  const price = await makePrice();
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
  const advance = async (days: number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + days * 86_400 });
    return stripe.subscriptions.retrieve(id);
  };
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  const renewed = await advance(29);
  expect([renewed.status, day(renewed.current_period_start), day(renewed.current_period_end)]).toEqual([
    "active",
    "2026-02-28",
    "2026-03-28",
  ]);
  const failing = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
  await stripe.subscriptions.update(id, { default_payment_method: failing.id });
  expect((await advance(57)).status).toBe("past_due");
  expect((await advance(69)).status).toBe("past_due");
  expect((await advance(71)).status).toBe("canceled");
});

test("the next invoice can be previewed, also with a changed subscription; nothing is created", async () => {
  const price = await makePrice();
  const customer = await makePayer("pm_card_visa");
  const next = (more: Stripe.InvoiceRetrieveUpcomingParams = {}) =>
    stripe.invoices.retrieveUpcoming({ customer: customer.id, ...more });
  await expect(next()).rejects.toMatchObject({ statusCode: 404, code: "invoice_upcoming_none" });
  const made = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
  await stripe.invoiceItems.create({ customer: customer.id, amount: 100, currency: "usd" });
  const invoice = await next();
  expect(invoice).toMatchObject({ object: "invoice", status: "draft", subscription: made.id });
  expect(invoice).not.toHaveProperty("id");
  expect([invoice.amount_due, invoice.next_payment_attempt]).toEqual([5000, made.current_period_end]);
  const renewal = invoice.lines.data[1]!.period;
  expect([renewal.start, renewal.end > renewal.start]).toEqual([made.current_period_end, true]);
  const two = { id: made.items.data[0]!.id, quantity: 2 };
  const asked = { subscription: made.id, subscription_items: [two] };
  const changed = await next({ ...asked, subscription_proration_behavior: "none" });
  expect(changed.amount_due).toBe(9900);
  const lines = await stripe.invoices.listUpcomingLines(asked);
  expect(lines.data.filter(({ proration }) => proration)).toHaveLength(2);
  expect(await next()).toMatchObject({ amount_due: 5000 });
  const kept = await stripe.subscriptions.retrieve(made.id);
  expect([kept.items.data[0]!.quantity, kept.latest_invoice]).toEqual([1, made.latest_invoice]);
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
  await stripe.subscriptions.update(made.id, { cancel_at_period_end: true });
  expect((await next()).amount_due).toBe(100);
});

test("a trial without a card is announced three days before its end, and pauses or ends there as requested", async () => {
  const start = Math.floor(Date.UTC(2026, 5, 1) / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const customer = await makeCustomer({ test_clock: clock.id });
  const price = await makePrice();
  const trial = (behavior: "cancel" | "pause") =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      trial_period_days: 14,
      trial_settings: { end_behavior: { missing_payment_method: behavior } },
    });
  const [cancels, pauses] = [await trial("cancel"), await trial("pause")];
  expect([cancels.status, pauses.status]).toEqual(["trialing", "trialing"]);
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 12 * 86_400 });
  const reminders = await stripe.events.list({ type: "customer.subscription.trial_will_end" });
  expect(reminders.data).toHaveLength(2);
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 15 * 86_400 });
  expect((await stripe.subscriptions.retrieve(cancels.id)).status).toBe("canceled");
  expect((await stripe.subscriptions.retrieve(pauses.id)).status).toBe("paused");
});

test("a webhook endpoint receives signed events that the SDK verifies", async () => {
  const received: { body: string; signature: string }[] = [];
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        body: Buffer.concat(chunks).toString("utf8"),
        signature: String(request.headers["stripe-signature"]),
      });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as { port: number };
  const endpoint = await stripe.webhookEndpoints.create({
    url: `http://localhost:${port}/hook`,
    enabled_events: ["customer.created"],
  });
  const customer = await makeCustomer();
  await expect.poll(() => received.length).toBe(1);
  const event = stripe.webhooks.constructEvent(
    received[0]!.body,
    received[0]!.signature,
    endpoint.secret ?? "",
  );
  expect([event.type, (event.data.object as Stripe.Customer).id]).toEqual(["customer.created", customer.id]);
  await stripe.webhookEndpoints.del(endpoint.id);
  server.close();
});

test("a billing portal session needs a configuration, and shows what is paid for", async () => {
  const customer = await makePayer("pm_card_visa");
  const price = await makePrice();
  await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
  await expect(stripe.billingPortal.sessions.create({ customer: customer.id })).rejects.toThrow(
    "No configuration provided",
  );
  const configuration = await stripe.billingPortal.configurations.create({
    business_profile: { headline: "Ours" },
    features: { subscription_cancel: { enabled: true } },
  });
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration: configuration.id,
    return_url: "http://localhost:9/settings/",
  });
  const shown = await (await fetch(session.url)).text();
  expect(shown).toContain("Widgets");
  expect(shown).toContain("$49.00 / month");
  expect((await fetch(`${session.url}x`)).status).toBe(404);
});

test("forms are read as clients in other languages write them: lists without numbers, capitalized booleans, the fields of a deletion in its body", async () => {
  const call = async (method: string, path: string, body: string) => {
    const headers = {
      authorization: "Bearer sk_test_curl",
      "content-type": "application/x-www-form-urlencoded",
    };
    const answer = await fetch(`${simulator.url}/v1/${path}`, { method, headers, body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const [first, second] = [await makePrice(), await makePrice()];
  const { id: customer } = await makeCustomer();
  const made = await call(
    "POST",
    "subscriptions",
    `customer=${customer}&items[][price]=${first.id}&items[][quantity]=2&items[][price]=${second.id}&expand[]=customer` +
      "&payment_behavior=default_incomplete&cancel_at_period_end=True",
  );
  const { items, cancel_at_period_end: ends } = made.body as unknown as Stripe.Subscription;
  expect([made.status, made.body["customer"], ends]).toMatchObject([
    200,
    { email: "ann@foreign.example" },
    true,
  ]);
  expect(items.data.map(({ price, quantity }) => [price.id, quantity])).toEqual([
    [first.id, 2],
    [second.id, 1],
  ]);
  const ended = await call(
    "DELETE",
    `subscriptions/${String(made.body["id"])}`,
    "cancellation_details[comment]=Bye",
  );
  expect(ended.body["cancellation_details"]).toMatchObject({
    comment: "Bye",
    reason: "cancellation_requested",
  });
  const missing = await call("POST", "subscriptions", `customer=cus_none&items[0][price]=${first.id}`);
  expect([missing.status, missing.body["error"]]).toMatchObject([400, { param: "customer" }]);
});

test("an address that starts with two slashes is handled as a page and doesn't crash the simulator", async () => {
  expect((await fetch(`${simulator.url}//`)).status).toBe(200);
  expect((await fetch(simulator.url)).status).toBe(200);
});
