import { readFile } from "node:fs/promises";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { labelWorkbook } from "../support/labels.ts";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";

test("GEN-06 (its GS1-128 labels) GS-05 GS-07 GS-10 GS-13 a sheet becomes labels in the browser, and the template explains every column", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await openPath(page, "/label/");
  const template = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download template" }).click();
  expect((await template).suggestedFilename()).toBe("gs1-128-labels.xlsx");
  const rows = [
    { Cartons: 24 },
    { "PO Number": "8841219", Cartons: 16 },
    { "PO Number": "8841230", Cartons: 8 },
  ];
  const buffer = Buffer.from(await labelWorkbook(rows));
  await page
    .getByLabel("Label upload file")
    .setInputFiles({ name: "week12.xlsx", mimeType: XLSX_MEDIA_TYPE, buffer });
  await expect(page.getByText("week12.xlsx")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const pdf = await download;
  expect(pdf.suggestedFilename()).toBe("week12.pdf");
  expect((await readFile(await pdf.path())).toString("latin1")).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\n$/);
  const card = page.getByRole("region", { name: "48 labels from week12.xlsx" });
  await expect(card.getByRole("button", { name: "Print 48 labels" })).toBeVisible();
});
