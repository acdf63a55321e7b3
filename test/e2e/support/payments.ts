import { expect, type FrameLocator, type Page } from "@playwright/test";
import { driveStripe } from "../../support/stripe.ts";

/** Stripe's card fields, which live in a frame of its own. */
export const card = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Secure payment input frame"]');

/** Fills the card form in; all else but the number is any. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = card(page);
  await frame.getByLabel("Card number").fill(number);
  await frame.getByLabel("Expiration date").fill("12 / 34");
  await frame.getByLabel("Security code").fill("123");
  await frame.getByLabel("ZIP code").fill("94607");
}

export const row = (page: Page) => page.getByRole("listitem").filter({ hasText: /^Tracking Service/ });
export const addButton = (page: Page) => page.getByRole("button", { name: "Add Tracking Service" });

/** Every origin that a page reached, every script it loaded, and every call of it to the payment endpoints. */
export function watch(page: Page) {
  const origins = new Set<string>();
  const calls: string[] = [];
  const scripts = new Set<string>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http")) origins.add(url.origin);
    if (url.pathname.endsWith(".js")) scripts.add(url.pathname);
    if (url.pathname.startsWith("/api/v1/stripe/")) calls.push(`${request.method()} ${url.pathname}`);
  });
  return { origins, calls, scripts };
}

/** Ends every subscription at Stripe, so that the next test starts without one. */
export async function endAll(stripeUrl: string): Promise<void> {
  const stripe = driveStripe(stripeUrl);
  for (const { id, status } of await stripe.objects("subscription"))
    if (!["canceled", "incomplete_expired"].includes(status))
      await stripe.api(`subscriptions/${id}`, undefined, "DELETE");
}

/** Starts a payment by a click on Add. @returns the subscription and the secret of its payment */
export async function startPayment(page: Page): Promise<{ id: string; secret: string; intent: string }> {
  const answered = page.waitForResponse((response) => response.url().includes("/payment-intent"));
  await addButton(page).click();
  const { subscription_id: id, client_secret: secret } = (await (await answered).json()) as Record<
    string,
    string
  >;
  expect(secret).toBeTruthy();
  return { id: id ?? "", secret: secret ?? "", intent: secret?.split("_secret_")[0] ?? "" };
}
