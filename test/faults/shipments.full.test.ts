import { sql } from "kysely";
import { expect, test } from "vitest";
import { answerShipment, createShipments, type MadeLabels } from "#features/shipping/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../support/intuit.ts";
import { CARTON, openShippingDesk, type ShippingDesk } from "../support/shipping.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";

const run = battery({ short: 12, long: 200 });
const random = seededRandom(run.seed);

/** Ways in which the making of labels goes wrong. Each is requested by a single click, unless it says otherwise. */
const TRIALS: Readonly<Record<string, (desk: ShippingDesk, po: string) => Promise<unknown>>> = {
  "double click": (desk, po) => Promise.all([desk.ship(po), desk.ship(po), desk.ship(po)]),
  "several orders and one of them at once": async (desk, po) => {
    const order = (await desk.open()).find(({ po_number }) => po_number === po);
    const request = { order_id: order?.id, cartons: [CARTON], key: crypto.randomUUID() };
    const several = () => desk.browser.call(createShipments, { json: { orders: [request] } });
    await Promise.all([several(), desk.ship(po), several(), desk.ship(po)]);
  },
  "connection cut after the labels were made": (desk, po) => shipWith(desk, po, { fault: "drop_after" }),
  "an error after the labels were made": (desk, po) => shipWith(desk, po, { fault: "server_error_after" }),
  "a page of a proxy after the labels were made": (desk, po) =>
    shipWith(desk, po, { fault: "html_page_after", status: [200, 403, 502][Math.floor(random() * 3)] }),
  "a refusal of a gateway after the labels were made": (desk, po) =>
    shipWith(desk, po, { fault: "json_refusal_after", status: [400, 401, 429][Math.floor(random() * 3)] }),
  "half an answer": (desk, po) => shipWith(desk, po, { fault: "half_body" }),
  "no labels and no answer": (desk, po) => shipWith(desk, po, { fault: "drop" }),
  "access tokens that ended": async (desk, po) => {
    await desk.app.ups.control("tokens/expire", {});
    await desk.ship(po);
  },
  "a worker that loses its run between the answer and the store": async (desk, po) => {
    await desk.app.ups.control("faults", { fault: "latency", operation: "ship", times: 1, ms: 400 });
    const goOn = desk.app.clock.stand();
    const asked = desk.ship(po);
    await desk.app.settle(0);
    expect(await countSent(desk)).toBeGreaterThan(0);
    await sql`update run set fence = fence + 1, state = 'queued' where kind = 'labels.ship' and state = 'working'`.execute(
      desk.app.db,
    );
    goOn();
    await asked;
  },
  "an older backup after the labels were made": async (desk, po) => {
    await desk.ship(po);
    await sql`delete from write where part in (select id::text from shipment where po_number = ${po})`.execute(
      desk.app.db,
    );
    await sql`delete from shipment where po_number = ${po}`.execute(desk.app.db);
    await sql`update retail_order set state = 'open' where po_number = ${po}`.execute(desk.app.db);
    await desk.ship(po);
  },
};

const countSent = async ({ app }: ShippingDesk) =>
  (await sql`select from write where vendor = 'ups' and state = 'sent'`.execute(app.db)).rows.length;

async function shipWith(desk: ShippingDesk, po: string, fault: object): Promise<void> {
  await desk.app.ups.control("faults", { operation: "ship", times: 1, ...fault });
  await desk.ship(po);
}

/** An open order once its labels are neither made nor searched for. */
async function settledOrder(desk: ShippingDesk, po: string) {
  for (;;) {
    await desk.app.settle();
    const order = (await desk.open()).find(({ po_number }) => po_number === po);
    if (!["making", "checking"].includes(order?.labels?.state ?? "")) return order;
  }
}

/** Clicks until the order has labels, like a user who answers questions and sees errors. @returns the number of questions */
async function untilLabelled(desk: ShippingDesk, po: string): Promise<number> {
  let asked = 0;
  for (let click = 0; click < 5; click += 1) {
    const order = await settledOrder(desk, po);
    if (!order) return asked;
    if (order.labels?.state === "asked") {
      asked += 1;
      await desk.browser.call(answerShipment, { json: { id: order.labels.id, answer: "create_again" } });
    }
    await desk.ship(po);
  }
  return asked;
}

type SimulatedShipment = { id: string; voided: boolean; reference: string };

test(
  `UPS labels of ${run.times} orders are bought once each, whatever happens on the way`,
  { timeout: run.timeout },
  async () => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "150,400,800" } });
    const names = Object.keys(TRIALS);
    const numbers = Array.from({ length: run.times }, (_, at) => at + 1);
    await desk.add(sampleFile({ sets: numbers.map((number) => sampleOrder(number)) }));
    let asked = 0;
    for (const number of numbers) {
      const po = `8000${number}`;
      const name = names[number % names.length] ?? "";
      await TRIALS[name]?.(desk, po);
      asked += await untilLabelled(desk, po);
      await desk.app.ups.control("faults", undefined, "DELETE");
    }
    const labels: MadeLabels[] = [];
    for (let before: string | null = ""; before !== null;) {
      const page = await desk.history({ limit: "200", ...(before === "" ? {} : { before }) });
      labels.push(...page.labels);
      before = page.next;
    }
    const { shipments } = await desk.app.ups.control<{ shipments: SimulatedShipment[] }>("shipments");
    const { rows: stored } = await sql<{
      bytes: number;
    }>`select octet_length(bytes) as bytes from shipment_label
      where realm_id = ${ACME}`.execute(desk.app.db);
    const outcome = {
      orders: run.times,
      "shipments at UPS": shipments.length,
      "live labels here": labels.filter(({ state }) => state === "live").length,
      doubled: shipments.length - new Set(labels.map(({ po_number }) => po_number)).size,
      "labels with their bytes": stored.filter(({ bytes }) => bytes > 1_000).length,
    };
    printCounts(run, "shipments", { ...outcome, asked });
    expect(outcome).toEqual({
      orders: run.times,
      "shipments at UPS": run.times,
      "live labels here": run.times,
      doubled: 0,
      "labels with their bytes": run.times,
    });
  },
);
