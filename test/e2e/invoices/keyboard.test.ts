import { expect, test } from "../product.ts";
import { chooseByKeyboard, pressOn, tabTo } from "../support/keyboard.ts";
import { openPath } from "../support/visit.ts";
import { sampleFile } from "../support/workbooks.ts";

test("AY-02 by keyboard alone: upload, read the problems, save them, see the receipt, undo", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseByKeyboard(page, await sampleFile(page, "with-mistakes", "walk.xlsx"));
  await pressOn(page, "Upload", "Enter");
  const upload = page.getByRole("article", { name: "walk.xlsx" });
  await expect(upload.getByText(/^[1-9]\d* need fixing$/)).toBeVisible();
  await pressOn(page, "walk.xlsx", "Enter");
  await pressOn(page, /^Problems \d/, "Enter");
  await expect(upload.getByRole("row", { name: /Completed/ })).toHaveCount(0);
  const download = page.waitForEvent("download");
  await pressOn(page, "Download problem rows of walk.xlsx", "Enter");
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);

  await pressOn(page, "Receipt for walk.xlsx", "Enter");
  await expect(page.getByText(/posted invoices match your file, to the cent\.$/)).toBeVisible();
  await tabTo(page, "Print receipt");
  await pressOn(page, "Undo walk.xlsx", "Enter");
  const dialog = page.getByRole("dialog", { name: "Undo walk.xlsx" });
  await expect(dialog.getByText(/will be voided\./)).toBeVisible();
  await tabTo(page, /^Void Keeps the/);
  await page.keyboard.press("ArrowDown");
  await pressOn(page, /^Delete \d+ invoices$/, "Enter");
  await expect(dialog.getByText(/invoices (were )?deleted/)).toBeVisible();
  await pressOn(page, "Close", "Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo walk.xlsx" })).toBeFocused();
  await pressOn(page, "Upload another file", "Enter");
  await expect(upload).toBeVisible();
});
