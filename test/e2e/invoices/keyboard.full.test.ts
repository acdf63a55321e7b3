import { expect, test } from "../product.ts";
import { chooseByKeyboard, pressOn, tabTo } from "../support/keyboard.ts";
import { openPath } from "../support/visit.ts";
import { oddWorkbook, openUpload, sampleFile } from "../support/workbooks.ts";

// The tests change one company's books in turn.
test.describe.configure({ mode: "serial" });

test("AY-02 by keyboard alone: check, match a name, post, and forget the name", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseByKeyboard(page, await sampleFile(page, "with-mistakes", "names.xlsx"));
  await pressOn(page, "Review", "Enter");
  const card = page.getByRole("region", { name: "Review names.xlsx" });
  await expect(card.getByRole("combobox", { name: "Customer for Cool Carz" })).toBeVisible();
  await pressOn(page, "Use for Cool Carz", "Enter");
  await expect(card.getByRole("button", { name: /^Post 5 invoices/ })).toBeVisible();
  await pressOn(page, /^Post 5 invoices \(/, "Enter");
  await expect(page.getByRole("heading", { level: 1, name: "5 invoices posted" })).toBeVisible();
  await pressOn(page, "Upload another file", "Enter");
  await expect(page.getByRole("article", { name: "names.xlsx" })).toBeVisible();
  await pressOn(page, "Saved matches", "Enter");
  await expect(page.getByRole("button", { name: "Forget Cool Carz" })).toBeVisible();
  await pressOn(page, "Forget Cool Carz", "Enter");
  await expect(page.getByText("No names saved for this company.")).toBeVisible();
  await pressOn(page, "Back to uploads", "Enter");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("AY-02 by keyboard alone: match unknown columns, then post", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseByKeyboard(page, { name: "odd.xlsx", buffer: await oddWorkbook("K-1") });
  await pressOn(page, "Review", "Enter");
  await expect(page.getByRole("combobox", { name: "Meaning of column B, Wer" })).toHaveValue("customer");
  await tabTo(page, "Meaning of column B, Wer");
  await tabTo(page, "Meaning of column E, Wieviel");
  await page.keyboard.type("Amount");
  await pressOn(page, "Save and continue", "Enter");
  await expect(page.getByRole("button", { name: /^Post 1 invoice \(/ })).toBeVisible();
  await pressOn(page, /^Post 1 invoice \(/, "Enter");
  await expect(page.getByRole("heading", { level: 1, name: "1 invoice posted" })).toBeVisible();
  await pressOn(page, "Upload another file", "Enter");
  await expect((await openUpload(page, "odd.xlsx")).getByText("1 invoice posted.")).toBeVisible();
});

test("AY-02 by keyboard alone: type an invoice, correct the marked cell, post it", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await tabTo(page, "Spreadsheet");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "Invoice No, row 2");
  for (const text of ["KB-1", "Cool Carz", "2026-11-20", "", "H-16", "", "2", "19.95", "39.90"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await pressOn(page, "Review", "Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Review Typed invoices" })).toBeVisible();
  await pressOn(page, "Back to typing", "Enter");
  const customer = page.getByRole("combobox", { name: "Customer, row 2" });
  await expect(customer).toHaveAttribute("aria-invalid", "true");
  await tabTo(page, "Customer, row 2");
  await page.keyboard.type("Cool Cars");
  await pressOn(page, "Upload", "Enter");
  await expect(page.getByRole("heading", { name: "1 invoice posted" })).toBeVisible();
  await expect(customer).toHaveValue("");
});
