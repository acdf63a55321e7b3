import { changeService } from "#features/companies/contract.ts";
import { createBrowser } from "../../support/browser.ts";
import { ACME, driveIntuit } from "../../support/intuit.ts";
import type { Product } from "../../support/run-product.ts";
import type { Locator, Page } from "@playwright/test";
import { expect } from "../product.ts";
import { addButton, fillCard } from "./payments.ts";
import { openPath } from "./visit.ts";

/** The Tracking Service is on without payment, or off again. */
export async function grantTracking(
  { url, intuitUrl }: Product,
  state: "active" | "ended" = "active",
): Promise<void> {
  const operator = createBrowser(url, driveIntuit(intuitUrl));
  await operator.signIn("platform@dockside.example");
  const json = { realm_id: ACME, service: "tracking", state, until: null, reason: "test" };
  expect((await operator.call(changeService, { json })).status).toBe(200);
}

/**
 * Pays for the Tracking Service, asks for proofs, and waits until packages are followed.
 * @param wasGranted with a granted service its admin had the choice about proofs before
 * @returns the card that says so
 */
export async function turnTrackingOn(page: Page, { wasGranted = false } = {}): Promise<Locator> {
  await openPath(page, "/settings/");
  await addButton(page).click();
  await fillCard(page, "4242424242424242");
  await page.getByRole("button", { name: "Pay $29.00" }).click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  const attach = page.getByRole("checkbox", { name: "Attach proofs of delivery to invoices" });
  await expect(attach).toBeChecked({ checked: !wasGranted });
  await attach.check();
  await page.getByRole("checkbox", { name: "Send the proof with the invoice" }).check();
  await page.getByRole("link", { name: "Set it up" }).click();
  const tracked = page.getByRole("form", { name: "What is tracked" });
  await expect(tracked.getByRole("checkbox", { name: "Send the proof with the invoice" })).toBeChecked();

  const works = page.getByRole("region", { name: "Is it working?" });
  await expect(works.getByText("Not yet")).toHaveCount(0, { timeout: 90_000 });
  await expect(works).toContainText(/Packages watched\s*[1-9]/);
  return works;
}
