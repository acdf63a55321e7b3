import type { Page } from "@playwright/test";

/** Lists the fonts that a page has loaded, by family and weight: "Lato 400". */
export const listLoadedFonts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.fonts]
      .filter(({ status }) => status === "loaded")
      .map(({ family, weight }) => `${family} ${weight}`),
  );
