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
const RULES_OF_COLORS = ["color-contrast", "link-in-text-block"];

/**
 * Checks a page in its present state at each width (px): no finding of axe, light at the first and dark at the last,
 * headings and landmarks in order, targets large enough, nothing that moves, and nothing cut or beside the screen down
 * to 320 px, wide spacing of text included. The page is left at 1280 px, light. States that journeys pass are checked by
 * `npm test -- full` only.
 */
export async function expectNoBarrier(page: Page, what: string, widths = [1280, 375]): Promise<void> {
  if (process.env.WITHOUT_FULL === "1") return;
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 800 });
    await nextFrames(page);
    if (index === widths.length - 1) await expectNoFinding(page, `${what}, ${width} px`, "dark");
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    if (index === 0) await expectNoFinding(page, `${what}, ${width} px`, "light");
    await expectTargets(page, `${what}, ${width} px`);
    await expectFits(page, `${what}, ${width} px`);
  }
  await expectStructure(page, what);
  await expectStill(page, what);
  await expectNarrowFits(page, what, widths);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The page learns of a new width with its next frame, and what it draws for it shows in the one after. */
const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Checks a page in its present state and width, in this scheme: no finding of axe. The page is left in the scheme. */
export async function expectNoFinding(
  page: Page,
  what: string,
  colorScheme: "light" | "dark",
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Half a megabyte of script, so each document gets it once.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // The schemes differ in colors only.
  const isDark = colorScheme === "dark";
  // The gallery shows one part in each of its states.
  const practices = page.url().includes("/gallery/") ? PRACTICES.slice(1) : PRACTICES;
  const asked = { tags: isDark ? [] : RULES, rules: isDark ? RULES_OF_COLORS : practices };
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

/** As narrow as a wide screen is at 400 %, and as low; and where the bar begins to have its entries in a row. */
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
  // The gallery shows one part in each of its states, and a part that takes the page brings its heading along.
  if (page.url().includes("/gallery/")) expect(titles, what).toBeGreaterThanOrEqual(1);
  else expect(titles, what).toBe(1);
  const leaps = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
  expect(leaps, `${what}: headings that leap a level in ${levels.join(" ")}`).toEqual([]);
  // A notice within an entry, a row or a form isn't the page's, nor is one in place of what could not be read.
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
  // The gallery shows one part in each of its states.
  if (!page.url().includes("/gallery/"))
    expect(landmarks.toSorted(), `${what}: landmarks of one name`).toEqual(
      [...new Set(landmarks)].toSorted(),
    );
}

/** Nothing moves when the system asks for reduced motion. */
async function expectStill(page: Page, what: string): Promise<void> {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation.effect as KeyframeEffect).target)
      .map((target) => target?.outerHTML.slice(0, 100)),
  );
  expect(moving, `${what}: what moves`).toEqual([]);
}
