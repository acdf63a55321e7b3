import { expect, type Page } from "@playwright/test";

/** Pauses a page's clock a little ahead of where it is: it cannot be set back, and a busy machine answers late. */
export const pause = async (page: Page) =>
  page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 20_000));

/**
 * Moves a paused clock in small steps until something is seen; however long drawing it and answers take, the page grows no
 * older meanwhile.
 * @returns milliseconds by that clock
 */
export async function moveUntil(page: Page, isSeen: () => Promise<boolean>, stepMs = 20): Promise<number> {
  let ms = 0;
  await expect
    .poll(
      async () => {
        await page.clock.runFor(stepMs);
        ms += stepMs;
        return isSeen();
      },
      // A busy machine draws each step slowly.
      { intervals: [20], timeout: 100_000 },
    )
    .toBe(true);
  return ms;
}
