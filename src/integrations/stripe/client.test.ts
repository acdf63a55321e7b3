import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { readConfig } from "#platform/config/read-config.ts";
import { simulatedStripe } from "#platform/config/stripe.ts";
import { createPayments } from "#integrations/stripe/client.ts";
import { startStripe, type StripeSimulator } from "../../../test/support/stripe.ts";
import { checkingFetch, readStripeSchema, type Checked } from "../../../test/support/stripe-schema.ts";

let stripe: StripeSimulator & { close(): Promise<void> };
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(() => stripe.close());

test("each of our calls, and its answer, matches Stripe's description of its API and version", async () => {
  const checked: Checked[] = [];
  const checkedFetch = checkingFetch(readStripeSchema(), checked);
  const versions = new Set<string | null>();
  const config = readConfig({ LOG_LEVEL: "silent" }).stripe;
  const payments = createPayments(
    { ...config!, ...simulatedStripe(stripe.url) },
    {
      clock: systemClock,
      fetch: (url, { timeoutMs: _timeout, ...init }) => {
        versions.add(new Headers(init.headers as HeadersInit).get("stripe-version"));
        return checkedFetch(url, init as RequestInit);
      },
    },
  );
  const [price] = await payments.listPrices();
  const account = { accountId: "a1", email: "a@acme.example", realmId: "1" };
  const customerId = await payments.createCustomer({ ...account, name: "Acme" });
  expect(await payments.listCustomers(account)).toEqual([customerId]);
  expect(await payments.listCustomers({ ...account, realmId: "2" })).toEqual([]);
  const metadata = { realm_id: "1", service: "tracking", attempt_id: "t1" };
  const asked = { customerId, priceId: price!.id, description: "For Acme", metadata };
  const made = await payments.createSubscription({ ...asked, key: "k1", trialDays: null });
  expect(await payments.findUnpaidSince(made.id)).toEqual(made.invoice?.createdAt);
  const trial = await payments.createSubscription({ ...asked, key: "k2", trialDays: 14 });
  await payments.readSubscription(made.id);
  expect(await payments.readSubscription("sub_none")).toBeNull();
  await payments.scheduleEnd({ id: trial.id, atPeriodEnd: true, key: "k3" });
  const { endsAt } = await payments.scheduleEnd({ id: trial.id, atPeriodEnd: false, key: "k4" });
  expect(endsAt).toBeNull();
  await stripe.api(`subscriptions/${trial.id}`, {
    cancel_at: String(Math.floor(Date.now() / 1000) + 86_400),
  });
  expect(await payments.scheduleEnd({ id: trial.id, atPeriodEnd: false, key: "k6" })).toMatchObject({
    endsAt: null,
  });
  expect(await payments.endUnpaid(made)).toMatchObject({
    status: "incomplete_expired",
    invoice: { status: "void" },
  });
  // The state of one that was ended or paid meanwhile is reported.
  expect(await payments.endUnpaid(made)).toMatchObject({ status: "incomplete_expired" });
  const paid = await payments.createSubscription({ ...asked, key: "k5", trialDays: null });
  await stripe.api(`payment_intents/${paid.invoice?.intent?.id}/confirm`, { payment_method: "pm_card_visa" });
  expect(await payments.endUnpaid(paid)).toMatchObject({ status: "active", endsAt: null });
  expect(await payments.listSubscriptions(customerId)).toHaveLength(3);
  expect(await payments.openPortal({ customerId, returnUrl: "http://localhost:3000/settings/" })).toContain(
    "/p/session/",
  );
  expect((await payments.listEvents(new Date(0))).events.length).toBeGreaterThan(5);
  expect(checked.length).toBeGreaterThan(12);
  expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(versions).toEqual(new Set(["2023-10-16"]));
});
