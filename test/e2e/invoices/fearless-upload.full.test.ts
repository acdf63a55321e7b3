import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import {
  choose,
  chooseSample,
  oddWorkbook,
  openUpload,
  unnumbered,
  uploadButton,
  workbook,
} from "../support/workbooks.ts";

// One company's books change from one test to the next.
test.describe.configure({ mode: "serial" });
// Checking for barriers takes a while on a busy machine.
test.beforeEach(() => test.setTimeout(180_000));

test("UP-49 a workbook is checked without posting, its unknown names are matched, then exactly its good invoices are posted, and the receipt is in view", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "with-mistakes", "march.xlsx");
  await page.getByRole("button", { name: "Review" }).click();
  const card = page.getByRole("region", { name: "Review march.xlsx" });
  await expect(card.getByRole("region", { name: "Totals of march.xlsx" })).toBeVisible();
  await expect(card.getByRole("button", { name: /^Post 4 invoices/ })).toBeVisible();
  // The problems and the actions are visible without scrolling or searching.
  await expect(card.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(card.getByRole("button", { name: /^Post 4 invoices/ })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("article", { name: "march.xlsx" })).toHaveCount(0);
  await expectAccessible(page, "check");

  const question = card.getByRole("combobox", { name: "Customer for Cool Carz" });
  await expect(question).toHaveValue("Cool Cars");
  await card.getByRole("button", { name: "Use for Cool Carz" }).click();
  await expect(card.getByRole("button", { name: /^Post 5 invoices/ })).toBeVisible();

  await card.getByRole("button", { name: /^Post 5 invoices \(/ }).click();
  // The screen moves on to their outcome.
  await expect(page.getByRole("heading", { level: 1, name: "5 invoices posted" })).toBeInViewport({
    ratio: 1,
  });
  await page.getByRole("button", { name: "Not posted 5" }).click();
  const rows = page.getByRole("table", { name: "Invoices" }).getByRole("row");
  await expect(rows.filter({ hasText: "Needs fixing" })).toHaveCount(3);
  await expect(rows.filter({ hasText: "Needs an answer" })).toHaveCount(2);
  await expect(rows.filter({ hasText: "Posted" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search invoices" }).fill("m-2005");
  await expect(rows.filter({ hasText: "Needs fixing" })).toHaveCount(1);
  await page.getByRole("button", { name: /^Fix \d invoices?$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Review fix-march.xlsx" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Upload another file" }).click();
  const upload = page.getByRole("article", { name: "march.xlsx" });
  await expect(upload.getByText(/^(\d+ needs? fixing|Posted)$/).first()).toBeVisible();
  await expect(card).toHaveCount(0);

  await page.getByRole("link", { name: "Saved matches" }).click();
  await expect(page.getByRole("row", { name: /Cool Carz Customer Cool Cars/ })).toBeVisible();
  await expectAccessible(page, "names");
});

test("a workbook with unknown headers is posted once a user has matched its columns", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  const file = await oddWorkbook("U-1");
  await openPath(page, "/app/");
  await choose(page, "odd.xlsx", file);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("table", { name: "Match your columns" })).toBeVisible();
  await expectAccessible(page, "columns");
  await page.getByRole("combobox", { name: "Meaning of column B, Wer" }).selectOption("Customer (required)");
  await page
    .getByRole("combobox", { name: "Meaning of column E, Wieviel" })
    .selectOption("Amount (required)");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("button", { name: /^Post 1 invoice \(/ })).toBeVisible();
});

test("ambiguous dates are asked about, by Upload and by Review, and posted as answered", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await choose(page, "dates.xlsx", await workbook(["DO-1"], "Cool Cars", "03/04/2026"));
  const question = page.getByRole("group", { name: "Which comes first?" });
  for (const button of [uploadButton(page), page.getByRole("button", { name: "Review" })]) {
    await button.click();
    await expect(page.getByText(/Is 03\/04\/2026 in C2 March 4 or April 3\?/)).toBeVisible();
    await expect(question).toBeVisible();
  }
  await expectAccessible(page, "order of dates");
  await question.getByRole("radio", { name: /^Day/ }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("row", { name: /DO-1 .*Apr 3, 2026/ })).toBeVisible();
  await page.getByRole("button", { name: /^Post 1 invoice \(/ }).click();
  await page.getByRole("button", { name: "Upload another file" }).click();
  const upload = await openUpload(page, "dates.xlsx");
  await expect(upload.getByText("1 invoice posted.")).toBeVisible();
  await page.getByRole("link", { name: "Saved matches" }).click();
  await expect(page.getByRole("row", { name: /Dates such as 03\/04\/2026 Day first/ })).toBeVisible();
  await expectAccessible(page, "remembered dates");
  await page.getByRole("button", { name: "Forget Dates such as 03/04/2026" }).click();
  await expect(page.getByText("No date format saved.")).toBeVisible();
});

test("unnumbered invoices that another file had are left out of a check, and included by one button", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await choose(page, "one.xlsx", await unnumbered([11, 12]));
  await uploadButton(page).click();
  await expect((await openUpload(page, "one.xlsx")).getByText("2 invoices posted.")).toBeVisible();

  await choose(page, "grown.xlsx", await unnumbered([11, 12, 13]));
  await page.getByRole("button", { name: "Review" }).click();
  const card = page.getByRole("region", { name: "Review grown.xlsx" });
  await expect(
    card.getByText(/^2 invoices are left out because identical ones are in other files or in QuickBooks\./),
  ).toBeVisible();
  await expect(card.getByRole("button", { name: /^Post 1 invoice \(/ })).toBeVisible();
  // It is at the top of the screen, although it was small when it appeared.
  await expect(card.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "equal invoices");

  await card.getByRole("button", { name: "Post these too" }).click();
  await expect(card.getByRole("button", { name: /^Post 3 invoices \(/ })).toBeVisible();
  await expect(card.getByText(/as invoice \d+ posted from "one\.xlsx"/).first()).toBeVisible();
  await card.getByRole("button", { name: /^Post 3 invoices \(/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "3 invoices posted" })).toBeVisible();
  await page.getByRole("button", { name: "Upload another file" }).click();
  await expect((await openUpload(page, "grown.xlsx")).getByText("3 invoices posted.")).toBeVisible();
});
