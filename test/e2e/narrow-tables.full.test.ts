import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openSection } from "./support/gallery.ts";

test.describe.configure({ mode: "parallel" });

const TABLES = [
  ["receipt", ["Invoices", "Differences (1)"]],
  ["typed", ["Names", "Columns", "Dates"]],
  ["undo-asked", ["Invoices that stay"]],
] as const;

for (const [section, names] of TABLES)
  test(`AY-05 on a phone the tables of the section ${section} are stacked completely, each cell labeled by its header`, async ({
    openAs,
  }) => {
    const page = await openAs("guest", { viewport: { width: 320, height: 800 } });
    await openSection(page, section);
    for (const name of names) {
      const table = page.getByRole("table", { name, exact: true });
      const region = page.getByRole("region", { name, exact: true }).filter({ has: table }).first();
      expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const led = region.locator("tbody [data-head]").first();
      const head = (await led.getAttribute("data-head")) ?? "";
      expect(head).not.toBe("");
      expect(await led.evaluate((cell) => getComputedStyle(cell, "::before").content)).toContain(head);
    }
    const roles = await readRoles(page);
    for (const role of ["table", "row", "cell", "columnheader"]) expect(roles).toContain(role);
    expect(roles).not.toContain("LayoutTable");
  });

test("AY-05 cells scrolled under the form's row number do not show beside it", async ({ openAs }) => {
  const page = await openAs("guest", { viewport: { width: 900, height: 800 } });
  await openSection(page, "typed");
  const region = page.getByRole("table", { name: "Invoice entry" }).first().locator("..");
  /** The first pixel of a row at the grid's edge, with the edge of its third cell so far right of the grid's. */
  const edge = async (distance: number) => {
    const [x, y] = await region.evaluate((scroll, to) => {
      scroll.scrollIntoView();
      const third = scroll.querySelector("tbody td:nth-of-type(3)")?.getBoundingClientRect();
      scroll.scrollLeft += (third?.right ?? 0) - scroll.getBoundingClientRect().left - to;
      return [scroll.getBoundingClientRect().left, (third?.top ?? 0) + 6] as const;
    }, distance);
    const png = await page.screenshot({ clip: { x, y, width: 1, height: 20 } });
    return png.toString("base64");
  };
  const beforeIt = await edge(60);
  expect([await edge(1), await edge(0.5), await edge(0)]).toEqual([beforeIt, beforeIt, beforeIt]);
});

/** The roles that the browser exposes to a screen reader. */
async function readRoles(page: Page): Promise<(string | undefined)[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return nodes.map(({ role }) => role?.value as string | undefined);
}
