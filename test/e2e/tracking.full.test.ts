import type { Page } from "@playwright/test";
import {
  sampleDetails,
  sampleInvoice,
  sampleMoving,
  samplePackage,
  sampleTracking,
} from "../../src/features/tracking/web/fixtures/tracked.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { expectFits } from "./support/fits.ts";
import { expectReadingOrder, pressOn, tabThroughPage } from "./support/keyboard.ts";
import { endAll } from "./support/payments.ts";
import { allAsked, openPath } from "./support/visit.ts";
import { grantTracking, turnTrackingOn } from "./support/services.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

const several = sampleInvoice({
  id: "409",
  number: "B-10409",
  customer: "Summit Outfitters of the Greater Portland Area",
  state: "in_transit",
  packages: 2,
  not_followed: ["FedEx"],
});

/** Answers in place of the server's, with everything that the page can show. */
async function answerTracking(page: Page) {
  const details = sampleDetails();
  const answers = {
    [details.id]: details,
    [several.id]: sampleDetails({ ...several, details: [samplePackage(), sampleMoving()] }),
  };
  await page.route("**/api/v1/tracking?*", (route) =>
    route.fulfill({ json: sampleTracking({ problem: "UPS isn't answering.", problem_at: details.at }) }),
  );
  await page.route("**/api/v1/tracking/invoices?*", (route) =>
    route.fulfill({ json: { invoices: [sampleInvoice(), several], next: "more" } }),
  );
  await page.route("**/api/v1/tracking/invoices/*", (route) => {
    const id = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    return route.fulfill({ json: answers[id] });
  });
}

test("AY-01 AY-02 AY-04 TK-13 TK-15 the Tracking page has no barrier, with the service and without, wide and narrow, and an invoice is opened by keyboard", async ({
  openAs,
  product,
}) => {
  test.setTimeout(240_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/tracking/");
  await expect(page.getByRole("main").getByRole("link", { name: "Turn it on in Settings" })).toBeVisible();
  await expectAccessible(page, "without the service");
  await expect(page.getByRole("banner").getByRole("link", { name: "Tracking", exact: true })).toHaveCount(0);

  await grantTracking(product, "active");
  await answerTracking(page);
  await openPath(page, "/tracking/");
  await expect(page.getByRole("region", { name: "Red Rock Diner" })).toBeVisible();
  await expectAccessible(page, "with invoices");
  for (const width of [900, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFits(page, `the bar and the page at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const walked = await tabThroughPage(page);
  expectReadingOrder(walked, [
    "Tracking",
    "Check now",
    "Search packages",
    "Show 50 more",
    "Open the invoice",
  ]);
  await pressOn(page, /^Summit Outfitters/, "Enter");
  const pane = page.getByRole("region", { name: /^Summit Outfitters/ });
  await expect(pane.getByRole("list", { name: "2 packages" })).toBeVisible();
  await expect(page).toHaveURL(/\?invoice=409$/);
  await expectAccessible(page, "an invoice with several packages");
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByRole("heading", { level: 1, name: /^Summit Outfitters/ })).toBeVisible();
  await expectAccessible(page, "an invoice as a page of its own", [375]);
  await grantTracking(product, "ended");
});

test("TK-14 Check now has UPS asked at most once a minute, and says when it can be used again", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await turnTrackingOn(page, { wasGranted: true });
  await openPath(page, "/tracking/");
  const button = page.getByRole("button", { name: "Check now" });
  const asked = page.waitForResponse((response) => response.url().includes("/api/v1/tracking/check"));
  await button.click();
  expect((await asked).status()).toBe(202);
  const note = page.getByText(/^You can check again at \d+:\d\d [AP]M \S+\.$/).first();
  await expect(note).toBeVisible();
  await button.click();
  await allAsked(page);
  await page.reload();
  await expect(note).toBeVisible();
});

test("TK-15 when the service ends, the page keeps what was followed and nothing can be checked", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/tracking/");
  await expect(page.getByRole("button", { name: "Check now" })).toBeVisible();
  await endAll(product.stripeUrl);
  await expect(page.getByText("Tracking Service is off for Acme Tools.")).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/^No packages are checked now\./)).toBeVisible();
  await expect(page.getByRole("button", { name: "Check now" })).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link", { name: "Tracking", exact: true })).toHaveCount(0);
  await expect(
    page.getByRole("region", { name: "Invoices with packages" }).getByRole("link"),
  ).not.toHaveCount(0);
});
