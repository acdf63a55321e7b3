import { chromium, type ElementHandle, type Page } from "playwright-core";
import type { OpenOrders } from "#features/labels/carrier/contract.ts";
import { sampleOrder, sampleOrders } from "#features/labels/web/carrier/fixtures/orders.ts";
import { countWork, SORT_MS, sortNumbers } from "../test/support/count-work.ts";
import { findPlace, removePlace, runProduct } from "../test/support/run-product.ts";
import { figure, info, report, round, type Figure } from "./support/figures.ts";

/**
 * Measures the carrier tab with 500 open orders: the work of the page from the arrival of the list to its first paint,
 * and of each keystroke. Counted in processor time of the standard machine, times four, as on a processor four times
 * slower. The list is made here.
 */
const ORDERS = 500;
const TIMES_SLOWER = 4;
const MAX_PAINT_MS = 300;
const MAX_KEY_MS = 50;
/** The least of several is the work of the page; the others hold some of the browser's own. */
const ROUNDS = 5;

const place = await findPlace();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const { url: baseURL, stop } = await runProduct(place);
  try {
    const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto("/login/?next=/contact/");
    await page.getByRole("radio", { name: /Lara Labels/ }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(/\/contact\//);
    await page.goto("/contact/");
    const message = (await page.waitForSelector("textarea"))!;
    await untilRecorded(page);
    const plain = await measureKeys(message);
    const paints: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) paints.push(await openTab(page));
    await untilRecorded(page);
    // Found once, because looking for an element in the page is work too.
    const find = async (selector: string) => (await page.waitForSelector(selector))!;
    const weight = await find("article:first-of-type .carton:first-of-type label:nth-of-type(4) input");
    const add = await find("article:first-of-type .tool.box");
    const box = await find("article:first-of-type input[type=checkbox]");
    const search = await find("input[type=search]");
    const figures: Figure[] = [
      figure("arrival to first paint", TIMES_SLOWER * Math.min(...paints), {
        most: MAX_PAINT_MS,
        unit: "ms",
      }),
      info("a keystroke in a plain form", `${round(TIMES_SLOWER * plain)} ms`),
      await type("a weight", weight, MAX_KEY_MS),
      await act("adding a carton", page, () => add.evaluate(press)),
      await act("selecting an order", page, () => box.evaluate(press)),
      await act("selecting the others", page, async () =>
        (await find("section > label > input")).evaluate(press),
      ),
      await type("a weight with a selection", weight, MAX_KEY_MS),
      await type("a search", search, MAX_KEY_MS),
    ];
    report(`${ORDERS} open orders, on a processor four times slower`, figures);
  } finally {
    await stop();
  }
} finally {
  await browser.close();
  await removePlace(place);
}

/** Opens the tab. @returns the work in ms from the arrival of the list to its paint */
async function openTab(page: Page): Promise<number> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.unrouteAll();
  await page.route("**/api/v1/labels/open-orders", async (route) => {
    asked.resolve();
    await released.promise;
    await route.fulfill({ json: list() });
  });
  await page.goto("/label/?ups=1");
  await asked.promise;
  await page.evaluate(untilIdle);
  const read = await countWork(page);
  released.resolve();
  await page.evaluate(untilPainted);
  return (await read()) * (await measureSlowness(page));
}

/** Waits for the recorder, which starts late and once, and then works at each keystroke. */
async function untilRecorded(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("open-recorder")),
  );
  await page.evaluate(untilIdle);
}

async function type(name: string, field: ElementHandle, most: number): Promise<Figure> {
  return figure(`a keystroke in ${name}`, TIMES_SLOWER * (await measureKeys(field)), { most, unit: "ms" });
}

/** The slowest of some keystrokes, each one as the fastest of its repeats. */
async function measureKeys(field: ElementHandle): Promise<number> {
  const page = (await field.ownerFrame())!.page();
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await field.fill("");
    await field.focus();
    for (const [at, key] of [..."1499"].entries()) {
      const ms = await work(page, () => page.keyboard.press(key));
      slowest[at] = Math.min(slowest[at] ?? Infinity, ms);
    }
  }
  return Math.max(...slowest);
}

async function act(name: string, page: Page, action: () => Promise<unknown>): Promise<Figure> {
  return figure(name, TIMES_SLOWER * (await work(page, action)), { most: 200, unit: "ms" });
}

/** Runs in the page. */
function press(element: Node): void {
  (element as HTMLElement).click();
}

async function work(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(untilIdle);
  const read = await countWork(page);
  await action();
  await page.evaluate(untilNextPaint);
  return (await read()) * (await measureSlowness(page));
}

/** Processors differ, and share their time: work of a fixed size says how fast this one is now. */
async function measureSlowness(page: Page): Promise<number> {
  const read = await countWork(page);
  await page.evaluate(sortNumbers);
  return SORT_MS / (await read());
}

/** Runs in the page: waits until orders are on the screen. */
async function untilPainted(): Promise<void> {
  while (!document.querySelector("article")) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Runs in the page: waits until it has drawn what has just changed. */
async function untilNextPaint(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function list(): OpenOrders {
  return sampleOrders({
    open: Array.from({ length: ORDERS }, (_, index) =>
      sampleOrder({ po_number: String(1_000 + index), ship_by: index % 3 === 0 ? "2027-03-01" : null }),
    ),
  });
}

/** Runs in the page: waits until it has rendered and has nothing more to do. */
async function untilIdle(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestIdleCallback(resolve));
  await new Promise((resolve) => requestAnimationFrame(resolve));
}
