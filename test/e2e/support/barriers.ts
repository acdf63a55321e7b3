import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { expectFits, expectFitsSpaced } from "./fits.ts";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Good practices beyond the rules of WCAG. */
const PRACTICES = ["landmark-unique", "empty-table-header"];
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Checks a page in its present state at each width (px): no axe violations (light at the first width, dark at the last),
 * headings and landmarks in order, targets large enough, nothing that moves, and nothing clipped or off-screen down to
 * 320 px, wide spacing of text included. The page is left at 1280 px, light. States that e2e tests pass through are
 * checked only by `npm test -- full`.
 */
export async function expectAccessible(page: Page, what: string, widths = [1280, 375]): Promise<void> {
  if (process.env.WITHOUT_FULL === "1") return;
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 800 });
    await nextFrames(page);
    if (index === widths.length - 1) await expectNoAxeViolations(page, `${what}, ${width} px`, "dark");
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    if (index === 0) await expectNoAxeViolations(page, `${what}, ${width} px`, "light");
    await expectTargets(page, `${what}, ${width} px`);
    await expectFits(page, `${what}, ${width} px`);
  }
  await expectStructure(page, what);
  await expectNoMotion(page, what);
  await expectNarrowFits(page, what, widths);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The page gets a new width in its next frame, and shows the result in the frame after that. */
const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Checks a page in its present state and width, in this scheme: no axe violations. The page is left in the scheme. */
export async function expectNoAxeViolations(
  page: Page,
  what: string,
  colorScheme: "light" | "dark",
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Half a megabyte of script, so each document gets it once.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // The schemes differ in colors only.
  const isDark = colorScheme === "dark";
  // The gallery repeats one component in every state, so names and headings repeat.
  const practices = page.url().includes("/gallery/") ? PRACTICES.slice(1) : PRACTICES;
  const asked = { tags: isDark ? [] : RULES, rules: isDark ? COLOR_RULES : practices };
  const found = await page.evaluate(async ({ tags, rules }) => {
    const ofTags = tags.length === 0 ? [] : window.axe.getRules(tags).map(({ ruleId }) => ruleId);
    const { violations } = await window.axe.run(document, {
      runOnly: { type: "rule", values: [...ofTags, ...rules] },
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, asked);
  expect(found, `${what}, ${colorScheme}`).toEqual([]);
}

/** Targets are at least 24 px each way (WCAG 2.5.8); a link within a sentence may be smaller. */
async function expectTargets(page: Page, what: string): Promise<void> {
  const small = await page
    .locator("a, button, input:not([type=file]), select, textarea, summary, [role=option]")
    .evaluateAll((all) => {
      const isInSentence = (target: Element) => {
        const sentence = target.closest("p, li, dd, td, label");
        return (
          target.tagName === "A" &&
          getComputedStyle(target).display === "inline" &&
          (sentence?.textContent ?? "").trim().length > target.textContent.trim().length
        );
      };
      return all
        .filter((target) => target.checkVisibility() && !isInSentence(target))
        .map((target) => ({
          name: target.getAttribute("aria-label") || target.textContent || target.tagName,
          box: (target.closest("label") ?? target).getBoundingClientRect(),
        }))
        .filter(({ box }) => box.height < 24 || box.width < 24)
        .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`);
    });
  expect(small, `${what}: targets that are too small`).toEqual([]);
}

/** 320 × 256 px is a 1280 × 1024 screen at 400% zoom; at 900 px the top bar switches to a single row. */
async function expectNarrowFits(page: Page, what: string, widths: readonly number[]): Promise<void> {
  await page.setViewportSize({ width: 320, height: 256 });
  await expectFits(page, `${what}, 320 px`);
  await expectFitsSpaced(page, `${what}, 320 px`);
  if (!widths.includes(1280)) return;
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFitsSpaced(page, `${what}, ${width} px`);
  }
}

/** The language is set, there is one `h1`, no heading level is skipped, and landmarks of one kind have their own names. */
async function expectStructure(page: Page, what: string): Promise<void> {
  const { language, levels, landmarks } = await page.evaluate(() => {
    const describeElement = (element: Element) =>
      element.getAttribute("aria-label") ??
      document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent ??
      "";
    // A header or a footer within a part of the page isn't a landmark.
    const found = [
      ...document.querySelectorAll(
        "main, nav, aside, form[aria-label], section[aria-label], section[aria-labelledby], body > header, header:not(main *), footer:not(main *)",
      ),
    ].filter((element) => element.checkVisibility());
    return {
      language: document.documentElement.lang,
      levels: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) =>
        Number(tagName[1]),
      ),
      landmarks: found.map((element) =>
        `${element.tagName.toLowerCase()} ${describeElement(element)}`.trim(),
      ),
    };
  });
  expect(language, what).toBe("en");
  const titles = levels.filter((level) => level === 1).length;
  // The gallery repeats one component in every state, and a component that fills the page brings its heading along.
  if (page.url().includes("/gallery/")) expect(titles, what).toBeGreaterThanOrEqual(1);
  else expect(titles, what).toBe(1);
  const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
  expect(skipped, `${what}: headings that skip a level in ${levels.join(" ")}`).toEqual([]);
  // Doesn't count notices inside an entry, row, or form, or those that replace content that failed to load.
  if (!page.url().includes("/gallery/"))
    expect(
      await page
        .locator(
          "main [data-band]:visible:not(:is(article, li, tr, form, dialog, fieldset, details, [data-in-place]) *)",
        )
        .count(),
      `${what}: bands (SR-10)`,
    ).toBeLessThanOrEqual(1);
  expect(landmarks, `${what}: landmarks`).toContain("main");
  expect(
    landmarks.filter((landmark) => /^(nav|aside)$/.test(landmark)),
    `${what}: landmarks without a name`,
  ).toEqual([]);
  // The gallery repeats one component in every state, so names and headings repeat.
  if (!page.url().includes("/gallery/"))
    expect(landmarks.toSorted(), `${what}: landmarks of one name`).toEqual(
      [...new Set(landmarks)].toSorted(),
    );
}

/** Nothing moves when the system asks for reduced motion. */
async function expectNoMotion(page: Page, what: string): Promise<void> {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation.effect as KeyframeEffect).target)
      .map((target) => target?.outerHTML.slice(0, 100)),
  );
  expect(moving, `${what}: what moves`).toEqual([]);
}
