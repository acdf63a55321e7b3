import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { changeService } from "#features/companies/contract.ts";
import {
  sampleDetails,
  sampleInvoice,
  sampleMoving,
  samplePackage,
  sampleTracking,
} from "../../src/features/tracking/web/fixtures/tracked.ts";
import { createBrowser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { expectFits } from "./support/fits.ts";
import { expectReadingOrder, pressOn, walk } from "./support/keyboard.ts";
import { addButton, endAll, fillCard } from "./support/payments.ts";
import { allAsked, openPath } from "./support/visit.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

/** The Tracking Service is on without payment, or off again. */
async function grantTracking({ url, intuitUrl }: Product, state: "active" | "ended") {
  const operator = createBrowser(url, driveIntuit(intuitUrl));
  await operator.signIn("platform@dockside.example");
  const json = { realm_id: ACME, service: "tracking", state, until: null, reason: "test" };
  expect((await operator.call(changeService, { json })).status).toBe(200);
}

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
  const one = sampleDetails();
  const answers = {
    [one.id]: one,
    [several.id]: sampleDetails({ ...several, details: [samplePackage(), sampleMoving()] }),
  };
  await page.route("**/api/v1/tracking?*", (route) =>
    route.fulfill({ json: sampleTracking({ problem: "UPS isn't answering.", problem_at: one.at }) }),
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
  await expectNoBarrier(page, "without the service");
  await expect(page.getByRole("banner").getByRole("link", { name: "Tracking", exact: true })).toHaveCount(0);

  await grantTracking(product, "active");
  await answerTracking(page);
  await openPath(page, "/tracking/");
  await expect(page.getByRole("region", { name: "Red Rock Diner" })).toBeVisible();
  await expectNoBarrier(page, "with invoices");
  for (const width of [900, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFits(page, `the bar and the page at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const walked = await walk(page);
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
  await expectNoBarrier(page, "an invoice with several packages");
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByRole("heading", { level: 1, name: /^Summit Outfitters/ })).toBeVisible();
  await expectNoBarrier(page, "an invoice as a page of its own", [375]);
  await grantTracking(product, "ended");
});

/** On the simulated UPS's page, lets the next event of a package happen until it is delivered, as a user does. */
async function deliver(page: Page, { upsUrl }: Product, number: string) {
  const pack = page.locator(`[id="${number}"]`);
  const forward = pack.getByRole("button", { name: `Move ${number} forward` });
  const open = async () => {
    await page.goto(`${upsUrl}/packages?find=${number}`);
    await pack.locator("summary").first().click();
    return (await forward.count()) > 0;
  };
  while (await open()) {
    const moved = page.waitForResponse((response) => response.url().endsWith("/advance"));
    await forward.click();
    expect((await moved).status()).toBe(303);
  }
}

test("GEN-03 HM-03 HM-04 TK-01 TK-02 TK-08 TK-09 TK-13 TK-18 TR-05 TR-23 a user turns the service on with a test card, and a delivered package has its proof on the Tracking page and on the invoice in QuickBooks", async ({
  openAs,
  product,
}) => {
  test.setTimeout(300_000);
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await addButton(page).click();
  await fillCard(page, "4242424242424242");
  await page.getByRole("button", { name: "Pay $29.00" }).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await page.getByRole("link", { name: "Set it up" }).click();
  await page.getByRole("checkbox", { name: "Attach proofs of delivery to invoices" }).check();
  await page.getByRole("checkbox", { name: "Send the proof with the invoice" }).check();
  const tracked = page.getByRole("form", { name: "What is tracked" });
  await tracked.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status").getByText("Settings saved.")).toBeAttached();

  const works = page.getByRole("region", { name: "Is it working?" });
  await expect(works.getByText("Not yet")).toHaveCount(0, { timeout: 90_000 });
  await expect(works).toContainText(/Packages watched\s*[1-9]/);
  await works.getByRole("link", { name: "See the packages in Tracking" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dockside Tracking" })).toBeVisible();

  const list = page.getByRole("region", { name: "Invoices with packages" });
  await expect(list.getByRole("link", { name: /Not followed.*FedEx/ })).toBeVisible();
  await list.getByRole("link", { name: /Not followed.*FedEx/ }).click();
  await expect(page.getByText("The FedEx number on this invoice isn't followed. Only UPS is.")).toBeVisible();
  await list.getByRole("link", { name: /and 1 more/ }).click();
  await expect(page.getByRole("list", { name: "2 packages" }).getByRole("link")).toHaveCount(2);

  await list.getByRole("button", { name: /^Moving/ }).click();
  const one = list
    .getByRole("link", { name: /On the way/ })
    .filter({ hasNotText: "more" })
    .first();
  await one.click();
  const pane = page.locator("section[aria-labelledby=package-heading]");
  const facts = await pane.getByText(/^Invoice .*1Z/).textContent();
  const [number = ""] = /1Z\w{16}/.exec(facts ?? "") ?? [];
  await expect(
    pane.getByText(/^We wrote .*UPS Ground.* on the invoice\. Nothing else was changed\./),
  ).toBeVisible();
  const invoice = (await pane.getByRole("link", { name: /^Invoice .* in QuickBooks$/ }).textContent()) ?? "";

  await deliver(await openAs("guest"), product, number);
  await expect(pane.getByText(new RegExp(`On invoice ${invoice} since `))).toBeVisible({ timeout: 90_000 });
  await expect(pane.getByRole("figure", { name: "Proof of delivery" })).toContainText(number);
  await expect(pane.getByRole("list", { name: "Scans" }).getByRole("listitem").first()).toContainText(
    "Delivered",
  );
  const downloading = page.waitForEvent("download");
  await pane.getByRole("button", { name: /^Download PDF/ }).click();
  const bytes = await readFile(await (await downloading).path());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const packing = page.waitForEvent("download");
  await pane.getByRole("button", { name: "Download dispute pack" }).click();
  const pack = await packing;
  expect(pack.suggestedFilename()).toBe(`dispute-pack-${invoice}.pdf`);
  const pages = (await readFile(await pack.path())).toString("latin1").match(/\/Type\s*\/Page\b/g);
  // Its contents, the invoice, the scans and the proof.
  expect(pages?.length).toBeGreaterThanOrEqual(4);

  const books = await openAs("guest");
  await books.goto(`${product.intuitUrl}/qbo/${ACME}`);
  const files = books.getByRole("region", { name: "Attachments" });
  await expect(files).toContainText(`proof-of-delivery-${number}.pdf`);
  await expect(files).toContainText(`invoice ${invoice}`);
});

test("TK-14 Check now has UPS asked at most once a minute, and says when it can be used again", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/tracking/");
  const button = page.getByRole("button", { name: "Check now" });
  const asked = page.waitForResponse((response) => response.url().includes("/api/v1/tracking/check"));
  await button.click();
  expect((await asked).status()).toBe(202);
  const note = page.getByText(/^You can check again at \d+:\d\d [AP]M\.$/).first();
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
  await expect(page.getByText(/^No package is checked now\./)).toBeVisible();
  await expect(page.getByRole("button", { name: "Check now" })).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link", { name: "Tracking", exact: true })).toHaveCount(0);
  await expect(
    page.getByRole("region", { name: "Invoices with packages" }).getByRole("link"),
  ).not.toHaveCount(0);
});
