import type { Page } from "@playwright/test";

/** Size, weight and slant of each level of heading, as they are specified. */
const HEADINGS: Record<string, string> = {
  H1: "32px 800 normal",
  H2: "28.8px 800 normal",
  H3: "25.6px 800 normal",
  H4: "22.4px 800 normal",
  H5: "19.2px 400 italic",
  H6: "16px 400 italic",
};

/** Visible headings whose style doesn't match their level. Headings that are toggle buttons have their own style. */
export const findMisstyledHeadings = (page: Page) =>
  page.locator("h1, h2, h3, h4, h5, h6").evaluateAll(
    (all, styles) =>
      all
        .filter((each) => each.checkVisibility() && !each.querySelector("button"))
        .map((each) => {
          const { fontSize, fontWeight, fontStyle } = getComputedStyle(each);
          return [each.tagName, `${fontSize} ${fontWeight} ${fontStyle}`, each.textContent];
        })
        .filter(([level = "", style]) => styles[level] !== style),
    HEADINGS,
  );
