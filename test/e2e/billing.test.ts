import type { FrameLocator, Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";

const card = (page: Page): FrameLocator => page.frameLocator('iframe[title="Secure payment input frame"]');

async function fill(page: Page, number: string): Promise<void> {
  const frame = card(page);
  await frame.getByLabel("Card number").fill(number);
  await frame.getByLabel("Expiration date").fill("12 / 34");
  await frame.getByLabel("Security code").fill("123");
  await frame.getByLabel("ZIP code").fill("94607");
}

/** Every origin that a page reached, and every call of it to the payment endpoints. */
function watch(page: Page) {
  const origins = new Set<string>();
  const calls: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http")) origins.add(url.origin);
    if (url.pathname.startsWith("/api/v1/stripe/")) calls.push(`${request.method()} ${url.pathname}`);
  });
  return { origins, calls };
}

const add = (page: Page) => page.getByRole("button", { name: "Add Tracking Service" });

test("SV-02 SV-03 SV-05 SV-08 PY-01 PY-02 PY-05 PY-06 PY-07 PY-09 PY-10 PY-14 PC-01 PC-02 PC-03 PC-05 PC-06 PC-12 PC-13 UP-03 AP-30 ER-06 a service is added by card: a declined one gives Stripe's words, a good one turns it on", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  const { origins, calls } = watch(page);
  await openPath(page, "/settings/");
  const row = page.getByRole("listitem").filter({ hasText: "Tracking Service" });
  await expect(row).toContainText("$29.00 / month");
  await expect(row).toContainText("Tracking and proof of delivery on your invoices");
  expect([...origins]).toEqual([product.url]);
  const started = page.waitForRequest((request) => request.url().includes("/payment-intent"));
  await add(page).click();
  expect(Object.keys((await started).postDataJSON() as object)).not.toContain("product_name");
  await expect(card(page).getByText("Test mode, no money moves")).toBeVisible();
  const payButton = page.getByRole("button", { name: "Pay $29.00" });
  await payButton.click();
  const message = page.getByRole("alert", { name: "Message from Stripe" });
  await expect(message).toContainText("Your card number is incomplete.");
  await fill(page, "4000000000009995");
  await payButton.click();
  await expect(message).toContainText("Your card has insufficient funds.");
  await card(page).getByText("Test card numbers").click();
  await card(page).getByRole("button", { name: "4242 4242 4242 4242" }).click();
  await payButton.click();
  await expect(page).toHaveURL(/\/settings\/$/);
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await expect(row).toContainText("Active");
  await expect(row.getByRole("button", { name: "Manage Tracking Service" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Tracking Service/ })).toBeVisible();
  expect(calls.filter((call) => call.endsWith("/activate"))).toHaveLength(1);
  expect([...origins].sort()).toEqual([product.url, product.stripeUrl].sort());
  await page.getByRole("button", { name: "Manage Tracking Service" }).click();
  await expect(page).toHaveURL((url) => url.origin === product.stripeUrl);
  await expect(page.getByText("Tracking Service")).toBeVisible();
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await page.getByRole("link", { name: "Return to the product" }).click();
  await expect(row).toContainText("Canceling");
  await expect(row).toContainText(/Ends \w{3} \d+, \d{4}/);
});
