import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";

const CSV = "text/csv";

/** Clicks in the system's file dialog: the file, and Open. */
const IN_DIALOG = 2;

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await openPath(page, "/app/");
  const dialog = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose spreadsheet" }).click();
  await (await dialog).setFiles({ name, mimeType: CSV, buffer });
}

/** The color of the rule that marks an amber notice, in light. */
const AMBER = "rgb(180, 130, 0)";

/** Expects both sums and the difference in an amber notice that is complete above what it concerns. */
async function expectAmberAbove(within: Locator, sums: string, below: Locator): Promise<void> {
  const notice = within.locator("[data-band]").filter({ hasText: sums });
  await expect(notice).toBeVisible();
  await expect(notice).toContainText("A total of the file doesn't add up");
  await expect(notice).toHaveCSS("border-left-color", AMBER);
  await expect(below).toBeVisible();
  // A review that was just loaded is drawn again.
  await expect(async () => {
    const [end, start] = [await notice.boundingBox(), await below.boundingBox()];
    expect((end?.y ?? Infinity) + (end?.height ?? 0)).toBeLessThanOrEqual(start?.y ?? 0);
  }).toPass();
}

test("SH-05 SH-06 all questions of a file are on one page, in any order, and its total follows each answer", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const rows = [
    "Number,Customer,Invoice Date,Item,Qty,UnitAmount,Discount,Stage",
    "QP-1,Cool Cars,03/04/2026,Hammer,1,200,10,paid",
    "QP-2,Cool Cars,03/05/2026,Hammer,1,100,0,voided",
  ];
  await choose(page, "questions.csv", Buffer.from(rows.join("\n")));
  await page.getByRole("button", { name: "Review" }).click();
  const questions = page.getByRole("group", { name: "Match your columns" });
  const total = questions.getByRole("status").filter({ hasText: "With these answers" });
  await expect(total).toHaveText("With these answers: 1 invoice, $180.00");
  // Each answer of the discount has its total.
  const answers = questions.getByRole("list", { name: "Total to bill, by answer" });
  await expect(answers.getByRole("listitem")).toHaveText([
    "Line Discount %: $180.00",
    "Invoice Discount: $190.00",
    "Ignored: $200.00",
  ]);
  await expect(questions.getByRole("heading", { name: "3 questions to go" })).toBeVisible();
  await questions.getByRole("checkbox", { name: "voided (1)" }).check();
  await expect(questions.getByRole("heading", { name: "2 questions to go" })).toBeVisible();
  await expect(total).toHaveText("With these answers: 2 invoices, $280.00");
  await questions.getByRole("combobox", { name: /Discount/ }).selectOption("Invoice Discount");
  // An answered question stays where it is.
  await expect(answers.getByRole("listitem")).toHaveCount(3);
  await expect(total).toHaveText("With these answers: 2 invoices, $290.00");
  const save = questions.getByRole("button", { name: "Save and continue" });
  await expect(save).toBeDisabled();
  await questions.getByRole("radio", { name: /^Month/ }).check();
  await save.click();
  await expect(page.getByRole("heading", { level: 1, name: "Review questions.csv" })).toBeVisible();
});

test("SH-08 a shop's whole export, which was never seen, is posted with its right totals in six clicks", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const file = new URL("../../corpus/cases/h01-shop-orders-whole-layout.csv", import.meta.url);
  const text = (await readFile(file, "utf8")).replaceAll("#21", "#E21");
  await choose(page, "orders_export_1.csv", Buffer.from(text));
  await page.getByRole("button", { name: "Review" }).click();
  await expect(
    page.getByText(/^This looks like a Shopify order export; we matched \d+ columns\. Check them\.$/),
  ).toBeVisible();
  await expect(page.getByText("With these answers: 2 invoices, $102.25")).toBeVisible();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("button", { name: /^Post 2 invoices \(.*102\.25/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "2 invoices posted" })).toBeVisible();
  const clicks = ["Choose spreadsheet", "Review", "Save and continue", "Post"].length;
  expect(clicks + IN_DIALOG).toBeLessThanOrEqual(6);
});

test("SH-01 SH-02 SH-11 SH-12 SH-13 a voided row isn't billed, a wrong total and tax are reported first, and what was posted is compared with a later file", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const file = (...rows: string[]) =>
    Buffer.from(["Invoice No,Customer,Invoice Date,Item,Amount,Sales Tax,Fulfilled", ...rows].join("\n"));
  const voided = "SH-E2,Cool Cars,2026-11-03,Claw Hammer,20,1.60,voided";
  const total = "Total,,,,35,,";
  await choose(page, "stage.csv", file("SH-E1,Cool Cars,2026-11-02,Claw Hammer,10,0.80,paid", voided, total));
  await page.getByRole("button", { name: "Review" }).click();
  const questions = page.getByRole("group", { name: "Match your columns" });
  const voidedAnswer = questions.getByRole("checkbox", { name: "voided (1)" });
  await expect(voidedAnswer).not.toBeChecked();
  const sums = "Row 4 says 35.00; its rows add up to 30.00 (5.00 less).";
  await expectAmberAbove(questions, sums, voidedAnswer);
  await expect(questions.getByRole("status").filter({ hasText: "With these answers" })).toHaveText(
    "With these answers: 1 invoice, $10.00",
  );
  await questions.getByRole("button", { name: "Save and continue" }).click();
  await expectAmberAbove(
    page.getByRole("main"),
    sums,
    page.getByRole("table", { name: "Invoices of stage.csv" }),
  );
  await expect(
    page.getByText(/^The file has \$0\.80 in sales tax in column "Sales Tax", and none/),
  ).toBeVisible();
  await page.getByRole("button", { name: "Post 1 invoice ($10.00)" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "1 invoice posted" })).toBeVisible();

  // Another file of the same columns isn't asked about, and offers only what is new.
  await choose(page, "later.csv", file("SH-E1,Cool Cars,2026-11-02,Claw Hammer,12,0.80,paid", voided));
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Every invoice in this file was already uploaded.")).toBeVisible();
  const row = page.getByRole("row", { name: /^Lines of SH-E1/ });
  await expect(row).toContainText(/Posted .* from stage\.csv by .*@/);
  await expect(row).toContainText("Posted $10.00; here it's $12.00. Nothing is sent.");
  await expect(page.getByText("another number")).toHaveCount(0);
  await row.getByRole("button", { name: "Compare SH-E1" }).click();
  await expect(page.getByRole("table", { name: /^Posted .*\$10\.00$/ })).toBeVisible();
  await expect(page.getByRole("table", { name: /^In this file: .*\$12\.00$/ })).toBeVisible();
  await row.getByRole("link", { name: "stage.csv" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "1 invoice posted" })).toBeVisible();

  await openPath(page, "/app/");
  await page.getByRole("link", { name: "Saved matches" }).click();
  const saved = page.getByRole("row", { name: /^Fulfilled: voided/ });
  await saved.getByRole("button", { name: /^Bill / }).click();
  await expect(saved.getByRole("cell", { name: "Bill", exact: true })).toBeVisible();
  await saved.getByRole("button", { name: /^Forget / }).click();
  await expect(saved).toHaveCount(0);
});
