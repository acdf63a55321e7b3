import { expect, test } from "../product.ts";
import { printedSheets } from "../support/printed.ts";
import { openPath } from "../support/visit.ts";
import { choose, uploadButton, workbook } from "../support/workbooks.ts";

const INVOICES = 3_000;

test("UP-41 PR-02 a long receipt renders the invoices in view, and prints every one of them", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  const numbers = Array.from({ length: INVOICES }, (_, index) => `L-${index}`);
  await choose(page, "long.xlsx", await workbook(numbers, "Nobody Trading"));
  await uploadButton(page).click();
  const upload = page.getByRole("article", { name: "long.xlsx" });
  await expect(upload.getByText("3,000 need fixing", { exact: true })).toBeVisible({ timeout: 60_000 });
  await upload.getByRole("link", { name: "Receipt for long.xlsx" }).click();
  const table = page.getByRole("table", { name: "Invoices" });
  const more = page.getByRole("button", { name: "Show more invoices" });
  for (const read of [400, 600]) {
    await more.click();
    await expect(table).toHaveAttribute("aria-rowcount", String(read + 1));
  }
  expect(await table.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("region", { name: "Invoices" }).evaluate((region) => {
    region.scrollTop = region.scrollHeight;
  });
  await expect(table.getByRole("row").last()).toContainText("L-599");
  await expect(table.getByRole("row").last()).toHaveAttribute("aria-rowindex", "601");

  // A print waits for the print layout; the page is notified when it is ready.
  await page.evaluate(() => (window.print = () => document.body.setAttribute("data-asked", "")));
  await page.getByRole("button", { name: "Print receipt" }).click();
  await expect(page.locator("body[data-asked]")).toBeAttached();
  const words = (await printedSheets(page)).join(" ");
  expect(words.match(/\bL-\d+\b/g)).toEqual(numbers);
  expect(words).toContain("In your file 3,000");
  expect(words).not.toMatch(/Show more|Upload another|Print|Undo|of 3,000 invoices|Sign out|License/);
  await expect(table.getByRole("row")).not.toHaveCount(INVOICES + 1);
  expect(await table.getByRole("row").count()).toBeLessThan(80);

  expect((await printedSheets(page)).join(" ")).toContain("This printout has 600 of 3,000 invoices.");
});
