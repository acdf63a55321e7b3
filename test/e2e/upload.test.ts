import { readFile } from "node:fs/promises";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { picker, XLSX } from "./support/workbooks.ts";

const ACME = "9130357849016936";
test("UP-14 UP-15 the template link saves a workbook that the product itself accepts", async ({ openAs }) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const link = page.getByRole("link", { name: "Download template" });
  // With a company the template has its own lists.
  await expect(link).toHaveAttribute("href", `/api/v1/invoices/template?realm_id=${ACME}`);
  const download = page.waitForEvent("download");
  await link.click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/\.xlsx$/);
  await picker(page).setInputFiles({
    name: "invoice-upload.xlsx",
    mimeType: XLSX,
    buffer: await readFile(await saved.path()),
  });
  await page.getByRole("button", { name: "Review" }).click();
  const check = page.getByRole("region", { name: "Review invoice-upload.xlsx" });
  await expect(check.getByRole("region", { name: "Totals of invoice-upload.xlsx" })).toBeVisible();
});
