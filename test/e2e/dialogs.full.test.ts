import type { Browser, Page } from "@playwright/test";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { openAs, openPath } from "./support/visit.ts";
import { choose, openUpload, uploadButton, workbook } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

const findDialog = (page: Page, name: string) => page.getByRole("dialog", { name });

test("AY-03 the undo dialog traps the focus, closes on Escape, and returns focus to its button", async ({
  browser,
  product,
}) => {
  const page = await uploaded({ browser, product }, "ay-03.xlsx");
  const opener = page.getByRole("button", { name: "Undo ay-03.xlsx" });
  const dialog = findDialog(page, "Undo ay-03.xlsx");
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Keep them" })).toBeFocused();
  await expect(dialog.getByRole("button", { name: /^Void 1 invoice/ })).toBeEnabled();
  for (const key of ["Tab", "Shift+Tab"]) {
    const stops = new Set<string>();
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press(key);
      stops.add(await locateFocus(page));
    }
    expect([...stops].filter((stop) => stop === "behind")).toEqual([]);
    expect(stops.size, key).toBeGreaterThan(2);
  }
  expect(await opener.evaluate((button) => button.matches(":focus"))).toBe(false);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Keep them" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("AY-03 a dialog closed by the browser itself can be reopened", async ({ browser, product }) => {
  const page = await uploaded({ browser, product }, "again.xlsx");
  const opener = page.getByRole("button", { name: "Undo again.xlsx" });
  const dialog = findDialog(page, "Undo again.xlsx");
  await opener.click();
  await expect(dialog).toBeVisible();
  // Browsers do this on Escape when there was no click or key since the last dialog.
  await dialog.evaluate((element: HTMLDialogElement) => element.close());
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();
  await expect(dialog).toBeVisible();
});

/** Where the focus is: in the dialog, by name; in the browser's own bar; or on the page behind. */
const locateFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return "browser";
    if (!activeElement.closest("dialog")) return "behind";
    return activeElement.textContent || `${activeElement.tagName} ${activeElement.getAttribute("value")}`;
  });

async function uploaded(place: { browser: Browser; product: Product }, name: string): Promise<Page> {
  const page = await openAs(place, "owner");
  await openPath(page, "/app/");
  await choose(page, name, await workbook([name.slice(0, 6)]));
  await uploadButton(page).click();
  await expect((await openUpload(page, name)).getByText("1 invoice posted.")).toBeVisible();
  return page;
}
