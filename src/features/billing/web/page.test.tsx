import { StrictMode } from "react";
import { expect, test } from "vitest";
import type { SubscriptionRow } from "#features/billing/contract.ts";

// The shell's data is read once, when the page starts: it has to be there before the page is loaded.
const shell = document.createElement("script");
shell.type = "application/json";
shell.id = "boot";
shell.textContent = JSON.stringify({
  stripe: { script_url: "http://127.0.0.1:9/v3/", publishable_key: "pk_test_1" },
});
document.head.append(shell);
const { App } = await import("#web/app.tsx");
const { owner, problem, recordingReporter, startServer } = await import("#web/test-support.tsx");
const { render, screen, within } = await import("@testing-library/react");
const { userEvent } = await import("@testing-library/user-event");
const { BrowserRouter } = await import("react-router");
const server = await startServer();

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

/** Stripe.js as far as this page uses it: it is loaded once, and answers the status that the test wants. */
const payment = { status: "succeeded", asked: [] as string[], fault: null as string | null };
const stripe = {
  elements: () => ({}),
  createToken: () => undefined,
  createPaymentMethod: () => undefined,
  confirmCardPayment: () => undefined,
  retrievePaymentIntent: (secret: string) => {
    payment.asked.push(secret);
    if (payment.fault) return Promise.resolve({ error: { message: payment.fault } });
    return Promise.resolve({ paymentIntent: { status: payment.status } });
  },
};
Object.assign(window, { Stripe: Object.assign(() => stripe, { version: 3 }) });

const activations = () => server.asked.filter(({ url }) => url.pathname.endsWith("/activate"));

const open = (path: string) => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("POST /api/v1/stripe/activate", { json: active });
  server.visit(path);
  const { reporter } = recordingReporter();
  return render(
    <StrictMode>
      <BrowserRouter>
        <App reporter={reporter} />
      </BrowserRouter>
    </StrictMode>,
  );
};

const returnFrom = (id: string) =>
  `/payment-completion?subscription_id=${id}&payment_intent_client_secret=pi_1_secret_2`;

test("PC-02 PC-06 PC-10 a payment is activated once even if effects run twice, and again, harmlessly, on a second visit", async () => {
  payment.status = "succeeded";
  const { unmount } = open(returnFrom("sub_1"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations()).toHaveLength(1);
  expect(JSON.parse(activations()[0]!.body)).toEqual({ subscription_id: "sub_1", status: "succeeded" });
  expect(activations()[0]!.url.searchParams.get("realm_id")).toBe("1");
  expect(new Set(payment.asked)).toEqual(new Set(["pi_1_secret_2"]));
  unmount();
  open(returnFrom("sub_1"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations()).toHaveLength(2);
});

test("a payment is activated for the company it was started for, even if another tab has switched the company", async () => {
  payment.status = "succeeded";
  window.sessionStorage.setItem("paidFor.sub_2", "2");
  open(returnFrom("sub_2"));
  await expect.poll(() => window.location.pathname).toBe("/settings/");
  expect(activations().map(({ url }) => url.searchParams.get("realm_id"))).toEqual(["2"]);
  expect(window.localStorage.getItem("realmId")).toBe("2");
});

test.each(["requires_payment_method", "requires_action", "canceled"])(
  "PC-04 PC-08 a payment that is %s stays on the page and activates nothing",
  async (status) => {
    payment.status = status;
    open(returnFrom(`sub_${status}`));
    expect(await screen.findByText(`Payment status is "${status}".`)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Settings" }).getAttribute("href")).toBe("/settings/");
    expect(window.location.pathname).toBe("/payment-completion");
    expect(activations()).toEqual([]);
  },
);

const paymentError = async () => within(await screen.findByRole("alert", { name: "Payment Error" }));

test("PC-07 PC-11 ER-07 why a payment can't be read or activated is under its title, and money that was received is not lost", async () => {
  payment.status = "succeeded";
  payment.fault = "No such payment.";
  const { unmount } = open(returnFrom("sub_3"));
  expect((await paymentError()).getByText("No such payment.")).toBeTruthy();
  expect(activations()).toEqual([]);
  payment.fault = null;
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
    payment.asked.length = 0;
    open(`/payment-completion${query}`);
    expect(await screen.findByText("This payment link is incomplete.")).toBeTruthy();
    expect(screen.getByRole("group", { name: "Payment Error" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Settings" }).getAttribute("href")).toBe("/settings/");
    expect([payment.asked, activations()]).toEqual([[], []]);
  },
);
