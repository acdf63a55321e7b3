import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Looks at a page as it stands now, light and dark, at each width (px): no finding of axe, one `h1` and no leap between
 * headings, targets large enough, nothing that moves, and at 320 px nothing cut or beside the screen, wide spacing of
 * text included. The page is left at 1280 px, light.
 */
export async function expectNoBarrier(page: Page, what: string, widths = [1280, 375]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      expect(found, `${what}, ${colorScheme}, ${width} px`).toEqual([]);
    }
    await expectTargets(page, `${what}, ${width} px`);
    await expectFits(page, `${what}, ${width} px`);
  }
  await expectOneHeading(page, what);
  await expectRest(page, what);
  await expectNarrowFits(page, what);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Targets are at least 24 px each way (WCAG 2.5.8), main ones 44 px high; links within sentences may be smaller. */
export async function expectTargets(page: Page, what: string): Promise<void> {
  const targets = await page
    .locator("a, button, input:not([type=file]), select, textarea, summary")
    .evaluateAll((all) =>
      all
        .filter((target) => target.checkVisibility() && !target.closest("p, li"))
        .map((target) => ({
          name: target.getAttribute("aria-label") || target.textContent || target.tagName,
          box: (target.closest("label") ?? target).getBoundingClientRect().toJSON() as DOMRect,
        })),
    );
  const small = targets.filter(({ box }) => box.height < 24 || box.width < 24);
  expect(
    small.map(({ name }) => name),
    `${what}: targets that are too small`,
  ).toEqual([]);
  for (const { name, box } of targets.filter(({ name: of }) => /^(Upload|Get Started|Send)$/.test(of)))
    expect(box.height, `${what}: height of ${name}`).toBeGreaterThanOrEqual(44);
}

/** Nothing lies beside the screen, and no text is cut. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const cut = await page.evaluate(() => ({
    beside: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    hidden: [...document.querySelectorAll<HTMLElement>("main *, footer *, [role=dialog] *")]
      .filter((element) => getComputedStyle(element).overflow === "hidden" && element.offsetWidth > 1)
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent)
      // The ripple of a button is cut at its edge on purpose.
      .filter((text) => text.trim() !== ""),
  }));
  expect(cut, what).toEqual({ beside: 0, hidden: [] });
}

async function expectNarrowFits(page: Page, what: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  await expectFits(page, `${what}, 320 px`);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
    );
    document.adoptedStyleSheets.push(sheet);
  });
  await expectFits(page, `${what}, 320 px with wide spacing`);
  await page.evaluate(() => document.adoptedStyleSheets.pop());
}

async function expectOneHeading(page: Page, what: string): Promise<void> {
  const levels = await page
    .locator("h1, h2, h3, h4, h5, h6")
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(
    levels.filter((level) => level === 1),
    what,
  ).toHaveLength(1);
  const leaps = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
  expect(leaps, `${what}: headings that leap a level in ${levels.join(" ")}`).toEqual([]);
}

/** Only a spinner or a bar may move when the system asks for rest. */
async function expectRest(page: Page, what: string): Promise<void> {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation.effect as KeyframeEffect).target)
      .filter((target) => !target?.closest("[role=progressbar]"))
      .map((target) => target?.outerHTML.slice(0, 100)),
  );
  expect(moving, `${what}: what moves`).toEqual([]);
}
