import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
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
  await take(page, { name: "questions", width: 1280, height: 1230, colorScheme: "light" });
});

type Picture = { name: string; width: number; height: number; colorScheme: "light" | "dark"; from?: string };

/** A picture differs from run to run, by times and ids; that it is drawn without anything beside the screen does not. */
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
