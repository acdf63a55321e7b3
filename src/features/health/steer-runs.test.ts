import { sql } from "kysely";
import { expect, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { cancelRun, retryRun } from "#features/health/contract.ts";
import { createShipments } from "#features/shipping/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { CARTON, openShippingDesk } from "../../../test/support/shipping.ts";
import type { TestApp } from "../../../test/support/start-app.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

const OPERATOR = "platform@dockside.example";

/** An operator who steers runs as Admin's list offers them. */
async function openAdmin(app: TestApp) {
  const admin = app.browser();
  await admin.signIn(OPERATOR);
  const find = async (kind: string): Promise<ListRow<"runs">> => {
    const reply = await admin.call(readList, { params: { list: "runs" }, query: { limit: "200" } });
    const { rows } = reply.json() as { rows: ListRow<"runs">[] };
    const run = rows.find((row) => row.kind === kind);
    if (!run) throw new Error(`There is no run of kind ${kind}.`);
    return run;
  };
  const steer = async (endpoint: typeof cancelRun | typeof retryRun, { realm_id, key }: ListRow<"runs">) =>
    (await admin.call(endpoint, { json: { realm_id, id: key, reason: "They asked us to" } })).status;
  return { find, steer };
}

const readTrail = async (app: TestApp, run: ListRow<"runs">) => {
  const { rows } = await sql<{ action: string; after: object }>`select action, after from audit_entry
    where ids ->> 'run' = ${run.key} order by at`.execute(app.db);
  return rows.map(({ action, after }) => [action, after]);
};

const shipAll = async (browser: Browser, orders: readonly { id: string }[]) =>
  browser.call(createShipments, {
    json: {
      orders: orders.map(({ id: order_id }) => ({ order_id, cartons: [CARTON], key: crypto.randomUUID() })),
    },
  });

/** Workers look for cancellations as often as they renew their lease. */
const SOON_CANCELED = { RUN_LEASE_MS: "2000" };

test("OP-10 an operator cancels a purchase of labels: what UPS was asked for is stored, the rest says who canceled it and is bought later", async () => {
  const desk = await openShippingDesk({ env: SOON_CANCELED });
  // Four are bought at once, and some end before the operator is there.
  const numbers = Array.from({ length: 16 }, (_each, at) => at + 1);
  await desk.addSamples(...numbers);
  const admin = await openAdmin(desk.app);
  await desk.app.ups.control("faults", { fault: "latency", ms: 3_000, operation: "ship" });
  const goOn = desk.app.clock.stand();
  const shipped = shipAll(desk.browser, await desk.open());
  // UPS is asked five times a second at most: for all addresses first.
  await desk.app.settle(14_000);
  const run = await admin.find("labels.ship");
  expect(await admin.steer(cancelRun, run)).toBe(200);
  await until(
    desk.app.clock,
    () => admin.find("labels.ship"),
    ({ state }) => state === "done",
  );
  goOn();
  expect((await shipped).status).toBe(200);
  const { labels } = await desk.history();
  const open = await desk.open();
  expect(labels.length).toBeGreaterThan(0);
  expect(open.length).toBeGreaterThan(0);
  expect(labels.length + open.length).toBe(numbers.length);
  expect(await desk.shipCalls()).toBe(labels.length);
  const errors = new Set(open.map((order) => order.labels?.error));
  expect([...errors]).toEqual([`Canceled by ${OPERATOR}. Nothing was bought.`]);
  expect(await readTrail(desk.app, run)).toEqual([["admin.cancel_run", { reason: "They asked us to" }]]);
  expect(await admin.steer(cancelRun, run)).toBe(409);

  await desk.app.ups.control("faults", undefined, "DELETE");
  expect((await shipAll(desk.browser, open)).status).toBe(200);
  await desk.app.settle(60_000);
  expect((await desk.history()).labels).toHaveLength(numbers.length);
  expect(await desk.shipCalls()).toBe(numbers.length);
}, 180_000);

test("OP-10 OP-11 an operator cancels a check of invoices with packages: it waits for an hour and says who canceled it, and goes on when it is retried", async () => {
  const desk = await openTrackingDesk({ env: SOON_CANCELED });
  const numbers = [];
  for (let at = 0; at < 6; at += 1) numbers.push(...(await desk.packages({ ageHours: 40 })));
  for (const TrackingNum of numbers) await desk.invoice({ TrackingNum });
  await desk.app.intuit.control("faults", { fault: "latency", ms: 20_000, count: 10 });
  await desk.turnOn();
  const admin = await openAdmin(desk.app);
  await desk.app.settle(2_500);
  const run = await admin.find("tracking.watch");
  expect(run.state).toBe("working");
  expect(await admin.steer(cancelRun, run)).toBe(200);
  const { problem, problem_at } = await until(desk.app.clock, desk.status, (status) => status.problem !== "");
  expect(problem).toBe(
    `The check was canceled by ${OPERATOR}. The next one is within an hour; you can check now.`,
  );
  const waiting = await until(
    desk.app.clock,
    () => admin.find("tracking.watch"),
    ({ state }) => state === "waiting",
  );
  const waitMs = Date.parse(waiting.due_at ?? "") - Date.parse(problem_at ?? "");
  expect(waitMs).toBe(3_600_000);
  await desk.app.intuit.control("faults", undefined, "DELETE");
  expect(await admin.steer(retryRun, waiting)).toBe(200);
  await until(
    desk.app.clock,
    desk.list,
    (list) => list.filter(({ state }) => state === "in_transit").length === numbers.length,
  );
  await until(desk.app.clock, desk.status, ({ problem: left }) => left === "");
  expect(await readTrail(desk.app, run)).toEqual([
    ["admin.cancel_run", { reason: "They asked us to" }],
    ["admin.retry_run", { reason: "They asked us to" }],
  ]);
}, 180_000);
