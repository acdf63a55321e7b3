import type { Locator } from "@playwright/test";
import { expect, test } from "./product.ts";
import { chooseOnConsentPage } from "./support/visit.ts";
import { sampleFile, uploadButton } from "./support/workbooks.ts";

/** Clicks in the system's file dialog: the file, and Open. */
const IN_DIALOG = 2;

test("GEN-13 OP-19 a new user signs in, connects a company, and has invoices in the books after eight clicks on our pages", async ({
  page,
  product,
}) => {
  // Intuit's own pages, where users sign in and choose a company, are not ours to shorten.
  let clicks = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  await page.goto("/");
  await click(page.getByRole("link", { name: "Get Started" }));
  await click(page.getByRole("main").getByRole("link", { name: "Sign in with Intuit" }));
  await chooseOnConsentPage(page, { user: "Nia New" });
  await expect(page.getByText("You have no active company connections.")).toBeVisible();
  await click(page.getByRole("main").getByRole("link", { name: /Connect/ }));
  await expect(page.getByRole("heading", { level: 1, name: "Connect a company" })).toBeVisible();
  await click(page.getByRole("link", { name: "Connect to QuickBooks" }));
  await chooseOnConsentPage(page, { user: "Nia New", company: "Newcomer Trading" });
  await expect(page).toHaveURL(/\/app\//);
  await expect(page.getByText("Newcomer Trading is connected.").first()).toBeVisible();
  await expect(
    page.getByText("You are connected to Newcomer Trading with the Invoice Upload service."),
  ).toBeVisible();
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
  const dialog = page.waitForEvent("filechooser");
  await click(page.getByRole("button", { name: "Choose spreadsheet" }));
  await (await dialog).setFiles(await sampleFile(page, "good", "march.xlsx"));
  await click(uploadButton(page));
  await expect(page.getByRole("heading", { name: "12 invoices posted" })).toBeVisible();
  expect(clicks + IN_DIALOG).toBeLessThanOrEqual(8);
  await page.getByRole("link", { name: "Receipt of march.xlsx" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "12 invoices posted" })).toBeVisible();
  await expect(page.getByText("Newcomer Trading is connected.")).toHaveCount(0);

  await page.goto(product.intuitUrl);
  await page
    .getByRole("link", { name: /Newcomer Trading/ })
    .first()
    .click();
  await expect(page.getByText("S-1012").first()).toBeVisible();
});
