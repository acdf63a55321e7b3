import type { Page } from "@playwright/test";
import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";
import { withPassword } from "../../../src/formats/xlsx/fixtures/compound.ts";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";
import { choose, openUpload, picker, uploadButton, workbook, XLSX } from "../support/workbooks.ts";

const BAY = "9130357849016944";

const toColumns = (headers: readonly string[]) => headers.map((header) => ({ header, width: 14 }));

const COLUMNS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];

const manyRows = (count: number) =>
  writeWorkbook([
    {
      name: "Invoices",
      columns: toColumns(COLUMNS),
      rows: Array.from({ length: count }, (_, at) => [`R-${at}`, "Cool Cars", "2026-11-20", "H-16", 5]),
    },
  ]);

const REFUSALS: readonly [name: string, bytes: () => Promise<Uint8Array>, sentence: RegExp][] = [
  ["locked.xlsx", () => Promise.resolve(withPassword()), /The selected file is password protected\./],
  ["long.xlsx", () => manyRows(30_001), /has 30,001 rows; you can upload at most 30,000 at a time\./],
];

test("UP-24 a file that cannot be accepted is refused with its own cause, which a user can fix", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const box = page.getByRole("alert").filter({ hasText: "Upload Error" });
  for (const [name, bytes, sentence] of REFUSALS) {
    await choose(page, name, Buffer.from(await bytes()));
    await expect(box).toHaveCount(0);
    await uploadButton(page).click();
    await expect(box).toHaveText(sentence);
    await expect(uploadButton(page)).toBeEnabled();
  }
  const other = { name: "Sheet1", columns: toColumns(["Foo", "Item"]), rows: [[1, 2]] };
  await choose(page, "other.xlsx", Buffer.from(await writeWorkbook([other])));
  await uploadButton(page).click();
  await expect(page.getByRole("heading", { name: /^\d questions? to go$/ })).toBeVisible();
  await expect(box).toHaveCount(0);
  await openPath(page, "/app/");
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
});

test("UP-11 UP-45 a file is chosen by the button or dropped on the card; two at once, or another type, are refused", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const bytes = await workbook(["UP-45"]);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose spreadsheet" }).click();
  await (await chooser).setFiles({ name: "by-button.xlsx", mimeType: XLSX, buffer: bytes });
  await expect(page.getByText("by-button.xlsx")).toBeVisible();
  await drop(page, ["one.xlsx", "two.xlsx"], { bytes });
  await expect(page.getByRole("alert")).toContainText("Choose one file at a time.");
  await drop(page, ["notes.txt"], { bytes, type: "text/plain" });
  await expect(page.getByRole("alert")).toContainText("The selected file must be an XLSX spreadsheet.");
  await expect(uploadButton(page)).toBeDisabled();
  await drop(page, ["dropped.xlsx"], { bytes });
  await expect(page.getByText("by-button.xlsx")).toHaveCount(0);
  await expect(page.getByText("dropped.xlsx")).toBeVisible();
  await uploadButton(page).click();
  const upload = await openUpload(page, "dropped.xlsx");
  await expect(upload.getByText("1 invoice posted.")).toBeVisible();
});

test("UP-40 the newest twenty uploads are shown with the total count, and Show more shows the rest", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  for (let number = 1; number <= 22; number += 1) {
    const answer = await page.request.post(`/api/v1/invoices?realm_id=${BAY}`, {
      headers: { origin: product.url },
      multipart: {
        file: { name: `file-${number}.xlsx`, mimeType: XLSX, buffer: await workbook([`UP-40-${number}`]) },
      },
    });
    expect(answer.status()).toBe(202);
  }
  await page.getByRole("banner").getByRole("combobox", { name: "Company" }).selectOption("Bay Supply");
  const names = () => page.getByRole("article").getByRole("heading").locator("strong").allInnerTexts();
  const newest = Array.from({ length: 22 }, (_, at) => `file-${22 - at}.xlsx`);
  await expect.poll(names).toEqual(newest.slice(0, 20));
  await expect(page.getByText("Showing 20 of 22")).toBeVisible();
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(names).toEqual(newest);
  await expect(page.getByText(/^Showing /)).toHaveCount(0);
});

/** Drops files on the card as the system does: dragover, then drop. */
async function drop(
  page: Page,
  names: readonly string[],
  { bytes, type = XLSX }: { bytes: Buffer; type?: string },
): Promise<void> {
  const data = await page.evaluateHandle(
    ({ names: all, base64, type: mediaType }) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      for (const name of all) transfer.items.add(new File([content], name, { type: mediaType }));
      return transfer;
    },
    { names, base64: bytes.toString("base64"), type },
  );
  const zone = picker(page).locator("..");
  await zone.dispatchEvent("dragenter", { dataTransfer: data });
  const over = page.getByText("Drop to choose this file");
  await expect(over).toBeVisible();
  await over.dispatchEvent("dragover", { dataTransfer: data });
  await over.dispatchEvent("drop", { dataTransfer: data });
}
