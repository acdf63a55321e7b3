import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { createBrowser } from "../test/support/browser.ts";
import { ACME, driveIntuit } from "../test/support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../test/support/run-product.ts";
import { invoiceWorkbook } from "../test/support/workbooks.ts";
import { figure, report, info, type Figure } from "./support/figures.ts";
import { postWorkbook } from "./support/requests.ts";

/**
 * Measures the receipt of the longest possible upload: opened, and printed completely. A table with so many
 * cells takes Chromium 2.3 to 3.2 s of processor time even as plain HTML.
 */
const INVOICES = 30_000;
/** Parts of the page's processor time, as measured by the browser. */
const PARTS = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"] as const;

const place = await findPlace();
const product = await runProduct(place);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});
try {
  report("Receipt of 30,000 invoices", await measure(product));
} finally {
  await browser.close();
  await product.stop();
  await removePlace(place);
}

async function measure({ url, intuitUrl }: Product): Promise<Figure[]> {
  const user = createBrowser(url, driveIntuit(intuitUrl));
  await user.signIn("owner@acme.example");
  const id = await upload(url, user.cookies);
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([...user.cookies].map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  await page.addInitScript(catchPrint);
  await page.goto("/app/");
  await page.getByRole("heading", { name: "Results" }).waitFor();
  const openedAt = performance.now();
  await page.goto(`/app/?receipt=${id}`);
  await page.getByRole("table", { name: "Invoices" }).waitFor();
  const opened = performance.now() - openedAt;
  const cpu = await watchCpu(page);
  const { ms, read, drawn, rows, bytes } = await print(page);
  const spent = await cpu();
  if (rows !== INVOICES) throw new Error(`${rows} invoices were printed.`);
  return [
    figure("opened", opened, { most: 2_000, unit: "ms" }),
    figure("printed: processor time of the page", spent.TaskDuration, { most: 6_000, unit: "ms" }),
    info(
      "  of it scripts, styles and layout",
      PARTS.map((part) => `${spent[part].toFixed(0)} ms`).join(", "),
    ),
    info("  from the click to all of it drawn", `${ms.toFixed(0)} ms`),
    info("  read by then", `${read.toFixed(0)} ms`),
    info("  put on the page by then", `${drawn.toFixed(0)} ms`),
    figure("memory of the page while it prints", bytes / 1e6, { most: 250, unit: "MB" }),
  ];
}

type Spent = Record<"TaskDuration" | (typeof PARTS)[number], number>;

/** Measures the processor time of the page's own thread, ms, without other programs'. */
async function watchCpu(page: Page): Promise<() => Promise<Spent>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await protocol.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value * 1_000]));
  };
  const before = await read();
  return async () => {
    const now = await read();
    const since = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0);
    const [ScriptDuration, RecalcStyleDuration, LayoutDuration] = PARTS.map(since) as [
      number,
      number,
      number,
    ];
    return { TaskDuration: since("TaskDuration"), ScriptDuration, RecalcStyleDuration, LayoutDuration };
  };
}

/**
 * Uploads a file with only unknown customers, so that it ends without a call to the books. @returns its id
 * once it has ended
 */
async function upload(origin: string, cookies: ReadonlyMap<string, string>): Promise<string> {
  const rows = Array.from({ length: INVOICES }, (_, index) => ({
    "Invoice No": `L-${index}`,
    Customer: "Nobody Trading",
    "Invoice Date": "2026-11-20",
    Item: "Claw Hammer",
    Amount: 5,
  }));
  const path = `/api/v1/invoices?realm_id=${ACME}`;
  const { status, body } = await postWorkbook({ origin, cookies, path, bytes: await invoiceWorkbook(rows) });
  if (status !== 202) throw new Error(`The upload was refused: ${body.toString()}`);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (;;) {
    const list = (await (await fetch(new URL(path, origin), { headers: { cookie } })).json()) as {
      in_process: boolean;
      uploads: { id: string }[];
    };
    if (!list.in_process && list.uploads[0]) return list.uploads[0].id;
    await wait(200);
  }
}

type Printed = { ms: number; read: number; drawn: number; rows: number; bytes: number };

async function print(page: Page): Promise<Printed> {
  await page.getByRole("button", { name: "Print" }).click();
  await page.waitForFunction(() => Reflect.get(window, "printed") !== undefined, undefined, {
    timeout: 120_000,
  });
  return page.evaluate(() => Reflect.get(window, "printed") as Printed);
}

/**
 * Replaces the browser's dialog: everything up to the moment at which the browser takes its snapshot of the
 * page.
 */
function catchPrint() {
  const state = { clickedAt: 0 };
  window.addEventListener("click", () => (state.clickedAt = performance.now()), { capture: true });
  window.print = () => {
    const read = performance.now() - state.clickedAt;
    window.dispatchEvent(new Event("beforeprint"));
    const drawn = performance.now() - state.clickedAt;
    const rows = document.querySelectorAll("table[aria-label=Invoices] tbody tr").length;
    // Reading a height forces layout.
    if (document.body.offsetHeight === 0) throw new Error("The page has no height.");
    const ms = performance.now() - state.clickedAt;
    const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } };
    Reflect.set(window, "printed", { ms, read, drawn, rows, bytes: memory?.usedJSHeapSize ?? 0 });
    window.dispatchEvent(new Event("afterprint"));
  };
}
