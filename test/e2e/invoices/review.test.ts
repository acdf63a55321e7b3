import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";
import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import { choose, openUpload } from "../support/workbooks.ts";

test.beforeEach(() => test.setTimeout(180_000));

async function messyWorkbook(): Promise<Buffer> {
  const headers = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"];
  const line = ["Cool Cars", "2026-11-02", "Claw Hammer", 2, 19.95, null];
  const rows = [
    ["V-1", ...line],
    ["V-2", ...line.with(4, 30)],
    ["V-2", ...line.with(3, null).with(5, 99.75)],
    ["V-3", ...line.with(0, "Cool Carz")],
    ["V-4", ...line.with(0, "Red Rock Dinner")],
    ["V-5", ...line.with(4, "1.234,50")],
    ["V-6", ...line.with(1, "32/11/2026")],
  ];
  return Buffer.from(
    await writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows }]),
  );
}

test("UP-47 UP-52 a messy file is reviewed invoice by invoice, corrected in place, and posted without touching the file", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await choose(page, "messy.xlsx", await messyWorkbook());
  await page.getByRole("button", { name: "Review" }).click();
  const table = page.getByRole("table", { name: "Invoices of messy.xlsx" });
  await expect(table.getByRole("row", { name: /V-1 .*Ready to post/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /V-3 .*Needs an answer/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /V-5 .*Needs fixing/ })).toBeVisible();
  await expectAccessible(page, "review");

  await table.getByRole("button", { name: "Lines of V-2" }).click();
  await expect(table.getByRole("row", { name: /^Claw Hammer 2 30\.00 \$60\.00 \d+$/ })).toBeVisible();
  await expect(
    table.getByRole("row", { name: /^Claw Hammer 5 calculated 19\.95 \$99\.75 \d+$/ }),
  ).toBeVisible();
  await page.getByRole("searchbox", { name: "Customer or number" }).fill("red rock");
  await expect(table.getByRole("row", { name: /V-4/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /V-1/ })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Customer or number" }).fill("");
  await table.getByRole("button", { name: "Amount" }).click();
  await table.getByRole("button", { name: "Amount" }).click();
  await expect(table.getByRole("row").nth(1)).toHaveAccessibleName(/V-2 .*\$159\.75/);

  await page.getByRole("button", { name: "Use all 2 suggestions" }).click();
  await page.getByRole("textbox", { name: "Rate of V-5" }).fill("1234.50");
  await page.getByRole("textbox", { name: "Rate of V-5" }).press("Enter");
  await page.getByRole("textbox", { name: "Invoice Date of V-6" }).fill("2026-11-22");
  await page.getByRole("textbox", { name: "Invoice Date of V-6" }).press("Enter");
  await page.getByRole("button", { name: /^Post 6 invoices/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "6 invoices posted" })).toBeVisible();
  await expect(page.getByText("2 corrections")).toBeVisible();
  await page.getByRole("button", { name: "Upload another file" }).click();
  const upload = await openUpload(page, "messy.xlsx");
  await expect(upload.getByText("6 invoices posted.")).toBeVisible();
});
