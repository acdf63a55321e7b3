import { chromium, type Page } from "playwright-core";
import { listThreads, type ThreadList } from "#features/order-invoices/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { createShipments, listOpenOrders, type OpenOrders } from "#features/shipping/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { systemClock } from "#platform/clock.ts";
import { connectUps, signInAdmin } from "../test/e2e/support/orders.ts";
import { grantTracking } from "../test/e2e/support/services.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../test/support/run-product.ts";
import { CARRIER_SETTINGS, CARTON } from "../test/support/shipping.ts";
import { figure, info, percentile, report, round } from "./support/figures.ts";
import { CPU_TIMES_SLOWER, signInOwner } from "./support/lab-page.ts";

/**
 * Measures the Orders page of a company with 2,000 orders, 50 of them shipped, on a processor four times slower. Run manually, not part of `npm test`.
 */
const ORDERS = 2_000;
const SHIPPED = 50;
const RUNS = 9;

const place = await createInstance();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  const product = await runProduct(place);
  try {
    await addAll(product);
    const page = await openPage(product);
    const opened: Painted[] = [];
    const filtered: Painted[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await page.goto("/orders/", { waitUntil: "commit" });
      opened.push(await untilPainted(page));
      await page.waitForLoadState("networkidle");
      await page.evaluate(watchRows);
      await page.getByRole("button", { name: /^Differences/ }).click();
      filtered.push(await untilPainted(page));
      await page.waitForLoadState("networkidle");
    }
    report(`Orders page, ${ORDERS} orders`, [
      ...figures("orders", opened, 400),
      ...figures("orders of a filter", filtered, 100),
    ]);
  } finally {
    await product.stop();
  }
} finally {
  await browser.close();
  await removeInstance(place);
}

async function addAll(product: Product): Promise<void> {
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const admin = await signInAdmin(product);
  const bytes = Buffer.from(
    sampleFile({ sets: Array.from({ length: ORDERS }, (_, at) => sampleOrder(at + 1)) }),
  );
  const added = await admin.call(addOrders, { file: { name: "orders.edi", bytes } });
  if (added.status !== 200) throw new Error(added.text);
  const { open } = (await admin.call(listOpenOrders)).json() as OpenOrders;
  const orders = open
    .filter(({ po_number: po }) => po.startsWith("8000"))
    .slice(0, SHIPPED)
    .map(({ id }) => ({ order_id: id, cartons: [CARTON], key: crypto.randomUUID() }));
  const shipped = await admin.call(createShipments, { json: { orders } });
  if (shipped.status !== 200) throw new Error(shipped.text);
  // Shipped orders are drafted by now, as they are in a company that works.
  for (let differing = 0; differing < SHIPPED; await systemClock.sleep(1_000)) {
    const { shares } = (await admin.call(listThreads, {})).json() as ThreadList;
    differing = shares.differs.orders;
  }
}

async function openPage({ url }: Product): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await signInOwner(page, url);
  await page.addInitScript(watchRows);
  const protocol = await context.newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: CPU_TIMES_SLOWER });
  return page;
}

/** Milliseconds from the start of the page or a press to the paint of its rows, and from the arrival of the answer that has them. */
type Painted = { whole: number; drawing: number };

function figures(name: string, painted: readonly Painted[], most: number) {
  const wholes = painted.map(({ whole }) => whole);
  return [
    figure(
      `arrival of the ${name} to their paint, middle of ${RUNS}`,
      percentile(
        painted.map(({ drawing }) => drawing),
        0.5,
      ),
      { most, unit: "ms" },
    ),
    info("  all", `${painted.map(({ drawing }) => round(drawing)).join(" ")} ms`),
    info("  from the start of the page, or the press", `${wholes.map(round).join(" ")} ms`),
  ];
}

function untilPainted(page: Page): Promise<Painted> {
  return page.evaluate(() => Reflect.get(window, "rows") as Promise<Painted>);
}

/** Runs in the page. */
function watchRows() {
  const first = () => document.querySelector("main tbody th")?.textContent ?? "";
  const before = first();
  let pressedAt = 0;
  addEventListener("click", ({ timeStamp }) => (pressedAt = timeStamp), { capture: true, once: true });
  const { promise, resolve } = Promise.withResolvers<{ whole: number; drawing: number }>();
  Reflect.set(window, "rows", promise);
  const observer = new MutationObserver(() => {
    if (first() === before || first() === "") return;
    observer.disconnect();
    const answers = performance
      .getEntriesByType("resource")
      .filter(({ name, startTime }) => name.includes("/orders/threads") && startTime >= pressedAt)
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    requestAnimationFrame(() =>
      // The frame after the one that draws them begins once they are painted.
      requestAnimationFrame(() => {
        const paintedAt = performance.now();
        resolve({ whole: paintedAt - pressedAt, drawing: paintedAt - Math.min(...answers) });
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}
