import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StartedPayment } from "#features/billing/contract.ts";
import { clickActivate, clickAdd, listServices, readRow } from "../support/billing.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  runProduct,
  type Product,
  type ProductInstance,
} from "../support/run-product.ts";
import { startApp } from "../support/start-app.ts";
import { driveStripe } from "../support/stripe.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { startSecondProcess } from "./support/second-process.ts";
import { payWhileKilled, type Paid } from "./support/paying-company.ts";

/** Where the product is killed: while it waits for this call, before Stripe has done it, or after. */
const MOMENTS = [
  ["POST", "/v1/customers", "latency"],
  ["POST", "/v1/customers", "drop_after"],
  ["POST", "/v1/subscriptions", "latency"],
  ["POST", "/v1/subscriptions", "drop_after"],
] as const;

describe("a product killed at any call of a payment resumes it at its next start: one customer, one subscription, one payment", () => {
  let place: ProductInstance;
  let product: Product;
  let browser: Browser;
  let stripe: ReturnType<typeof driveStripe>;

  beforeAll(async () => {
    place = await createInstance();
    product = await runProduct(place);
    stripe = driveStripe(product.stripeUrl);
    browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await browser.signIn("owner@acme.example");
  });
  afterAll(async () => {
    await product.stop();
    await removeInstance(place);
  });

  const killDuring = async (
    [method, path, fault]: readonly [string, string, string],
    click: () => Promise<unknown>,
  ): Promise<void> => {
    await stripe.control("faults", { fault, method, path, ms: 60_000 });
    const clicked = click().catch(() => null);
    const hits = async () => {
      const { rules } = await stripe.control<{ rules: { fired: number }[] }>("faults");
      return rules.reduce((sum, { fired }) => sum + fired, 0);
    };
    await expect.poll(hits, { interval: 20 }).toBeGreaterThan(0);
    await product.kill();
    await clicked;
    product = await runProduct(place);
  };
  const count = async (kind: string) => (await stripe.objects(kind)).length;

  // One payment: each kill is a test of its own, because starts take long on a busy machine.
  test.each(MOMENTS)("%s %s, %s", async (...moment) => {
    await killDuring(moment, () => clickAdd(browser));
    for (const kind of ["customer", "subscription"]) expect(await count(kind), kind).toBeLessThanOrEqual(1);
  });

  test("the activation", async () => {
    const started = (await clickAdd(browser)).json() as StartedPayment;
    const intent = started.client_secret?.split("_secret_")[0];
    await stripe.api(`payment_intents/${intent}/confirm`, { payment_method: "pm_card_visa" });
    const activate = () => clickActivate(browser, started.subscription_id ?? "");
    await killDuring(["GET", "/v1/subscriptions", "latency"], activate);
    expect((await activate()).json()).toMatchObject({ status: "active" });
    expect(await listServices(browser)).toEqual(["tracking"]);
    expect((await clickAdd(browser)).json()).toMatchObject({ status: "paid", client_secret: null });
    for (const kind of ["customer", "subscription", "charge"])
      expect([kind, await count(kind)]).toEqual([kind, 1]);
  });
});

const run = battery({ short: 2, long: 200 });
/** Products in parallel, each with its own company. */
const PLACES = run.isLong ? 4 : 1;

test(
  `killed ${run.times} times between Add, the payment and activation, no user pays twice and no paying user is locked out`,
  { timeout: run.timeout },
  async () => {
    const outcomes = await Promise.all(
      Array.from({ length: PLACES }, (_, place) =>
        payWhileKilled(Math.ceil(run.times / PLACES), seededRandom(run.seed + place)),
      ),
    );
    const sum = (name: keyof Paid) => outcomes.reduce((total, outcome) => total + outcome[name], 0);
    printCounts(run, "payments", {
      kills: sum("kills"),
      payments: sum("payments"),
      charges: sum("charges"),
      doubled: sum("doubled"),
      "locked out": sum("locked out"),
      customers: sum("customers"),
      "slowest until on, ms": Math.max(...outcomes.map((outcome) => outcome["slowest until on, ms"])),
    });
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        charges: outcome.payments,
        subscriptions: outcome.payments,
        customers: 1,
        doubled: 0,
        "locked out": 0,
      });
  },
);

test("clicks on Add in two processes at once end in one customer and one subscription, and a stalled payment delays the other process only for seconds", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await readRow(owner);
  const other = await (await startSecondProcess(app)).browserLike(owner);
  const clicks = [owner, other].flatMap((browser) => Array.from({ length: 5 }, () => clickAdd(browser)));
  const statuses = (await Promise.all(clicks)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  expect(await app.stripe.objects("customer")).toHaveLength(1);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
  await app.stripe.control("faults", {
    fault: "latency",
    method: "GET",
    path: "/v1/subscriptions",
    ms: 10_000,
  });
  const goOn = app.clock.stand();
  const slow = clickAdd(owner);
  await app.settle(0);
  const { rows: locks } = await sql`select from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`.execute(app.db);
  expect(locks).toHaveLength(1);
  const busy = await clickAdd(other);
  expect([busy.status, (busy.json() as { code?: string }).code]).toEqual([503, "payment_busy"]);
  goOn();
  await app.stripe.control("faults", undefined, "DELETE");
  expect((await slow).status).toBe(200);
  expect((await clickAdd(other)).status).toBe(200);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
});
