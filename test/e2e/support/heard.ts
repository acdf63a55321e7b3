import type { Page } from "@playwright/test";

/**
 * Keeps a log of what a page's live regions say from now on, as a screen reader would hear it.
 * @returns a function that tells it in order
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const region of document.querySelectorAll("[aria-live]"))
      new MutationObserver(() => heard.push(region.textContent.trim())).observe(region, {
        subtree: true,
        childList: true,
        characterData: true,
      });
  });
  return () => page.evaluate(() => (window as never as { heard: string[] }).heard);
}
