import type { Locator, Page } from "@playwright/test";
import { finishLink, startLink } from "#features/carrier/contract.ts";
import { switchCompany } from "#features/companies/contract.ts";
import { changeCarrierSettings, type CarrierSettings } from "#features/shipping/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { createBrowser } from "../../support/browser.ts";
import { ACME, driveIntuit } from "../../support/intuit.ts";
import type { Product } from "../../support/run-product.ts";
import { driveUps } from "../../support/ups.ts";
import { expect } from "../product.ts";

/** Account at the simulated UPS of its user acme-shipping. */
export const UPS_ACCOUNT = "1A2B3C";

const CARRIER_SETTINGS: Omit<CarrierSettings, "ship_from"> = {
  label_format: "pdf",
  slip_paper: "letter",
  billing: "third_party",
  billing_account: "R9H77W",
  billing_zip: "30339",
  vendor_number: "",
  cancel_reason: "",
  presets: [],
};

export const TAB = "/label/?ups=1";

export const HISTORY = "/label/?history=1";

export const order = (page: Page, po: string) =>
  page.getByRole("article", { name: new RegExp(`PO # ${po} `) });

export const row = (page: Page, po: string) => page.getByRole("row", { name: new RegExp(`^PO # ${po} `) });

export const field = (place: Locator, name: string) => place.getByRole("textbox", { name, exact: true });

/** Its name ends with the unit. */
export const weight = (place: Locator) => place.getByRole("textbox", { name: "Weight lb", exact: true });

export const generate = (place: Locator) => place.getByRole("button", { name: /^Generate/ });

/** The company's admin, without pages. */
export async function signInAdmin({ url, intuitUrl }: Product) {
  const admin = createBrowser(url, driveIntuit(intuitUrl));
  await admin.signIn("owner@acme.example");
  // A user begins with the company worked in last, in an earlier test too.
  expect((await admin.call(switchCompany, { query: { realm_id: ACME } })).status).toBeLessThan(300);
  return admin;
}

/** Connects the company's UPS account, without pages; by default as if it had no ship-from address yet. */
export async function connectUps(
  product: Product,
  shipFrom: CarrierSettings["ship_from"] = null,
): Promise<void> {
  const { upsUrl } = product;
  const admin = await signInAdmin(product);
  const query = { realm_id: ACME, ups_account: UPS_ACCOUNT };
  const { redirect } = (await admin.call(startLink, { query })).json() as { redirect: string };
  const { searchParams } = await driveUps(upsUrl).signIn(redirect, "acme-shipping");
  const answer = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
  expect((await admin.call(finishLink, { json: answer })).status).toBe(200);
  expect(
    (await admin.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, ship_from: shipFrom } })).status,
  ).toBe(200);
}

/** Adds a file of orders by the page's own button. */
export async function add(page: Page, sets: readonly (readonly string[])[], name = "orders.edi") {
  await page
    .getByLabel("File of orders")
    .setInputFiles({ name, mimeType: "", buffer: Buffer.from(sampleFile({ sets })) });
}

export const changed = (number: number, from: string, to: string) =>
  sampleOrder(number).map((segment) => segment.replace(from, to));
