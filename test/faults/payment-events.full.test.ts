import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { deliver, fiveEvents, listServices, permutations, subscribe } from "../support/billing.ts";
import { createBrowser } from "../support/browser.ts";
import { driveIntuit } from "../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  runProduct,
  type Product,
  type ProductInstance,
} from "../support/run-product.ts";
import { driveStripe } from "../support/stripe.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { askDatabase } from "./support/kills.ts";

/** Number of orders tried, evenly spread over all 120; `billing-events` delivers all of them to a product that is not killed. */
const run = battery({ short: 6, long: 120 });
/** Each start takes seconds: in the short form few orders have a kill. */
const ORDERS_PER_KILL = run.isLong ? 1 : 3;
/** How many of an order's ten deliveries a kill is tried after. After later ones nothing new arrives, and the poll goes on. */
const KILLED_AT = run.isLong ? 10 : 8;
const KILL_WITHIN_MS = 60;
/** Every second kill strikes while the subscription is being read at Stripe. */
const KILLS_PER_READ = 2;
/** Products in parallel, each with its share of the orders. */
const PLACES = run.isLong ? 4 : 1;

test(
  `in ${run.times} orders of five events, each delivered twice, the records end up the same even if the product is killed and restarted meanwhile`,
  { timeout: run.timeout },
  async () => {
    const places = await Promise.all(Array.from({ length: PLACES }, (_, index) => deliverOrders(index)));
    const sum = (name: keyof Delivered) => places.reduce((total, place) => total + place[name], 0);
    printCounts(run, "payment-events", {
      orders: sum("orders"),
      kills: sum("kills"),
      "killed before the answer": sum("unanswered"),
      "killed while reading": sum("reading"),
      "slowest until settled, ms": Math.max(...places.map(({ slowestMs }) => slowestMs)),
    });
    expect(sum("orders")).toBe(run.times);
    expect(sum("reading")).toBeGreaterThanOrEqual(Math.floor(sum("kills") / KILLS_PER_READ));
  },
);

type Delivered = { orders: number; kills: number; unanswered: number; reading: number; slowestMs: number };

/** Delivers a share of the orders to a product of its own, and compares what each came to. */
async function deliverOrders(index: number): Promise<Delivered> {
  const place = await createInstance();
  const world = { place, product: await runProduct(place), random: seededRandom(run.seed + index) };
  const delivered = { orders: 0, kills: 0, unanswered: 0, reading: 0, slowestMs: 0 };
  try {
    const stripe = driveStripe(world.product.stripeUrl);
    const browser = createBrowser(world.product.url, driveIntuit(world.product.intuitUrl));
    // Only what the test delivers arrives, even after a restart.
    await stripe.control("settings", { deliveries: { off: true } }, "PATCH");
    await browser.signIn("owner@acme.example");
    const events = await fiveEvents({ stripe }, await subscribe({ stripe }, browser));
    const expected = await firstRecords(world, events);
    for (const [at, order] of pickOrders(events, index).entries()) {
      await askDatabase(place, FORGET);
      const twice = order.flatMap((event) => [event, event]);
      if (at % ORDERS_PER_KILL > 0) await deliverAll(world.product, twice);
      else {
        delivered.kills += 1;
        if (delivered.kills % KILLS_PER_READ > 0) delivered.unanswered += await deliverKilled(world, twice);
        else {
          delivered.reading += 1;
          await deliverWhileReading(world, twice);
        }
      }
      const startedAt = performance.now();
      expect({ order, records: await settled(place) }).toEqual({ order, records: expected });
      delivered.slowestMs = Math.max(delivered.slowestMs, Math.round(performance.now() - startedAt));
      expect(await listServices(browser)).toEqual(["tracking"]);
      delivered.orders += 1;
    }
    return delivered;
  } finally {
    await world.product.stop();
    await removeInstance(place);
  }
}

type Event = Awaited<ReturnType<typeof fiveEvents>>[number];
type World = { place: ProductInstance; product: Product; random: () => number };

/** Records of the events without a kill. */
async function firstRecords({ place, product }: World, events: readonly Event[]): Promise<object[]> {
  // The poll each minute follows up what was delivered, and finds nothing by itself.
  await askDatabase(place, NOTHING_TO_READ);
  await askDatabase(place, FORGET);
  await deliverAll(product, events);
  const records = await settled(place);
  expect(records).toMatchObject([{ status: "active", state: "active", ends: true }]);
  return records;
}

function pickOrders(events: readonly Event[], place: number): Event[][] {
  const all = permutations(events);
  const picked = all.filter((_, at) => at % Math.ceil(all.length / run.times) === 0);
  return picked.filter((_, at) => at % PLACES === place);
}

/** Kills the product during or after one of the deliveries. @returns how many it did not answer */
async function deliverKilled(world: World, events: readonly Event[]): Promise<number> {
  const at = Math.floor(world.random() * KILLED_AT);
  await deliverAll(world.product, events.slice(0, at));
  const answered = deliverAll(world.product, events.slice(at, at + 1)).then(
    () => true,
    () => false,
  );
  await wait(world.random() * KILL_WITHIN_MS);
  await world.product.kill();
  const wasAnswered = await answered;
  world.product = await runProduct(world.place);
  // Stripe delivers again each event that was not answered.
  await deliverAll(world.product, events.slice(wasAnswered ? at + 1 : at));
  return wasAnswered ? 0 : 1;
}

/** Kills the product while Stripe takes long to answer what the subscription is now. */
async function deliverWhileReading(world: World, events: readonly Event[]): Promise<void> {
  const at = 2 * Math.floor((world.random() * KILLED_AT) / 2);
  const stripe = driveStripe(world.product.stripeUrl);
  await deliverAll(world.product, events.slice(0, at));
  await stripe.control("faults", { fault: "latency", method: "GET", path: "/v1/subscriptions", ms: 120_000 });
  await deliverAll(world.product, events.slice(at, at + 1));
  const hits = async () =>
    (await stripe.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired ?? 0;
  await expect.poll(hits, { interval: 20, timeout: 120_000 }).toBeGreaterThan(0);
  await world.product.kill();
  world.product = await runProduct(world.place);
  await deliverAll(world.product, events.slice(at + 1));
}

async function deliverAll(product: Product, events: readonly Event[]): Promise<void> {
  for (const event of events) expect((await deliver(product, event)).status).toBe(200);
}

const NOTHING_TO_READ = `insert into stripe_cursor (read_until) values (now() + interval '1 day')
  on conflict (only_one) do update set read_until = excluded.read_until`;
const FORGET = "delete from subscription; delete from company_service; delete from stripe_event";
const STORED = "select count(*)::int as stored, count(handled_at)::int as handled from stripe_event";
const RECORDS = `select id, status, ends_at, period_end, service.service, state, until, reason, ends_at is not null as ends
  from subscription full join company_service as service using (realm_id)`;

/** The records, when everything that was delivered is followed up. */
async function settled(place: ProductInstance): Promise<object[]> {
  await expect
    .poll(() => askDatabase(place, STORED), { interval: 20, timeout: 120_000 })
    .toEqual([{ stored: 5, handled: 5 }]);
  return askDatabase(place, RECORDS);
}
