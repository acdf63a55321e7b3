import { readFile } from "node:fs/promises";
import { readWorkbook } from "../../../src/formats/xlsx/read-workbook.ts";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";
import { choose, openUpload, uploadButton } from "../support/workbooks.ts";

test("UP-42 the rows are filtered with their counts, and the problem rows are downloaded, corrected and sent again", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const sample = await page.request.get("/templates/samples/with-mistakes.xlsx");
  await choose(page, "mistakes.xlsx", await sample.body());
  await uploadButton(page).click();
  const upload = await openUpload(page, "mistakes.xlsx");
  await expect(upload.getByText(/^\d+ need fixing$/)).toBeVisible();
  const readCount = async (name: string) => {
    const text = await upload.getByRole("button", { name: new RegExp(`^${name}`) }).textContent();
    return text?.match(/\d+/)?.[0] ?? "";
  };
  const [completed, problems] = [await readCount("Completed"), await readCount("Problems")];
  const statuses = async () => [...new Set(await upload.locator("[role=cell]:nth-child(2)").allInnerTexts())];
  const filter = (name: string) => upload.getByRole("button", { name, exact: true }).click();
  await filter(`Completed ${completed}`);
  await expect.poll(statuses).toEqual([expect.stringContaining("Completed")]);
  await filter(`Problems ${problems}`);
  await expect.poll(statuses).toEqual([expect.stringContaining("Template Data Error")]);
  await filter(`All ${Number(completed) + Number(problems)}`);
  await expect.poll(async () => (await statuses()).length).toBeGreaterThan(1);

  const download = page.waitForEvent("download");
  await upload.getByRole("button", { name: "Download problem rows of mistakes.xlsx" }).click();
  const corrected = await readFile(await (await download).path());
  const [sheet] = readWorkbook(corrected).sheets;
  expect(sheet?.rows[0]?.cells).toContain("Reason");
  expect(sheet?.rows.length).toBeGreaterThan(Number(problems));
  await choose(page, "again.xlsx", corrected);
  await uploadButton(page).click();
  const second = page.getByRole("article", { name: "again.xlsx" });
  await expect(second.getByText(`${problems} need fixing`)).toBeVisible();
});
