import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { labelWorkbook, type LabelCells } from "../support/labels.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";
import type { Page } from "@playwright/test";

const picker = (page: Page) => page.getByLabel("Label upload file");
const upload = (page: Page) => page.getByRole("button", { name: "Upload", exact: true });
const workbook = async (rows: readonly LabelCells[], name: string) => ({
  name,
  mimeType: XLSX_MEDIA_TYPE,
  buffer: Buffer.from(await labelWorkbook(rows)),
});

/** No finding of axe's further rules, which no standard asks for, besides those of every page. */
async function expectNothingToSay(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ["best-practice"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  expect(found, what).toEqual([]);
}

test("AY-01 AY-04 (of labels) no state of the GS1-128 tab has a barrier: chosen, refused, under review, corrected, made, range refused", async ({
  openAs,
}) => {
  test.setTimeout(240_000);
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/label/");
  await page.getByRole("button", { name: "What goes in the file" }).click();
  await page.getByRole("button", { name: /^For this upload/ }).click();
  await picker(page).setInputFiles({
    name: "empty.xlsx",
    mimeType: XLSX_MEDIA_TYPE,
    buffer: Buffer.from(""),
  });
  await expect(page.getByText("The selected file is empty.")).toBeVisible();
  await expectNothingToSay(page, "an empty file, choices of the upload open");

  await picker(page).setInputFiles(
    await workbook([{ "PO Number": "a" }, { "PO Number": "b", "Ship To Name": "" }], "states.xlsx"),
  );
  await upload(page).click();
  await expect(page.getByRole("table", { name: "Rows of states.xlsx" })).toBeVisible();
  await expectNothingToSay(page, "a file under review");
  await page.getByRole("textbox", { name: "Ship To Name of Row 3" }).fill("Hearth");
  await page.getByRole("button", { name: "Use" }).click();
  await page.getByRole("button", { name: "Make 2 labels" }).click();
  const card = page.getByRole("region", { name: "2 labels from states.xlsx" });
  await expect(card.getByText(/^All barcodes passed/)).toBeVisible();
  await card.getByRole("textbox", { name: "Reprint a range" }).fill("9-12");
  await card.getByRole("form", { name: "Reprint a range" }).getByRole("button").click();
  await expect(card.getByText(/^Enter labels between 1 and /)).toBeVisible();
  await expectNothingToSay(page, "labels that were made, a range refused");
});

test("a profile is chosen by keyboard alone, and the labels of one upload are made with it", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/label/");
  await page.getByRole("button", { name: /^For this upload: Generic UCC-128/ }).focus();
  await page.keyboard.press("Enter");
  const profile = page
    .getByRole("region", { name: "Upload labels" })
    .getByRole("combobox", { name: "Label profile" });
  await profile.focus();
  await page.keyboard.press("t");
  await expect(profile).toHaveValue("target");
  await picker(page).setInputFiles(
    await workbook([{ "PO Number": "4400771", "Mark For / Store": "7", Department: "027" }], "own.xlsx"),
  );
  await upload(page).click();
  const card = page.getByRole("region", { name: "1 label from own.xlsx" });
  // The store number has four digits there.
  await expect(card.getByRole("img", { name: /^Label 1 of 1/ })).toContainText("(91) 0007");
  await expect(card.getByText("All barcodes passed: data and size meet GS1 specs.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^For this upload: Generic UCC-128/ })).toBeVisible();
});

test("labels are made once despite a double click, two tabs, or a lost connection; a reload and going back find them again", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/label/");
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/api/v1/labels")
      posts.push(request.url());
  });
  const file = await workbook([{ "PO Number": "once" }], "once.xlsx");
  await picker(page).setInputFiles(file);
  await page.context().setOffline(true);
  await upload(page).click();
  await expect(page.getByRole("alert", { name: "Upload Error" })).toContainText("Check your connection");
  await page.context().setOffline(false);
  posts.length = 0;
  await upload(page).dblclick();
  const card = page.getByRole("region", { name: "1 label from once.xlsx" });
  await expect(card.getByRole("img", { name: /^Label 1 of 1, SSCC/ })).toBeVisible();
  expect(posts).toHaveLength(1);
  const sscc = await card.getByRole("img", { name: /^Label 1 of 1/ }).getAttribute("aria-label");

  const other = await page.context().newPage();
  await openPath(other, "/label/");
  await picker(other).setInputFiles(file);
  await upload(other).click();
  const same = other.getByRole("region", { name: "1 label from once.xlsx" });
  await expect(same.getByText(/already made these labels on/)).toBeVisible();
  await expect(same.getByRole("img", { name: /^Label 1 of 1/ })).toHaveAttribute("aria-label", sscc ?? "");

  await page.reload();
  await expect(card.getByRole("img", { name: /^Label 1 of 1/ })).toHaveAttribute("aria-label", sscc ?? "");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.goBack();
  await expect(card.getByRole("img", { name: /^Label 1 of 1/ })).toHaveAttribute("aria-label", sscc ?? "");
  await picker(page).setInputFiles(await workbook([{ "PO Number": "next" }], "next.xlsx"));
  await expect(card).toHaveCount(0);
});
