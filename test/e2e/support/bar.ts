import { expect, type Page } from "@playwright/test";

/** The bar of an upload. */
export const bar = (page: Page) => page.getByRole("progressbar", { name: /^(Uploading|Processing) / });

/** Finds the last moment at which the bar began to look like this: its value and label. */
export const findMoment = (seen: readonly [number, number, string][]) => (look: string) =>
  seen.findLast(([value, , label]) => `${value} ${label}`.startsWith(look))?.[1] ?? Number.NaN;

/** Each of the two moments is seen late by as much as the machine is busy. */
export function expectAbout(ms: number, wanted: number, { earlyMs = 30, lateMs = 900 } = {}) {
  expect(ms).toBeGreaterThan(wanted - earlyMs);
  expect(ms).toBeLessThan(wanted + lateMs);
}

/** Records every value the bar shows. @returns a function that returns them in order */
export async function watchBar(page: Page): Promise<() => Promise<number[]>> {
  const seen = await watchBarTimes(page);
  return async () => (await seen()).map(([value]) => value).filter((value) => value >= 0);
}

/** Notes every change of the bar with its moment; -1 is a bar that is not there. */
export async function watchBarTimes(page: Page) {
  await page.evaluate(() => {
    const seen: [number, number, string][] = [];
    Object.assign(window, { seenOfBar: seen });
    const look = () => {
      const shown = document.querySelector("[role=progressbar][aria-valuenow]");
      const value = Number(shown?.getAttribute("aria-valuenow") ?? -1);
      const label = shown?.getAttribute("aria-label") ?? "";
      const last = seen.at(-1);
      if (last?.[0] !== value || last[2] !== label) seen.push([value, performance.now(), label]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return () => page.evaluate(() => (window as never as { seenOfBar: [number, number, string][] }).seenOfBar);
}
