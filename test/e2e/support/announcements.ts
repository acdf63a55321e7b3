import type { Page } from "@playwright/test";

/**
 * Records what a page's live regions announce from now on, as a screen reader would read it.
 * @returns a function that returns them in order
 */
export async function watchAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    for (const region of document.querySelectorAll("[aria-live]"))
      new MutationObserver(() => announced.push(region.textContent.trim())).observe(region, {
        subtree: true,
        childList: true,
        characterData: true,
      });
  });
  return () => page.evaluate(() => (window as never as { announced: string[] }).announced);
}
