import type { Page } from "@playwright/test";
import { driveStripe } from "../support/stripe.ts";
import { expect, test } from "./product.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { card, endAll, startPayment, watch } from "./support/payments.ts";
import { openPath } from "./support/visit.ts";

/** Records in the page, by its own clock, when it checks a payment. */
const noteLooks = (page: Page) =>
  page.addInitScript(() => {
    const lookedAt: number[] = [];
    const { fetch } = window;
    Object.assign(window, { lookedAt });
    window.fetch = (...given) => {
      if (String(given[0]).includes("/v1/payment_intents/")) lookedAt.push(Date.now());
      return fetch(...given);
    };
  });

/** One product for all tests of this file; each works in the state that it makes. */
test.describe.configure({ mode: "serial" });

test("PC-03 PC-04 PC-07 PC-08 PC-09 PC-10 PC-11 PC-12 ER-07 the payment page says the status of what is not paid, what is missing, and that money received is not lost", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const stripe = driveStripe(product.stripeUrl);
  const { calls } = watch(page);
  await openPath(page, "/payment-completion/");
  await expect(page.getByText("This payment link is incomplete.")).toBeVisible();
  const toSettings = page.getByRole("link", { name: "Back to Settings" });
  await expect(toSettings).toHaveAttribute("href", "/settings/");
  expect(calls).toEqual([]);
  await openPath(page, "/settings/");
  const { id, secret, intent } = await startPayment(page);
  const back = `/payment-completion?subscription_id=${id}&payment_intent_client_secret=${secret}&redirect_status=succeeded`;
  let goOn = () => undefined as void;
  const isSeen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route("**/v1/payment_intents/*", async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.goto(back);
  await expect(page.getByRole("progressbar", { name: "Loading the payment" })).toBeVisible();
  goOn();
  await expect(page.getByText('Payment status is "requires_payment_method".')).toBeVisible();
  await page.unroute("**/v1/payment_intents/*");
  await expect(page).toHaveURL(`${product.url}/payment-completion?subscription_id=${id}`);
  await expect(page.getByRole("link", { name: "Back to Settings" })).toBeVisible();
  for (const status of ["processing", "requires_action", "canceled"]) {
    await page.route("**/v1/payment_intents/*", (route) =>
      route.fulfill({ json: { id: "pi_1", object: "payment_intent", status } }),
    );
    await page.reload();
    await expect(page.getByText(`Payment status is "${status}".`)).toBeVisible();
  }
  await page.route("**/v1/payment_intents/*", (route) =>
    route.fulfill({
      status: 404,
      json: { error: { type: "invalid_request_error", message: "No such payment." } },
    }),
  );
  await page.reload();
  await expect(page.getByRole("alert", { name: "Payment Error" })).toContainText("No such payment.");
  await page.unroute("**/v1/payment_intents/*");
  await stripe.api(`payment_intents/${intent}/confirm`, { payment_method: "pm_card_visa" });
  await page.route("**/stripe/activate?*", (route) => route.abort());
  await page.reload();
  const failed = page.getByRole("alert", { name: "Payment Error" });
  await expect(failed).toContainText(
    "Your payment was received. We will finish activating your subscription.",
  );
  await page.unroute("**/stripe/activate?*");
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  expect(page.url()).toBe(`${product.url}/settings/`);
  await endAll(product.stripeUrl);
});

test("PC-08 a payment that is processing is checked again every 5 s for a minute, and activated once it succeeds", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const { calls } = watch(page);
  const looks: string[] = [];
  let status = "processing";
  await page.route("**/v1/payment_intents/*", (route) => {
    looks.push(status);
    return route.fulfill({ json: { id: "pi_1", object: "payment_intent", status } });
  });
  await openPath(page, "/settings/");
  const { id, secret, intent } = await startPayment(page);
  await driveStripe(product.stripeUrl).api(`payment_intents/${intent}/confirm`, {
    payment_method: "pm_card_visa",
  });
  await page.clock.install();
  await pause(page);
  await noteLooks(page);
  const back = `/payment-completion?subscription_id=${id}&payment_intent_client_secret=${secret}`;
  await page.goto(back);
  const isProcessing = () => page.getByText('Payment status is "processing".').isVisible();
  await moveUntil(page, isProcessing);
  expect(looks).toHaveLength(1);
  for (let look = 2; look <= 13; look += 1) {
    await moveUntil(page, async () => looks.length >= look, 500);
    expect(looks).toHaveLength(look);
  }
  const times = await page.evaluate(() => (window as unknown as { lookedAt: number[] }).lookedAt);
  for (const [at, time] of times.slice(1).entries())
    expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(5_000);
  await page.clock.runFor(60_000);
  expect(looks).toHaveLength(13);
  expect(calls.filter((call) => call.endsWith("/activate"))).toEqual([]);
  await page.reload();
  await moveUntil(page, isProcessing);
  status = "succeeded";
  await moveUntil(page, () => page.getByText("Tracking Service is active.").isVisible(), 500);
  expect(calls.filter((call) => call.endsWith("/activate"))).toHaveLength(1);
  await endAll(product.stripeUrl);
});

test("a payment ends in the company it was started for, even if another browser tab has moved on to another one", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await page.getByRole("radio", { name: "Acme Tools" }).check();
  await startPayment(page);
  const other = await page.context().newPage();
  await openPath(other, "/settings/");
  await other.getByRole("radio", { name: "Bay Supply" }).check();
  await other.close();
  await card(page).getByText("Test card numbers").click();
  await card(page).getByRole("button", { name: "4242 4242 4242 4242" }).click();
  await page.getByRole("button", { name: "Pay $29.00" }).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeChecked();
  await endAll(product.stripeUrl);
});
