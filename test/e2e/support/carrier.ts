import type { Page } from "@playwright/test";
import { endLink } from "#features/carrier/contract.ts";
import { createBrowser } from "../../support/browser.ts";
import { ACME, driveIntuit } from "../../support/intuit.ts";
import type { Product } from "../../support/run-product.ts";
import { expect } from "../product.ts";

export const SECTION = "/settings/?section=tracking";

export const group = (page: Page) => page.getByRole("form", { name: "Carrier account" });

export const account = (page: Page) => group(page).getByRole("textbox", { name: "UPS account" });

/** The demo's account is disconnected. */
export async function disconnect({ url, intuitUrl }: Product) {
  const owner = createBrowser(url, driveIntuit(intuitUrl));
  await owner.signIn("owner@acme.example");
  expect((await owner.call(endLink, { query: { realm_id: ACME } })).status).toBe(200);
}

/** Asks to connect an account, and chooses a UPS ID on UPS's page. */
export async function connect(
  page: Page,
  { number, user, decision }: { number: string; user: string; decision: string },
) {
  await account(page).fill(number);
  await group(page).getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByText("Dockside would like to use your UPS account.")).toBeVisible();
  await page.getByRole("radio", { name: user }).check();
  await page.getByRole("button", { name: decision }).click();
}
