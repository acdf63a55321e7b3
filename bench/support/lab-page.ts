import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Lab profile: a slow phone on a slow connection. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
export const CPU_TIMES_SLOWER = 4;

export type PaintFigures = { lcpMs: number; cls: number };

/** Opens a page with an empty cache, throttled through the browser's own protocol. */
export async function openLabPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send("Network.enable");
  await protocol.send("Network.emulateNetworkConditions", LINE);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: CPU_TIMES_SLOWER });
  await page.addInitScript(watchEvents);
  return page;
}

/** Reads the browser's metrics of a page after its script has rendered and is idle. */
export async function readPaints(page: Page): Promise<PaintFigures> {
  // An idle network proves nothing: on a slow processor it is idle before the script has rendered.
  await page.locator("[aria-live=polite]").waitFor({ state: "attached" });
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  await page.waitForLoadState("networkidle");
  return page.evaluate(
    () =>
      new Promise<PaintFigures>((resolve) => {
        const figures = { lcpMs: 0, cls: 0 };
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) figures.lcpMs = entry.startTime;
        }).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[])
            if (!entry.hadRecentInput) figures.cls += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(figures), 500);
      }),
  );
}

/** Longest time in ms that a click or key has waited for its paint so far. */
export const readSlowestEvent = (page: Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(window, "slowestEventMs") ?? 0));

// Events are only recorded for observers that watch from the start.
function watchEvents() {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      Reflect.set(
        window,
        "slowestEventMs",
        Math.max(duration, Number(Reflect.get(window, "slowestEventMs") ?? 0)),
      );
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** Signs the demo's owner in, on a page whose context begins at the product. @param url the product's */
export async function signInOwner(page: Page, url: string): Promise<void> {
  await page.goto("/login/");
  await page.getByRole("radio", { name: /Olive Owner/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${url}/**`);
}
