import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { labelWorkbook } from "../support/labels.ts";
import { expect, test } from "./product.ts";
import { addButton, card, fillCard, row } from "./support/payments.ts";
import { openPath } from "./support/visit.ts";

/** Journeys that check only what users see, so that they run in every browser. `journey.test.ts` is the first. */

test("OP-19 a sheet of labels is corrected on the page and becomes labels, which the next visit lists", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await openPath(page, "/label/");
  const rows = [{ "PO Number": "core-1" }, { "PO Number": "core-2", "UPC / GTIN": "061414100034" }];
  const buffer = Buffer.from(await labelWorkbook(rows));
  const file = { name: "core.xlsx", mimeType: XLSX_MEDIA_TYPE, buffer };
  await page.getByLabel("Label upload file").setInputFiles(file);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const error = page.getByRole("alert").filter({ hasText: "Upload Error" });
  await expect(error).toContainText("UPC / GTIN in row 3: The check digit should be 8.");
  const cell = page.getByRole("textbox", { name: "UPC / GTIN of Row 3" });
  await cell.press("End");
  await cell.press("Backspace");
  await cell.pressSequentially("8");
  await page.getByRole("button", { name: "Use" }).click();
  await page.getByRole("button", { name: "Make 2 labels" }).click();
  await expect(page.getByRole("region", { name: "2 labels from core.xlsx" })).toBeVisible();
  await openPath(page, "/label/");
  await expect(page.getByText("core.xlsx").first()).toBeVisible();
});

test("OP-19 a service is added by card: a declined card says why, another one turns it on", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await expect(row(page)).toContainText("$29.00 / month");
  await addButton(page).click();
  await expect(card(page).getByText("Test mode, no money moves")).toBeVisible();
  const pay = page.getByRole("button", { name: "Pay $29.00" });
  await fillCard(page, "4000000000009995");
  await pay.click();
  await expect(page.getByRole("alert", { name: "Message from Stripe" })).toContainText(
    "Your card has insufficient funds.",
  );
  await fillCard(page, "4242424242424242");
  await pay.click();
  await expect(page.getByText("Tracking Service is active.")).toBeVisible();
  await expect(row(page)).toContainText(/Renews \w{3} \d+, \d{4} for \$29\.00/);
  await openPath(page, "/app/");
  await expect(
    page.getByText("You are connected to Acme Tools with the Invoice Upload service and Tracking Service."),
  ).toBeVisible();
});

test("OP-19 Settings, help and legal pages show their content and no error", async ({ openAs }) => {
  const page = await openAs("owner");
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  for (const path of ["/", "/app/", "/label/", "/settings/", "/privacy-policy/", "/contact/"]) {
    await openPath(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(errors).toEqual([]);
});
