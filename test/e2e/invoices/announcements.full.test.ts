import type { Page } from "@playwright/test";
import { expect, test } from "../product.ts";
import { watchAnnouncements } from "../support/announcements.ts";
import { openPath } from "../support/visit.ts";
import {
  choose,
  chooseSample,
  oddWorkbook,
  slowLine,
  uploadButton,
  uploadSample,
  withPicture,
  workbook,
} from "../support/workbooks.ts";

// The tests change one company's books in turn.
test.describe.configure({ mode: "serial" });

test("AY-07 uploading, canceling and undoing a file are announced", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  const announced = await watchAnnouncements(page);
  await uploadSample(page, "good", "announced.xlsx");
  await expect
    .poll(announced)
    .toContainEqual(expect.stringMatching(/^announced\.xlsx finished: 12 invoices posted · \$[\d,.]+$/));

  await page.getByRole("button", { name: "Undo announced.xlsx" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo announced.xlsx" });
  await dialog.getByRole("button", { name: "Void 12 invoices" }).click();
  await expect.poll(announced).toContainEqual(expect.stringMatching(/^12 invoices (were )?voided/));
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await dialog.getByRole("button", { name: "Close" }).click();

  await slowLine(page, { upload: 1 });
  await choose(page, "slow.xlsx", withPicture(await workbook(["AY-7"]), 100_000));
  await uploadButton(page).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(announced).toContain("Upload canceled.");
});

test("AY-07 checking a file, saving names and columns, forgetting a name and dropping a check are announced", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  const announced = await watchAnnouncements(page);
  await chooseSample(page, "with-mistakes", "names.xlsx");
  await page.getByRole("button", { name: "Review" }).click();
  await expect
    .poll(announced)
    .toContainEqual(expect.stringMatching(/^names\.xlsx checked: \d+ ready to post, \d+ with problems$/));
  await page.getByRole("button", { name: "Use for Cool Carz" }).click();
  await expect.poll(announced).toContain('"Cool Carz" is matched to Cool Cars.');
  await expect(page.getByRole("button", { name: /^Post 5 invoices/ })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(announced).toContain("The review of names.xlsx was canceled.");
  await page.getByRole("link", { name: "Saved matches" }).click();
  await page.getByRole("button", { name: "Forget Cool Carz" }).click();
  await expect.poll(announced).toContain("Cool Carz was forgotten.");
  await page.getByRole("button", { name: "Back to uploads" }).click();

  await choose(page, "odd.xlsx", await oddWorkbook("H-1"));
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("combobox", { name: "Meaning of column B, Wer" }).selectOption("Customer (required)");
  await page
    .getByRole("combobox", { name: "Meaning of column E, Wieviel" })
    .selectOption("Amount (required)");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect.poll(announced).toContain("Columns saved.");
});

test("AY-07 pasting and clearing cells are announced, and the focus stays", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/?form=1");
  const announced = await watchAnnouncements(page);
  await pasteCells(page, "P-1\tCool Cars\nP-2\tNobody\n");
  await expect.poll(announced).toContain("2 rows pasted");
  await expect(page.getByRole("textbox", { name: "Invoice No, row 2", exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect.poll(announced).toContain("Everything typed was cleared.");
});

/** Copies cells as a spreadsheet does, and pastes them by keyboard into the form's first cell. */
async function pasteCells(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((cells) => navigator.clipboard.writeText(cells), text);
  await page.getByRole("textbox", { name: "Invoice No, row 2", exact: true }).focus();
  await page.keyboard.press("ControlOrMeta+v");
}
