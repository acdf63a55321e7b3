import type { Page } from "@playwright/test";
import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import {
  choose,
  chooseSample,
  openUpload,
  slowLine,
  uploadButton,
  withPicture,
  workbook,
} from "../support/workbooks.ts";

// The tests change one company's books in turn.
test.describe.configure({ mode: "serial" });
test.beforeEach(() => test.setTimeout(180_000));

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 a file that is rejected, being sent or canceled has no accessibility barrier", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await choose(page, "rejected.xlsx", await workbook(["AY-R"], "Nobody We Know"));
  await uploadButton(page).click();
  const upload = await openUpload(page, "rejected.xlsx");
  await expect(upload.getByText("1 needs fixing")).toBeVisible();
  await expect(page.getByRole("button", { name: "Fix 1 invoice" })).toBeVisible();
  await expectAccessible(page, "a rejected file");

  await slowLine(page, { upload: 1 });
  await choose(page, "slow.xlsx", withPicture(await workbook(["AY-1"]), 100_000));
  await uploadButton(page).click();
  await expect(page.getByRole("progressbar", { name: "Uploading slow.xlsx" })).toBeVisible();
  await expectAccessible(page, "a file being sent");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Upload canceled.").first()).toBeVisible();
  await expectAccessible(page, "a canceled upload");
});

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 an undo that is previewed, waiting or done has no accessibility barrier", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "good", "undone.xlsx");
  await uploadButton(page).click();
  const upload = await openUpload(page, "undone.xlsx");
  await expect(upload.getByText("12 invoices posted.")).toBeVisible();
  await upload.getByRole("link", { name: "Receipt for undone.xlsx" }).click();
  await page.getByRole("button", { name: "Undo undone.xlsx" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo undone.xlsx" });
  await dialog.getByRole("button", { name: "Void 12 invoices" }).click();
  await expect(dialog.getByText(/12 invoices (were )?voided/)).toBeVisible();
  await expectAccessible(page, "an undo that is done");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("row", { name: /^Undone 12 / })).toBeVisible();
  await expectAccessible(page, "the receipt of what was undone");

  await page.getByRole("button", { name: "Undo undone.xlsx" }).click();
  await expect(dialog.getByText("No invoice of this upload can be undone.")).toBeVisible();
  await expectAccessible(page, "an upload with nothing to undo");
  await page.keyboard.press("Escape");

  await page.route(/\/undo\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { run: object };
    const run = { ...body.run, state: "paused", sentence: "It waits for the company to be connected again." };
    await route.fulfill({ response: answer, json: { preview: null, run } });
  });
  await page.getByRole("button", { name: "Undo undone.xlsx" }).click();
  await expect(dialog.getByText("It waits for the company to be connected again.")).toBeVisible();
  await expectAccessible(page, "an undo that waits");
});

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 a check that is waiting, failed, out of date or without new invoices has no accessibility barrier", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "good", "again.xlsx");
  await page.getByRole("button", { name: "Review" }).click();
  const card = page.getByRole("region", { name: "Review again.xlsx" });
  await expect(card.getByRole("region", { name: "Totals of again.xlsx" })).toBeVisible();
  await expectAccessible(page, "a check without problems");
  for (const [state, more] of [
    ["waiting", { report: null, reason: "Acme Tools has to be connected again." }],
    ["failed", { report: null, reason: "The file is not there any more." }],
    ["checked", { changes: ["Invoice S-1001 is in QuickBooks now."] }],
  ] as const) {
    await page.route(/\/invoices\/checks\/[\w-]+\?/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...((await answer.json()) as object), state, ...more },
      });
    });
    await page.reload();
    await expect(card.getByText("reason" in more ? more.reason : more.changes[0])).toBeVisible();
    await expectAccessible(page, `a check: ${state}`);
    await page.unrouteAll({ behavior: "wait" });
  }
});

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 a lost connection and the form with pasted cells or a CSV file have no accessibility barrier", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await page.route("**/api/v1/company", async (route) => {
    const answer = await route.fetch();
    const { companies } = (await answer.json()) as { companies: object[] };
    await route.fulfill({
      response: answer,
      json: { companies: companies.map((company) => ({ ...company, connection: "reconnect_needed" })) },
    });
  });
  for (const path of ["/app/", "/settings/"]) {
    await openPath(page, path);
    await expect(
      page
        .getByRole("main")
        .getByRole("link", { name: /connect/i })
        .first(),
    ).toBeVisible();
    await expectAccessible(page, `${path} with a lost connection`);
  }
  await page.unrouteAll({ behavior: "wait" });
  await openPath(page, "/app/?form=1");
  await paste(page, Array.from({ length: 510 }, (_, row) => `P-${row}\tCool Cars`).join("\n"));
  await expect(page.getByText(/^Only 500 rows fit here/)).toBeVisible();
  await page.getByRole("button", { name: "Clear all" }).click();
  await paste(page, "P-1\tCool Cars\nP-2\tNobody\n");
  await expectAccessible(page, "the form with pasted cells");
  await page.getByLabel("CSV file to upload").setInputFiles({
    name: "export.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Customer;Amount\nCool Cars;5\n"),
  });
  await expect(page.getByText(/^That's a CSV file/)).toBeVisible();
  await expectAccessible(page, "a CSV file");
});

/** Pastes cells of a spreadsheet into the form's first cell. */
const paste = (page: Page, text: string) =>
  page.getByRole("textbox", { name: "Invoice No, row 2", exact: true }).evaluate((cell, cells) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", cells);
    cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
