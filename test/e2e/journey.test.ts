import type { Locator } from "@playwright/test";
import { expect, test } from "./product.ts";
import { sampleFile, uploadButton } from "./support/workbooks.ts";

test("SR-14 GEN-13 OP-19 a newcomer has invoices in the books eight clicks after the landing page, Intuit's own pages included", async ({
  page,
  product,
}) => {
  let clicks = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  await page.goto("/");
  await click(page.getByRole("link", { name: "Get Started" }));
  expect(page.url()).toContain(product.intuitUrl);
  await click(page.getByRole("radio", { name: /Nia New/ }));
  await click(page.getByRole("button", { name: "Continue" }));
  await click(page.getByRole("button", { name: "Allow" }));
  await expect(page.getByRole("heading", { level: 1, name: "Connect a company" })).toBeVisible();
  await click(page.getByRole("link", { name: "Connect to QuickBooks" }));
  await expect(page.getByRole("radio", { name: /Newcomer Trading/ })).toBeChecked();
  await click(page.getByRole("button", { name: "Allow" }));
  await expect(page).toHaveURL(/\/app\//);
  await expect(page.getByText("Newcomer Trading is connected.").first()).toBeVisible();
  await expect(
    page.getByText("You are connected to Newcomer Trading with the Invoice Upload service."),
  ).toBeVisible();
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
  const dialog = page.waitForEvent("filechooser");
  await click(page.getByRole("button", { name: "Choose spreadsheet" }));
  // Clicks in the system's own dialog aren't ours; a file that is dropped on the page takes none.
  await (await dialog).setFiles(await sampleFile(page, "good", "march.xlsx"));
  await click(uploadButton(page));
  await expect(page.getByRole("heading", { name: "12 invoices posted" })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(8);
  await page.getByRole("link", { name: "Receipt for march.xlsx" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "12 invoices posted" })).toBeVisible();
  await expect(page.getByText("Newcomer Trading is connected.")).toHaveCount(0);

  await page.goto(product.intuitUrl);
  await page
    .getByRole("link", { name: /Newcomer Trading/ })
    .first()
    .click();
  await expect(page.getByText("S-1012").first()).toBeVisible();
});
