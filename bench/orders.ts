import {
  createShipments,
  listOpenOrders,
  listShipments,
  printShipments,
} from "#features/labels/carrier/contract.ts";
import type { LabelHistory, OpenOrders } from "#features/labels/carrier/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, info, report, round } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { cpuMs, findServer } from "./support/processes.ts";

/**
 * A file of 5,000 orders that is taken in, and UPS labels of 100 orders that are made at once and leave as one file. Processor
 * time of the server, without that of the database and the simulated UPS.
 */
const ORDERS = 5_000;
const LABELS = 100;
const CARTON = { length: 15, width: 13, height: 3, weight: 2 };

const { stored, listed, made, printed, bytes } = await inNewPlace(measure);
report("Orders and their labels", [
  figure(`${ORDERS} orders of an X12 file stored`, stored / 1000, { most: 3, unit: "s" }),
  info("  the list of 500 of them", `${round(listed)} ms`),
  info(`labels of ${LABELS} orders made`, `${round(made / 1000)} s`),
  figure("  and written as one file", printed / 1000, { most: 3, unit: "s" }),
  info("  size of the file", `${round(bytes / 1000)} kB`),
]);

async function measure(product: Product) {
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  const cpu = async (work: () => Promise<unknown>) => {
    const before = cpuMs(findServer());
    await work();
    return cpuMs(findServer()) - before;
  };
  const add = (first: number, count: number) => {
    const sets = Array.from({ length: count }, (_, at) => sampleOrder(first + at));
    return send(browser, Buffer.from(sampleFile({ sets })));
  };
  await add(1, LABELS);
  const { open } = (await browser.call(listOpenOrders)).json() as OpenOrders;
  const chosen = open.filter(({ po_number }) => po_number.startsWith("8000")).slice(0, LABELS);
  const orders = chosen.map(({ id }) => ({ order_id: id, cartons: [CARTON], key: crypto.randomUUID() }));
  const ids: string[] = [];
  const made = await cpu(async () => {
    const reply = await browser.call(createShipments, { json: { orders } });
    ids.push(...(reply.json() as { orders: { id: string }[] }).orders.map(({ id }) => id));
    while (((await browser.call(listShipments)).json() as LabelHistory).counts.all < LABELS)
      await new Promise((resolve) => setTimeout(resolve, 500));
  });
  let bytes = 0;
  const printed = await cpu(async () => {
    bytes = (await browser.call(printShipments, { json: { ids } })).text.length;
  });
  const stored = await cpu(() => add(10_000, ORDERS));
  const listed = await cpu(() => browser.call(listOpenOrders));
  return { stored, listed, made, printed, bytes };
}

async function send(browser: Browser, bytes: Buffer): Promise<void> {
  const reply = await browser.call(addOrders, { file: { name: "orders.edi", bytes } });
  if (reply.status !== 200) throw new Error(`The file was answered ${reply.status}: ${reply.text}`);
}
