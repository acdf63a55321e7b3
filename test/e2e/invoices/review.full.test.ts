import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";
import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import { choose, chooseSample } from "../support/workbooks.ts";

test.beforeEach(() => test.setTimeout(180_000));

test("UP-49 from Post to the receipt no frame is blank and the totals stay where they are", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  await chooseSample(page, "good", "still.xlsx");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("button", { name: /^Post 12 invoices/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Invoices of still.xlsx" })).toBeVisible();
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = () => {
      const [title, totals] = ["h1", "section[aria-label='Totals of still.xlsx']"].map((part) => {
        const found = document.querySelector(`main ${part}`);
        return found ? Math.round(found.getBoundingClientRect().top) : "gone";
      });
      seen.add(`${title} ${totals}`);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole("button", { name: /^Post 12 invoices/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "12 invoices posted" })).toBeVisible();
  const seen = await page.evaluate(() => [...(window as never as { seen: Set<string> }).seen]);
  expect(seen).toHaveLength(1);
});

test("a wrong invoice and a duplicate are left out in place, one is put back, and the receipt lists the one left out (UP-52)", async ({
  openAs,
}) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/app/");
  const headers = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate"];
  const line = ["Cool Cars", "2026-11-02", "Claw Hammer", 2, 19.95];
  const rows = [
    ["X-1", ...line],
    ["X-2", ...line],
    ["X-3", ...line.with(3, 7)],
    ["X-4", ...line.with(4, "1.234,50")],
  ];
  const file = await writeWorkbook([
    { name: "Invoices", columns: headers.map((header) => ({ header })), rows },
  ]);
  await choose(page, "twins.xlsx", Buffer.from(file));
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("button", { name: /^Post 3 invoices/ })).toBeVisible();
  await page.getByRole("button", { name: "Leave out X-4" }).click();
  await expect(page.getByRole("heading", { name: "1 invoice needs fixing" })).toHaveCount(0);
  const table = page.getByRole("table", { name: "Invoices of twins.xlsx" });
  for (const [number, left] of [
    ["X-2", 2],
    ["X-3", 1],
  ] as const) {
    await table.getByRole("button", { name: `Lines of ${number}` }).click();
    await table.getByRole("button", { name: `Leave out ${number}` }).click();
    await expect(page.getByRole("button", { name: new RegExp(`^Post ${left} invoice`) })).toBeVisible();
  }
  await page.getByRole("button", { name: "3 left out" }).click();
  await expectAccessible(page, "left out");
  await page.getByRole("button", { name: "Put back X-3" }).click();
  await page.getByRole("button", { name: /^Post 2 invoices/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "2 invoices posted" })).toBeVisible();
  await expect(page.getByText("You left out 2 invoices: X-2 ($39.90) and X-4.")).toBeVisible();
});
