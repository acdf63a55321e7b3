import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { createShipment } from "#features/shipping/contract.ts";
import { CARRIER_SETTINGS, CARTON } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { connectUps, signInAdmin } from "./support/orders.ts";
import { turnTrackingOn } from "./support/services.ts";
import { openPath } from "./support/visit.ts";
import { openUpload, uploadSample } from "./support/workbooks.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

test("the pictures in the README show an upload with results, light, dark, and on a phone", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await page.getByRole("button", { name: "Hide first steps" }).click();
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await uploadSample(page, "with-mistakes", "march.xlsx");
  await expect(page.getByText(/^[1-9]\d* need fixing$/).first()).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await openUpload(page, "march.xlsx");
  await take(page, { name: "upload", width: 1280, height: 1460, colorScheme: "light" });
  await take(page, { name: "upload-dark", width: 1280, height: 1460, colorScheme: "dark" });
  await take(page, { name: "phone", width: 375, height: 812, colorScheme: "light", from: "Results" });
});

test("the picture in docs/sheets.md shows a shop's export with all its questions", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await page.getByRole("button", { name: "Hide first steps" }).click();
  await page.getByRole("button", { name: "Hide this notice" }).click();
  const dialog = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose spreadsheet" }).click();
  const file = new URL("../corpus/cases/h01-shop-orders-whole-layout.csv", import.meta.url);
  const buffer = await readFile(file);
  await (await dialog).setFiles({ name: "orders_export_1.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("With these answers: 2 invoices, $102.25")).toBeVisible();
  await take(page, { name: "questions", width: 1280, height: 1290, colorScheme: "light" });
});

test("the second picture in the README shows an order on its way to its invoice, and the third a proof of delivery on an invoice", async ({
  openAs,
  product,
}) => {
  test.setTimeout(300_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await turnTrackingOn(page);
  await openPath(page, "/tracking/");
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await page.getByRole("link", { name: /^Diego Rodriguez/ }).click();
  await expect(page.getByText("On invoice 1008 since")).toBeVisible({ timeout: 90_000 });
  await take(page, { name: "proof", width: 1280, height: 1180, colorScheme: "light" });

  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const json = { po_number: "8841203", cartons: [CARTON] };
  expect((await (await signInAdmin(product)).call(createShipment, { json })).status).toBe(200);
  await openPath(page, "/orders/?q=8841203");
  const questions = page.getByRole("region", { name: "Match these names first" });
  const answers = {
    "Home Improvement": "Bright Home Stores",
    1001234: "Claw Hammer",
    1001240: "Tape Measure",
  };
  for (const [written, name] of Object.entries(answers)) {
    const answer = questions.getByRole("combobox", { name: new RegExp(`"${written}"`) });
    await answer.fill(name);
    await questions
      .getByRole("option", { name: new RegExp(`^${name}`) })
      .first()
      .click();
    await questions.getByRole("button", { name: `Use for ${written}` }).click();
    await expect(answer).toHaveCount(0);
  }
  await page.getByRole("link", { name: "8841203" }).click();
  for (const price of ["$11.40", "$6.85"]) await page.getByRole("button", { name: `Bill ${price}` }).click();
  await expect(page.getByText("The invoice can be posted once the ship notice is sent.")).toBeVisible();
  await take(page, { name: "order", width: 1280, height: 760, colorScheme: "light" });
});

type Picture = { name: string; width: number; height: number; colorScheme: "light" | "dark"; from?: string };

/** A picture differs from run to run, by times and ids; that it is drawn without anything off-screen does not. */
async function take(page: Page, { name, width, height, colorScheme, from }: Picture) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(() => document.fonts.ready);
  if (from) await page.getByRole("region", { name: from }).evaluate((region) => region.scrollIntoView());
  else await page.evaluate(() => window.scrollTo(0, 0));
  // Renewed together with the gallery's pictures, by the same option.
  const isRenewed = test.info().config.updateSnapshots === "all";
  const png = await page.screenshot(isRenewed ? { path: `${FOLDER}${name}.png` } : {});
  expect(png.length).toBeGreaterThan(20_000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}
