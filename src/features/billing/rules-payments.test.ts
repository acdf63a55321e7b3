import { expect, test } from "vitest";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import { nextPaymentStep } from "#features/billing/rules-payments.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

type Payment = "to pay" | "paid" | "paid, not yet noted" | "void" | "draft" | "without a payment" | null;

/** The latest invoice, with the state of its payment. */
function makeInvoice(payment: Payment): SubscriptionView["invoice"] {
  if (payment === null) return null;
  const intent = { id: "pi_1", clientSecret: "pi_1_secret_2", failure: null };
  const invoice = { id: "in_1", amountDue: 2900, createdAt: NOW, url: null };
  if (payment === "to pay")
    return { ...invoice, status: "open", intent: { ...intent, status: "requires_payment_method" } };
  if (payment === "paid, not yet noted")
    return { ...invoice, status: "open", intent: { ...intent, status: "succeeded" } };
  if (payment === "without a payment") return { ...invoice, status: "open", intent: null };
  if (payment === "draft") return { ...invoice, status: "draft", intent: null };
  return { ...invoice, status: payment, intent: { ...intent, status: "canceled" } };
}

const view = (status: string, payment: Payment, more: Partial<SubscriptionView> = {}): SubscriptionView => ({
  id: "sub_1",
  customerId: "cus_1",
  status,
  isLive: false,
  realmId: "1",
  service: "tracking",
  attemptId: null,
  priceId: "price_1",
  createdAt: NOW,
  periodEnd: NOW,
  endsAt: null,
  trialEnd: null,
  endedAt: null,
  invoice: makeInvoice(payment),
  ...more,
});

const ends = { endsAt: NOW };
const wanted = { customerId: "cus_1", priceId: "price_1", isTrial: false };
const PAY = { kind: "pay", secret: "pi_1_secret_2" };

test.each<[string, SubscriptionView | null, object]>([
  ["none is created", null, { kind: "create" }],
  ["one that was canceled is created again", view("canceled", "paid"), { kind: "create" }],
  ["one that was not paid in time is created again", view("incomplete_expired", "void"), { kind: "create" }],
  ["a first payment continues", view("incomplete", "to pay"), PAY],
  ["a first payment that was made is not requested again", view("incomplete", "paid"), { kind: "is_paid" }],
  [
    "nor is one that the subscription is behind",
    view("incomplete", "paid, not yet noted"),
    { kind: "is_paid" },
  ],
  ["one that can no longer be paid is canceled", view("incomplete", "void"), { kind: "cancel_unpaid" }],
  ["so is one that never could", view("incomplete", "without a payment"), { kind: "cancel_unpaid" }],
  [
    "so is an attempt at another price",
    view("incomplete", "to pay", { priceId: "price_2" }),
    { kind: "cancel_unpaid" },
  ],
  [
    "one that was paid is not canceled for another price",
    view("incomplete", "paid, not yet noted", { priceId: "price_2" }),
    { kind: "is_paid" },
  ],
  ["one that is active is paid", view("active", "paid"), { kind: "is_paid" }],
  ["so is a trial", view("trialing", "paid"), { kind: "is_paid" }],
  ["so is another price of it", view("active", "paid", { priceId: "price_2" }), { kind: "is_paid" }],
  ["a scheduled cancellation is withdrawn", view("active", "paid", ends), { kind: "resume" }],
  ["also that of a trial", view("trialing", "paid", ends), { kind: "resume" }],
  ["a failed renewal is paid", view("past_due", "to pay"), PAY],
  ["whatever its price is", view("past_due", "to pay", { priceId: "price_2" }), PAY],
  ["a renewal that was paid just now is paid", view("past_due", "paid, not yet noted"), { kind: "is_paid" }],
  ["one without a payment is paid in the portal", view("past_due", null), { kind: "use_portal" }],
  ["one that Stripe gave up on is paid", view("unpaid", "to pay"), PAY],
  [
    "its next invoice stays a draft that nobody can pay, so it is canceled for a new one",
    view("unpaid", "draft"),
    { kind: "cancel_unpaid" },
  ],
  ["so is one whose invoice is void", view("unpaid", "void"), { kind: "cancel_unpaid" }],
  [
    "a trial that ended without a card continues in the portal",
    view("paused", "paid"),
    { kind: "use_portal" },
  ],
  ["an unknown status does not count as paid", view("levitating", "paid"), { kind: "use_portal" }],
  [
    "a service that another user pays is not paid twice",
    view("active", "paid", { customerId: "cus_2" }),
    { kind: "paid_by_other" },
  ],
  [
    "nor what was paid a moment ago",
    view("incomplete", "paid, not yet noted", { customerId: "cus_2" }),
    { kind: "paid_by_other" },
  ],
  [
    "an unpaid one of another user is canceled",
    view("incomplete", "to pay", { customerId: "cus_2" }),
    { kind: "cancel_unpaid" },
  ],
  [
    "so is one that they no longer pay",
    view("past_due", "to pay", { customerId: "cus_2" }),
    { kind: "cancel_unpaid" },
  ],
  [
    "or one that Stripe gave up on",
    view("unpaid", "without a payment", { customerId: "cus_2" }),
    { kind: "cancel_unpaid" },
  ],
  [
    "an unknown status is left alone",
    view("levitating", "to pay", { customerId: "cus_2" }),
    { kind: "paid_by_other" },
  ],
  [
    "one that another user paid and ended is created",
    view("canceled", "paid", { customerId: "cus_2" }),
    { kind: "create" },
  ],
])("%s", (_name, known, step) => {
  expect(nextPaymentStep(known, wanted)).toEqual(step);
});

test.each<[string, SubscriptionView | null, object]>([
  ["begins if there is none", null, { kind: "create" }],
  ["ends an attempt that waits for its payment", view("incomplete", "to pay"), { kind: "cancel_unpaid" }],
  ["doesn't end one that was paid", view("incomplete", "paid, not yet noted"), { kind: "is_paid" }],
  ["is not available in addition to a paid one", view("active", "paid"), { kind: "is_paid" }],
])("a trial %s", (_name, known, step) => {
  expect(nextPaymentStep(known, { ...wanted, isTrial: true })).toEqual(step);
});
