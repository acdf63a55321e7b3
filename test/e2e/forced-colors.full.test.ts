import type { Locator } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openSection } from "./support/gallery.ts";
import { openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

for (const colorScheme of ["light", "dark"] as const) {
  test(`TH-20 with forced colors, ${colorScheme}, every control has its border and every state its icon`, async ({
    openAs,
  }) => {
    const page = await openAs("owner", { forcedColors: "active", colorScheme });
    await openSection(page, "kit");
    const controls = page.getByRole("main").locator("button, input, select, textarea");
    const bare = await controls.evaluateAll((all) =>
      all
        .filter((control) => {
          const { borderTopStyle, borderTopWidth } = getComputedStyle(control);
          return !/^(solid|dashed)$/.test(borderTopStyle) || !/^[1-9]/.test(borderTopWidth);
        })
        .map((control) => control.outerHTML),
    );
    expect(bare).toEqual([]);
    expect(await controls.count()).toBeGreaterThan(20);
    const readInk = (control: Locator) => control.evaluate((element) => getComputedStyle(element).color);
    expect(await readInk(page.getByRole("button", { name: "Disabled" }).first())).not.toBe(
      await readInk(page.getByRole("button", { name: "Filled" })),
    );
    const bar = page.getByRole("progressbar", { name: "march.xlsx" }).first();
    const [fill, track] = await bar.evaluate((element) =>
      [element.firstElementChild!, element].map((part) => getComputedStyle(part).backgroundColor),
    );
    expect(fill).not.toBe(track);
    await expect(page.getByRole("group", { name: "Upload Error" })).toHaveCSS("border-left-style", "solid");

    await openPath(page, "/settings/");
    const banner = page.getByRole("banner");
    await expect(banner.locator("[aria-current='page']")).toHaveCSS("border-bottom-width", "3px");
    await expect(banner.getByRole("link", { name: "Labels" })).toHaveCSS("border-bottom-style", "none");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveCSS("outline-style", "solid");
    await expect(page.locator(":focus")).toHaveCSS("outline-width", "3px");

    await openSection(page, "results");
    const lineUnder = (control: Locator) =>
      control.evaluateAll((all) => all.map((each) => getComputedStyle(each).borderBottomWidth));
    const filters = page.getByRole("group", { name: "Show" }).first();
    expect(await lineUnder(filters.locator("[aria-pressed=true]"))).toEqual(["5px"]);
    expect(await lineUnder(filters.locator("[aria-pressed=false]"))).toEqual(["1px", "1px"]);

    await openSection(page, "typed");
    const lines = await lineUnder(page.locator("input[aria-invalid=true]"));
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines)).toEqual(new Set(["3px"]));
  });
}
