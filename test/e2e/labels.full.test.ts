import { readFile } from "node:fs/promises";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { expect, test } from "./product.ts";
import { watchAnnouncements } from "./support/announcements.ts";
import { bar, watchBar } from "./support/bar.ts";
import { moveUntil, pause } from "./support/clock.ts";
import { allAsked, openPath } from "./support/visit.ts";
import { holdAnswers } from "./support/workbooks.ts";
import { choose, upload } from "./support/labels.ts";

/** The columns of the template, those that every label needs first. */
const REQUIRED = [
  "PO Number",
  "Ship To Name",
  "Ship To Address 1",
  "Ship To City",
  "Ship To Postal Code",
  "Carrier",
  "Qty In Carton",
];
const OTHERS =
  "Ship To Address 2|Ship To State|Ship To Country|Mark For / Store|Mark For Name|PRO / Tracking|BOL|Department|Vendor Number|SKU / Item|UPC / GTIN|Model / Style|Description|Carton Number|Carton Count|Cartons|SSCC|Ship From Code|Weight (lb)|Ship Date|Reference|Trailer|PO Type|Lot / Batch|Best Before|Expiration Date|Item Serial Number|Retailer Data|Pallet".split(
    "|",
  );

test("GS-06 GS-07 the template link saves a workbook that explains each of its columns, with format and example, and which are required", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await openPath(page, "/label/");
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download template" }).click();
  const template = await saving;
  expect(template.suggestedFilename()).toBe("gs1-128-labels.xlsx");
  const { sheets } = readWorkbook(await readFile(await template.path()));
  const [labels, readMe] = sheets;
  expect(labels?.rows[0]?.cells.toSorted()).toEqual([...REQUIRED, ...OTHERS].toSorted());
  const explained = new Map(readMe?.rows.map(({ cells }) => [cells[0], cells]));
  for (const header of [...REQUIRED, ...OTHERS]) {
    const [, needed, text] = explained.get(header) ?? [];
    expect([header, needed === "Yes"]).toEqual([header, REQUIRED.includes(header)]);
    // Its meaning or format, then an example.
    expect([header, text]).toEqual([header, expect.stringMatching(/^[A-Z0-9].{9,}[.)] Example: \S.*\.$/)]);
  }
  await page.getByRole("button", { name: "What goes in the file" }).click();
  await expect(page.getByText(/^PO Number, Ship To Name, .+ Qty In Carton\.$/)).toBeVisible();
});

test("GS-05 PG-01 PG-02 PG-04 PG-05 PG-06 PG-09 PG-12 (on the labels page) the bar shows the percentage of bytes sent, then the work, until the labels arrive, and each step is announced", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await page.clock.install();
  await openPath(page, "/label/");
  await expect(bar(page)).toHaveCount(0);
  const shown = await watchBar(page);
  const announced = await watchAnnouncements(page);
  const answer = await holdAnswers(page);
  await choose(page, [{ "PO Number": "slow" }], "slow.xlsx");
  const saving = page.waitForEvent("download");
  await upload(page).click();
  await expect(bar(page)).toHaveAttribute("aria-label", "Processing slow.xlsx");
  await pause(page);
  await moveUntil(page, async () => (await page.getByText("51%").count()) === 1);
  await page.clock.resume();
  await answer();
  await saving;
  await expect(bar(page)).toHaveCount(0);
  const values = await shown();
  expect([values.toSorted((a, b) => a - b), values.at(-1)]).toEqual([values, 100]);
  await expect
    .poll(announced)
    .toEqual(expect.arrayContaining(["Uploading slow.xlsx", "Processing", "Upload complete"]));
});

test("LB-08 LB-09 (on the GS1-128 tab) while labels are made there nothing of the carrier tab or History is requested", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await openPath(page, "/label/");
  await choose(page, [{ "PO Number": "quiet" }], "quiet.xlsx");
  await upload(page).click();
  await expect(page.getByRole("region", { name: "1 label from quiet.xlsx" })).toBeVisible();
  await allAsked(page);
  expect(calls).toEqual(expect.arrayContaining(["/api/v1/labels", "/api/v1/labels/settings"]));
  // Every call of labels is one of this tab's own: a call of another tab, whatever its path, fails here.
  const own =
    /^\/api\/v1\/labels(\/(settings|uploads|review|problem-rows|test-page|ssccs\.csv|columns|dates)(\/|$)|$)/;
  expect(calls.filter((path) => path.startsWith("/api/v1/labels") && !own.test(path))).toEqual([]);
});

test("GS-15 GS-08 problems in a sheet are corrected on the page, and labels are made once every row is right", async ({
  openAs,
}) => {
  const page = await openAs("labels");
  await openPath(page, "/label/");
  await choose(
    page,
    [{ "PO Number": "fix-1" }, { "PO Number": "fix-2", "UPC / GTIN": "061414100034" }],
    "fix.xlsx",
  );
  await upload(page).click();
  const error = page.getByRole("alert").filter({ hasText: "Upload Error" });
  await expect(error).toContainText("UPC / GTIN in row 3: The check digit should be 8.");
  const table = page.getByRole("table", { name: "Rows of fix.xlsx" });
  await expect(table.getByRole("row", { name: /fix-2/ })).toContainText("Needs fixing");
  await page.getByRole("textbox", { name: "UPC / GTIN of Row 3" }).fill("061414100038");
  await page.getByRole("button", { name: "Use" }).click();
  await expect(error).toHaveCount(0);
  await expect(table.getByRole("row", { name: /fix-2/ })).toContainText("Ready");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Make 2 labels" }).click();
  expect((await saving).suggestedFilename()).toBe("fix.pdf");
  await expect(page.getByRole("region", { name: "2 labels from fix.xlsx" })).toBeVisible();
  await expect(table).toHaveCount(0);
});
