import type { Page } from "@playwright/test";
import { driveStripe } from "../support/stripe.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { addButton, card, endAll, fillCard, row, watch } from "./support/payments.ts";
import { openPath } from "./support/visit.ts";

/** One product for all tests of this file; each works in the state that it makes. */
test.describe.configure({ mode: "serial" });

const ACME = "9130357849016936";
const payButton = (page: Page) => page.getByRole("button", { name: "Pay $29.00" });
const message = (page: Page) => page.getByRole("alert", { name: "Message from Stripe" });

test("UP-05 the price of tracking is shown on the landing page, on Upload and in Settings before a user has to ask", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const landing = page.getByText(/Tracking Service costs \$29\.00 a month for each company/);
  // The first page of a new installation may come before its price is known.
  await expect(async () => {
    await openPath(page, "/");
    await expect(landing).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await openPath(page, "/app/");
  await expect(page.getByText("It costs $29.00 a month.")).toBeVisible();
  await openPath(page, "/settings/");
  await expect(row(page)).toContainText("$29.00 / month");
});

test("SV-02 SV-03 SV-05 SV-07 SV-08 SV-09 SV-11 QC-16 PY-01 PY-02 PY-05 PY-06 PY-07 PY-09 PY-10 PY-14 PC-01 PC-02 PC-05 PC-06 PC-12 PC-13 UP-03 AP-30 ER-06 a service is added by card: a declined one gives Stripe's words, a good one turns it on", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const { origins, calls, scripts } = watch(page);
  await openPath(page, "/settings/");
  await expect(row(page)).toContainText("$29.00 / month");
  await expect(row(page)).toContainText("Tracking and proof of delivery on your invoices");
  // The payment code and Stripe's script are loaded only with the first Add.
  expect([...origins]).toEqual([product.url]);
  const paymentCode = /\/assets\/payment-form-[\w-]+\.js$/;
  expect([...scripts].filter((path) => paymentCode.test(path))).toEqual([]);
  const started = page.waitForRequest((request) => request.url().includes("/payment-intent"));
  await addButton(page).click();
  expect(Object.keys((await started).postDataJSON() as object)).not.toContain("product_name");
  await expect(card(page).getByText("Test mode, no money moves")).toBeVisible();
  expect([...scripts].filter((path) => paymentCode.test(path))).toHaveLength(1);
  await payButton(page).click();
  await expect(message(page)).toContainText("Your card number is incomplete.");
  await fillCard(page, "4000000000009995");
  await payButton(page).click();
  await expect(message(page)).toContainText("Your card has insufficient funds.");
  await card(page).getByText("Test card numbers").click();
  await card(page).getByRole("button", { name: "4242 4242 4242 4242" }).click();
  const confirmed = page.waitForRequest((request) => /payment_intents\/\w+\/confirm$/.test(request.url()));
  const returned = page.waitForRequest((request) => request.url().includes("/payment-completion?"));
  // The payment page is checked while it waits.
  let goOn = () => undefined as void;
  const isSeen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route("**/stripe/activate?*", async (route) => {
    await isSeen;
    await route.continue();
  });
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Recording Payment" })).toBeVisible();
  await expect(page.getByText("Thank you! Activating your subscription.").first()).toBeVisible();
  const readAgain = Promise.all(
    ["/api/v1/stripe/subscriptions", "/api/v1/user"].map((path) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === path),
    ),
  );
  goOn();
  await readAgain;
  expect(new URLSearchParams((await confirmed).postData() ?? "").get("_stripe_version")).toBe("2023-10-16");
  const query = new URL((await returned).url()).searchParams;
  expect(query.get("subscription_id")).toMatch(/^sub_/);
  expect(query.get("payment_intent_client_secret")).toMatch(/_secret_/);
  await expect(page).toHaveURL(/\/settings\/$/);
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await expect(row(page)).toContainText("Active");
  await expect(row(page)).toContainText(/Renews \w{3} \d+, \d{4} for \$29\.00/);
  await expect(page.getByRole("button", { name: /^Tracking Service/ })).toBeVisible();
  expect(calls.filter((call) => call.endsWith("/activate"))).toHaveLength(1);
  expect([...origins].sort()).toEqual([product.url, product.stripeUrl].sort());
  await openPath(page, "/app/");
  const connected = "You are connected to Acme Tools with the Invoice Upload service and Tracking Service.";
  await expect(page.getByText(connected)).toBeVisible();
  await openPath(page, "/settings/");
  await page.getByRole("button", { name: "Manage Tracking Service" }).click();
  await expect(page).toHaveURL((url) => url.origin === product.stripeUrl);
  expect(calls.filter((call) => call === "GET /api/v1/stripe/billing")).toHaveLength(1);
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await page.getByRole("link", { name: "Return to the product" }).click();
  await expect(row(page)).toContainText("Canceling");
  await expect(row(page)).toContainText(/Ends \w{3} \d+, \d{4}/);
  await endAll(product.stripeUrl);
});

test("PY-07 PY-08 PY-11 PY-12 a card asks its holder first: a refusal is an unexpected error, approval pays; canceling charges nothing", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const stripe = driveStripe(product.stripeUrl);
  const countPaid = async () =>
    (await stripe.objects("charge")).filter(({ status }) => status === "succeeded").length;
  const before = await countPaid();
  await openPath(page, "/settings/");
  await addButton(page).click();
  await fillCard(page, "4000002760003184");
  const challenge = page.frameLocator('iframe[title="3D Secure challenge frame"]');
  await payButton(page).click();
  await challenge.getByRole("button", { name: "Fail authentication" }).click();
  await expect(message(page)).toContainText("An unexpected error occurred.");
  const cancel = page.getByRole("button", { name: "Cancel", exact: true });
  await expect(cancel).toHaveClass(/MuiButton-colorCancel/);
  // The main color of the specified palette "cancel".
  await expect(cancel).toHaveCSS("background-color", "rgb(66, 66, 66)");
  await expect(cancel).toHaveCSS("color", "rgb(255, 255, 255)");
  await cancel.click();
  await expect(payButton(page)).toBeHidden();
  await addButton(page).click();
  await fillCard(page, "4000002760003184");
  const confirmed: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/confirm")) confirmed.push(request.method());
  });
  await payButton(page).click();
  await expect(payButton(page)).toBeDisabled();
  await expect(payButton(page).locator("svg")).toBeVisible();
  // The bank's question covers the button.
  await payButton(page).dispatchEvent("click");
  await challenge.getByRole("button", { name: "Complete authentication" }).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  expect((await countPaid()) - before).toBe(1);
  expect(confirmed).toEqual(["POST"]);
  await endAll(product.stripeUrl);
});

test("PY-03 PY-04 a free trial is added without a card, and OK shows it", async ({ openAs, product }) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await page.getByRole("button", { name: "Try free for 14 days" }).click();
  await expect(row(page).getByText("Tracking Service added!")).toBeVisible();
  // The list is polled every few seconds; permissions are reread only by OK.
  const readAgain = page.waitForRequest((request) => request.url().endsWith("/api/v1/user"));
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await readAgain;
  await expect(row(page)).toContainText("Trial");
  await expect(row(page)).toContainText(/Trial ends \w{3} \d+, \d{4}/);
  await endAll(product.stripeUrl);
});

test("PY-13 SV-01 SV-02 SV-06 SV-10 QC-16 ER-06 a payment that can't be started says why beside its row, and a list that can't be read offers a retry; a granted service has a price and no button, an unpaid one its last day", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  const problem = (detail: string) => ({
    status: 503,
    contentType: "application/problem+json",
    body: JSON.stringify({
      type: "about:blank",
      title: "T",
      status: 503,
      detail,
      code: "x",
      request_id: "r",
    }),
  });
  await page.route("**/payment-intent?*", (route) => route.fulfill(problem("Stripe did not answer.")));
  await addButton(page).click();
  await expect(row(page).getByRole("alert")).toContainText("Stripe did not answer.");
  let goOn = () => undefined as void;
  const isSeen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route("**/stripe/subscriptions?*", async (route) => {
    await isSeen;
    await route.fulfill(problem("Nothing could be read."));
  });
  await page.reload();
  await expect(page.getByRole("progressbar", { name: "Loading the services" })).toBeVisible();
  goOn();
  await expect(page.getByText("Nothing could be read.")).toBeVisible();
  const answer = (subscriptions: object[]) =>
    page.route("**/stripe/subscriptions?*", (route) => route.fulfill({ json: subscriptions }));
  await answer([]);
  const listed = page.waitForRequest("**/api/v1/stripe/subscriptions?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("No services are offered yet.")).toBeVisible();
  expect(new URL((await listed).url()).searchParams.get("realm_id")).toBe(ACME);
  const granted = {
    subscription_id: null,
    price_id: "price_1",
    product_name: "Tracking Service",
    product_description: "Tracking",
    rate: 4900,
    interval: "month",
    service: "tracking",
    status: "active",
    end_date: null,
    grace_ends: null,
    trial_days: 0,
  };
  await answer([granted]);
  await page.reload();
  await expect(row(page)).toContainText("$49.00");
  await expect(row(page)).toContainText("Active");
  await expect(row(page).getByRole("button")).toHaveCount(0);
  const unpaid = { ...granted, subscription_id: "sub_1", status: "past_due" };
  await answer([{ ...unpaid, grace_ends: Date.UTC(2027, 0, 4, 17) / 1_000 }]);
  await page.reload();
  await expect(row(page)).toContainText(
    "The last renewal wasn't paid. Tracking Service stays on until Jan 4, 2027. Fix the payment to keep it.",
  );
  await expect(row(page).getByRole("button", { name: "Fix payment Tracking Service" })).toBeVisible();
});

test("Stripe.js is at the addresses of its first and of later releases, which name themselves and accept no API version", async ({
  openAs,
  product,
}) => {
  const page = await openAs("guest");
  const opened: Record<string, string[]> = {};
  for (const path of ["/v3/", "/endive/stripe.js"]) {
    await page.goto(product.stripeUrl);
    await page.addScriptTag({ url: `${product.stripeUrl}${path}` });
    opened[path] = await page.evaluate(() => {
      type Open = { (key: string, options: object): object; version: unknown };
      const { Stripe } = window as unknown as { Stripe: Open };
      try {
        return [String(Stripe.version), typeof Stripe("pk_test_1", { apiVersion: "2023-10-16" })];
      } catch (error) {
        return [String(Stripe.version), (error as Error).name, typeof Stripe("pk_test_1", {})];
      }
    });
  }
  expect(opened).toEqual({
    "/v3/": ["3", "object"],
    "/endive/stripe.js": ["endive", "VersionError", "object"],
  });
});

test("AY-01 the payment form has no accessibility barrier and fits, wide and light, narrow and dark; without Stripe's script it says so", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  for (const [width, colorScheme] of [
    [1280, "light"],
    [375, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await openPath(page, "/settings/");
    await addButton(page).click();
    await expect(card(page).getByLabel("Card number")).toBeVisible();
    await expectAccessible(page, `payment form at ${width}`, [width]);
  }
  await page.route("**/v3/", (route) => route.abort());
  await openPath(page, "/settings/");
  await addButton(page).click();
  await expect(page.getByText("The payment form couldn't be loaded.")).toBeVisible();
  await page.unroute("**/v3/");
  await row(page).getByRole("button", { name: "Try again" }).click();
  await expect(card(page).getByLabel("Card number")).toBeVisible();
});

test("DC-02 disconnecting with an active subscription asks what to do with it, with ending it preselected", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await page.getByRole("button", { name: "Add Tracking Service" }).click();
  await fillCard(page, "4242424242424242");
  await payButton(page).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await openPath(page, `/disconnect/?realm_id=${ACME}`);
  const ends = page.getByRole("radio", { name: /^Cancel it at the end of the paid period/ });
  await expect(ends).toBeChecked();
  await expect(page.getByRole("radio", { name: /^Keep it/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Disconnect Acme Tools" }).click();
  await expect(page.getByRole("heading", { name: "Acme Tools is disconnected" })).toBeVisible();
  const [subscription] = await driveStripe(product.stripeUrl).objects("subscription");
  expect(subscription).toMatchObject({ status: "active", cancel_at_period_end: true });
});
