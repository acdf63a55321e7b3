import type { Page } from "@playwright/test";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";
import { choose, uploadButton, workbook } from "../support/workbooks.ts";

const INVOICES = 3_000;

test("UP-41 PR-02 a long receipt draws the invoices in view, and on paper every one of them", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  const numbers = Array.from({ length: INVOICES }, (_, index) => `L-${index}`);
  await choose(page, "long.xlsx", await workbook(numbers, "Nobody Trading"));
  await uploadButton(page).click();
  const upload = page.getByRole("article", { name: "long.xlsx" });
  await expect(upload.getByText(/3,000 problems/)).toBeVisible({ timeout: 60_000 });
  await upload.getByRole("link", { name: "Receipt of long.xlsx" }).click();
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

  await catchPrint(page);
  await page.getByRole("button", { name: "Print" }).click();
  await expect.poll(() => printedOf(page), { timeout: 30_000 }).toEqual({ rows: INVOICES, last: "L-2999" });
  await expect(page.getByText(/of 3,000 invoices/)).toHaveCount(0);
  expect(await table.getByRole("row").count()).toBeLessThan(80);

  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(page.getByText("These are 600 of 3,000 invoices.")).toBeVisible();
});

/** Prints as the browser does, onto no paper, and keeps what would have been on it. */
const catchPrint = (page: Page) =>
  page.evaluate(() => {
    window.print = () => {
      window.dispatchEvent(new Event("beforeprint"));
      const rows = [...document.querySelectorAll("table[aria-label=Invoices] tbody tr")];
      Reflect.set(window, "printed", {
        rows: rows.length,
        last: rows.at(-1)?.children[1]?.textContent,
      });
      window.dispatchEvent(new Event("afterprint"));
    };
  });

const printedOf = (page: Page) => page.evaluate(() => Reflect.get(window, "printed") as unknown);
