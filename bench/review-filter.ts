import { chromium, type BrowserContext } from "playwright-core";
import { invoiceRows, invoiceWorkbook } from "../test/support/workbooks.ts";
import { findPlace, removePlace, runProduct } from "../test/support/run-product.ts";
import { figure, report, type Figure } from "./support/figures.ts";
import { openLabPage, readSlowestEvent, resetSlowestEvent } from "./support/lab-page.ts";

/**
 * Measures how long a keystroke waits for its paint while the review of 10,000 invoices is filtered, on a
 * processor four times slower.
 */
const INVOICES = 10_000;
const MAX_MS = 150;
const CHECK_MS = 120_000;

const place = await findPlace();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const { url: baseURL, stop } = await runProduct(place);
  try {
    const context = await browser.newContext({ baseURL });
    const check = await checkInvoices(context);
    const storageState = await context.storageState();
    const page = await openLabPage(browser, { baseURL, storageState });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/app/?check=${check}`);
    const table = page.getByRole("table", { name: "Invoices of many.xlsx" });
    await table.getByRole("row", { name: /F-1 / }).waitFor();
    const search = page.getByRole("searchbox", { name: "Customer or number" });
    const steps: [string, () => Promise<void>][] = [
      ["typing a search", () => search.pressSequentially("F-9999", { delay: 150 })],
      ["clearing it", () => search.fill("")],
      ["choosing a filter", () => page.getByRole("button", { name: /^Ready/ }).click()],
      ["sorting by amount", () => table.getByRole("button", { name: "Amount" }).click()],
    ];
    const figures: Figure[] = [];
    for (const [name, act] of steps) {
      await resetSlowestEvent(page);
      await act();
      await page.evaluate(untilIdle);
      figures.push(figure(`${name}, slowest`, await readSlowestEvent(page), { most: MAX_MS, unit: "ms" }));
    }
    report(`A review of ${INVOICES} invoices`, figures);
  } finally {
    await stop();
  }
} finally {
  await browser.close();
  await removePlace(place);
}

/** Runs in the page: waits until it has rendered and has nothing more to do. */
async function untilIdle(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestIdleCallback(resolve));
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** @returns the id of a finished check */
async function checkInvoices(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto("/login/");
  await page.getByRole("radio", { name: /Olive Owner/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/app\//);
  const buffer = Buffer.from(await invoiceWorkbook(invoiceRows(INVOICES, { prefix: "F" })));
  await page.locator("input[type=file]").first().setInputFiles({
    name: "many.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer,
  });
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: /^Post 10,000 invoices/ }).waitFor({ timeout: CHECK_MS });
  const id = new URL(page.url()).searchParams.get("check");
  if (!id) throw new Error("The page does not name its check.");
  return id;
}
