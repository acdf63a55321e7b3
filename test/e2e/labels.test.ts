import { readFile } from "node:fs/promises";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { choose, upload } from "./support/labels.ts";

test("GEN-06 (its GS1-128 labels) GS-10 GS-13 a sheet becomes labels in the browser, decoded and saved under its name", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await openPath(page, "/label/");
  await choose(page, [
    { Cartons: 24 },
    { "PO Number": "8841219", Cartons: 16 },
    { "PO Number": "8841230", Cartons: 8 },
  ]);
  const download = page.waitForEvent("download");
  await upload(page).click();
  const pdf = await download;
  expect(pdf.suggestedFilename()).toBe("week12.pdf");
  expect((await readFile(await pdf.path())).toString("latin1")).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\n$/);
  const card = page.getByRole("region", { name: "48 labels from week12.xlsx" });
  await expect(card.getByRole("button", { name: "Print 48 labels" })).toBeVisible();
  await expect(card.getByText("All barcodes passed: data and size meet GS1 specs.")).toBeVisible();
  await page.setViewportSize({ width: 375, height: 800 });
  const orders = card.getByRole("region", { name: "Labels by purchase order" });
  await expect(orders.getByRole("button", { name: /^Reprint/ })).toHaveCount(3);
  expect(await orders.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const list = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download list of these SSCCs" }).click();
  const csv = await readFile(await (await list).path(), "utf8");
  expect(csv.trim().split("\r\n")).toHaveLength(49);
});
