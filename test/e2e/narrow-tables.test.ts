import type { Page } from "@playwright/test";
import { galleryWords } from "#web/gallery/words.ts";
import { expect, test } from "./product.ts";
import { openSection } from "./support/gallery.ts";

test.describe.configure({ mode: "parallel" });

const TABLES = [
  ["receipt", ["Invoices", "Differences (1)"]],
  ["typed", ["What the columns mean", "Names", "Columns", "Dates"]],
  ["undo-asked", ["Invoices that stay"]],
] as const;

for (const [section, names] of TABLES)
  test(`AY-05 on a phone the tables of the section ${section} stand row below row, whole, each cell led by its head`, async ({
    openAs,
  }) => {
    const page = await openAs("guest", { viewport: { width: 320, height: 800 } });
    await openSection(page, section);
    for (const name of names) {
      const region = page.getByRole("region", { name, exact: true }).first();
      expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const led = region.locator("tbody [data-head]").first();
      const head = (await led.getAttribute("data-head")) ?? "";
      expect(head).not.toBe("");
      expect(await led.evaluate((cell) => getComputedStyle(cell, "::before").content)).toContain(head);
    }
    const roles = await rolesOf(page);
    for (const role of ["table", "row", "cell", "columnheader"]) expect(roles).toContain(role);
    expect(roles).not.toContain("LayoutTable");
  });

test("AY-05 in the form what passes below the row's number shows nowhere beside it", async ({ openAs }) => {
  const page = await openAs("guest", { viewport: { width: 900, height: 800 } });
  await openSection(page, "typed");
  const region = page
    .getByText(galleryWords.typed.empty)
    .locator("..")
    .locator("table")
    .first()
    .locator("..");
  const beside = await region.evaluate((scroll) => {
    scroll.scrollIntoView();
    scroll.scrollLeft = 150;
    const { left, top } = scroll.getBoundingClientRect();
    return [20, 60, 100].map((y) => document.elementFromPoint(left + 0.5, top + y)?.tagName);
  });
  expect(beside).toEqual(["TH", "TH", "TH"]);
});

/** What the browser itself tells a screen reader that there is. */
async function rolesOf(page: Page): Promise<(string | undefined)[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return nodes.map(({ role }) => role?.value as string | undefined);
}
