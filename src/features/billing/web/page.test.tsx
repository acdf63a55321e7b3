import type { SubscriptionRow } from "#features/billing/contract.ts";
import { serveStripe, stripe } from "#features/billing/web/fixtures/stripe.ts";
import { owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { configure, screen, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";

const server = await startServer();
serveStripe();
beforeAll(() => configure({ reactStrictMode: true }));
afterAll(() => configure({ reactStrictMode: false }));

const active: SubscriptionRow = {
  subscription_id: "sub_1",
  price_id: "price_1",
  product_name: "Tracking Service",
  product_description: "Tracking",
  rate: 2900,
  interval: "month",
  service: "tracking",
  status: "active",
  end_date: 1_800_000_000,
  grace_ends: null,
  is_for_sale: true,
  trial_days: 0,
};

const activations = () => server.requests.filter(({ url }) => url.pathname.endsWith("/activate"));

const open = (path: string) => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("POST /api/v1/stripe/activate", { json: active });
  server.visit(path);
  return renderPage();
};

const returnFrom = (id: string) =>
  `/payment-completion?subscription_id=${id}&payment_intent_client_secret=pi_1_secret_2`;

test("PC-02 PC-06 PC-10 a payment is activated once even if effects run twice, and again, harmlessly, on a second visit", async () => {
  stripe.status = "succeeded";
  const { unmount } = open(returnFrom("sub_1"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations()).toHaveLength(1);
  expect(JSON.parse(activations()[0]!.body)).toEqual({ subscription_id: "sub_1", status: "succeeded" });
  expect(activations()[0]!.url.searchParams.get("realm_id")).toBe("1");
  expect(new Set(stripe.retrieved)).toEqual(new Set(["pi_1_secret_2"]));
  unmount();
  open(returnFrom("sub_1"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations()).toHaveLength(2);
});

test("a payment is activated for the company it was started for, even if another tab has switched the company", async () => {
  stripe.status = "succeeded";
  window.sessionStorage.setItem("paidFor.sub_2", "2");
  open(returnFrom("sub_2"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations().map(({ url }) => url.searchParams.get("realm_id"))).toEqual(["2"]);
  expect(window.localStorage.getItem("realmId")).toBe("2");
});

test.each(["requires_payment_method", "requires_action", "canceled"])(
  "PC-04 PC-08 a payment that is %s stays on the page and activates nothing",
  async (status) => {
    stripe.status = status;
    open(returnFrom(`sub_${status}`));
    expect(await screen.findByText(`Payment status is "${status}".`)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Settings" }).getAttribute("href")).toBe("/settings/");
    expect(window.location.pathname).toBe("/payment-completion");
    expect(activations()).toEqual([]);
  },
);

const paymentError = async () => within(await screen.findByRole("alert", { name: "Payment Error" }));

test("PC-07 PC-11 ER-07 why a payment can't be read or activated is under its title, and money that was received is not lost", async () => {
  stripe.status = "succeeded";
  stripe.fault = "No such payment.";
  const { unmount } = open(returnFrom("sub_3"));
  expect((await paymentError()).getByText("No such payment.")).toBeTruthy();
  expect(activations()).toEqual([]);
  stripe.fault = null;
  unmount();
  open(returnFrom("sub_4"));
  server.on("POST /api/v1/stripe/activate", problem(503, "Stripe did not answer."));
  const failed = await paymentError();
  expect(failed.getByText("Stripe did not answer.")).toBeTruthy();
  expect(failed.getByText(/^Your payment was received\./)).toBeTruthy();
  server.on("POST /api/v1/stripe/activate", { json: active });
  await userEvent.click(failed.getByRole("button", { name: "Try again" }));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
});

test.each(["", "?subscription_id=sub_1", "?payment_intent_client_secret=pi_1_secret_2"])(
  "PC-09 an address that ends with %j is incomplete, and nothing is requested",
  async (query) => {
    open(`/payment-completion${query}`);
    expect(await screen.findByText("This payment link is incomplete.")).toBeTruthy();
    expect(screen.getByRole("group", { name: "Payment Error" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Settings" }).getAttribute("href")).toBe("/settings/");
    expect([stripe.retrieved, activations()]).toEqual([[], []]);
  },
);
