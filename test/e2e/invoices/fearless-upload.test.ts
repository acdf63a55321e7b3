import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import { chooseSample, openUpload, uploadButton } from "../support/workbooks.ts";

// One company's books change from one test to the next.
test.describe.configure({ mode: "serial" });
test.beforeEach(() => test.setTimeout(180_000));

test("the receipt matches to the cent, and undo voids exactly what its preview lists", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "good", "april.xlsx");
  await uploadButton(page).click();
  const upload = await openUpload(page, "april.xlsx");
  await expect(upload.getByText("12 invoices posted.")).toBeVisible();

  await upload.getByRole("link", { name: "Receipt for april.xlsx" }).click();
  await expect(page.getByText(/^Everything matches/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "12 invoices posted" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Invoice S-1001 in QuickBooks" })).toHaveAttribute(
    "href",
    new RegExp(`^${product.intuitUrl}`),
  );
  await expectAccessible(page, "receipt");

  const undo = page.getByRole("button", { name: "Undo april.xlsx" });
  await undo.click();
  const dialog = page.getByRole("dialog", { name: "Undo april.xlsx" });
  await expect(dialog.getByText(/^12 invoices \(/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Keep them" })).toBeFocused();
  // Its buttons are as wide as their words, wherever the dialog is opened.
  const keep = await dialog.getByRole("button", { name: "Keep them" }).boundingBox();
  expect(keep?.width).toBeLessThan(200);
  await expectAccessible(page, "undo");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(undo).toBeFocused();

  await undo.click();
  await dialog.getByRole("button", { name: "Void 12 invoices" }).click();
  await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
  await expect(dialog.getByText(/12 invoices (were )?voided/)).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("row", { name: /^Undone 12 / })).toBeVisible();
  // No amount is shown for void invoices.
  await expect(
    page.getByRole("row", {
      name: /^2 Invoice S-1001 in QuickBooks Cool Cars \w+ \d+, \d{4} \w+ \d+, \d{4} calculated from the terms 1 \$129\.00 Undone/,
    }),
  ).toBeVisible();
});

test("typed invoices are reviewed like a file, marked in their cells, posted, and end in a receipt", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/?form=1");
  const cell = (header: string, row: number) => page.getByLabel(`${header}, row ${row}`, { exact: true });
  await expectAccessible(page, "form");
  for (const [row, customer] of [
    [2, "Cool Cars"],
    [3, "Nobody We Know"],
  ] as const) {
    await cell("Invoice No", row).fill(`T-${row}`);
    await cell("Customer", row).fill(customer);
    await cell("Invoice Date", row).fill("2026-11-20");
    await cell("Item", row).fill("H-16");
    await cell("Qty", row).fill("2");
    await cell("Rate", row).fill("19.95");
    await cell("Amount", row).fill("39.90");
  }
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Review Typed invoices" })).toBeVisible();
  await page.getByRole("button", { name: "Back to typing" }).click();
  await expect(cell("Customer", 3)).toHaveAttribute("aria-invalid", "true");
  // Filling in the amounts had scrolled the grid to its right end.
  await expect(cell("Customer", 3)).toBeInViewport({ ratio: 1 });
  await expect(cell("Customer", 2)).toHaveAttribute("aria-invalid", "false");
  await expectAccessible(page, "form with faults");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: /^Post 1 invoice \(/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "1 invoice posted" })).toBeVisible();
  await expectAccessible(page, "receipt of typed invoices");
  await page.getByRole("button", { name: "Upload another file" }).click();
  await expect(page.getByText("1 row still needs fixing. The rest are posted.")).toBeVisible();
  await expect(cell("Customer", 2)).toHaveValue("Nobody We Know");
});
