import { setTimeout as wait } from "node:timers/promises";
import type { StartedPayment, SubscriptionRow } from "#features/billing/contract.ts";
import { clickActivate, clickAdd, listServices } from "../../support/billing.ts";
import { createBrowser, type Browser, type Reply } from "../../support/browser.ts";
import { driveIntuit } from "../../support/intuit.ts";
import {
  createInstance,
  removeInstance,
  runProduct,
  type Product,
  type ProductInstance,
} from "../../support/run-product.ts";
import { driveStripe, type StripeSimulator } from "../../support/stripe.ts";

const OWNER = "owner@acme.example";
/** Between two tries of a user whose product is down. */
const AGAIN_MS = 50;
const CALL_MS = 200;

/** Outcome of a company that pays again and again while its product is killed. */
export type Paid = {
  kills: number;
  payments: number;
  charges: number;
  subscriptions: number;
  customers: number;
  /** Payments that took more than one charge, or left two subscriptions alive. */
  doubled: number;
  /** Payments after which the service was not on. */
  "locked out": number;
  "slowest until on, ms": number;
};

/** Pays for a service in a product that is killed once during each payment, at a random moment of it. */
export async function payWhileKilled(kills: number, random: () => number): Promise<Paid> {
  const place = await createInstance();
  const product = await runProduct(place);
  const stripe = driveStripe(product.stripeUrl);
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  const world: World = { place, product, stripe, browser, random };
  const paid = { kills: 0, payments: 0, doubled: 0, "locked out": 0, "slowest until on, ms": 0 };
  try {
    await browser.signIn(OWNER);
    // How long a payment takes without a kill is how long the moments are spread over.
    let tookMs = await payOnce(world);
    paid.payments += 1;
    while (paid.kills < kills) {
      await endAll(stripe);
      const { struck, ms } = await payKilled(world, tookMs * 1.2);
      paid.payments += 1;
      if (struck) paid.kills += 1;
      else tookMs = ms;
      paid["slowest until on, ms"] = Math.max(paid["slowest until on, ms"], Math.round(ms));
      const alive = (await stripe.objects("subscription")).filter(({ status }) => !ENDED.has(status));
      const charges = await countCharges(stripe);
      if (alive.length > 1 || charges > paid.payments) paid.doubled += 1;
      if (!(await listServices(browser)).includes("tracking")) paid["locked out"] += 1;
    }
    return {
      ...paid,
      charges: await countCharges(stripe),
      subscriptions: (await stripe.objects("subscription")).length,
      customers: (await stripe.objects("customer")).length,
    };
  } finally {
    await world.product.stop();
    await removeInstance(place);
  }
}

type World = {
  place: ProductInstance;
  product: Product;
  stripe: StripeSimulator;
  browser: Browser;
  random: () => number;
};

export const ENDED: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);

export const countCharges = async (stripe: StripeSimulator) =>
  (await stripe.objects("charge")).filter(({ status }) => status === "succeeded").length;

/** @returns whether the kill struck while the payment was under way, and how long it took until the service was on */
async function payKilled(world: World, longestMs: number): Promise<{ struck: boolean; ms: number }> {
  let isOver = false;
  const paying = payOnce(world).finally(() => {
    isOver = true;
  });
  await wait(world.random() * longestMs);
  const struck = !isOver;
  await world.product.kill();
  world.product = await startAgain(world.place);
  return { struck, ms: await paying };
}

/** While it is down, another program on this machine may have its port for a moment. */
async function startAgain(place: ProductInstance): Promise<Product> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await runProduct(place);
    } catch (error) {
      if (tries === 20 || !String(error).includes("EADDRINUSE")) throw error;
      await wait(1_000);
    }
  }
}

/** Clicks Add, pays by card, comes back; a step that fails is tried again, as a user would. @returns how long it took */
async function payOnce(world: World): Promise<number> {
  const startedAt = performance.now();
  await payUntilOn(world, () => slowDown(world));
  return performance.now() - startedAt;
}

/** The same for a product that is not killed. @param before called before each try */
export async function payUntilOn(
  { stripe, browser }: Pick<World, "stripe" | "browser">,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (;;) {
    try {
      await before();
      const started = parse<StartedPayment>(await clickAdd(browser));
      if (started.status === "paid") break;
      await payByCard(stripe, started.client_secret ?? "");
      const row = parse<SubscriptionRow>(await clickActivate(browser, started.subscription_id ?? ""));
      if (row.status === "active") break;
    } catch {
      await wait(AGAIN_MS);
    }
  }
}

function parse<T>(reply: Reply): T {
  if (reply.status !== 200) throw new Error(`Answered ${reply.status}.`);
  return reply.json() as T;
}

async function payByCard(stripe: StripeSimulator, secret: string): Promise<void> {
  const path = `payment_intents/${secret.split("_secret_")[0]}`;
  const { status } = await stripe.api(path);
  if (status !== "succeeded") await stripe.api(`${path}/confirm`, { payment_method: "pm_card_visa" });
}

/** A Stripe as slow as the real one, which loses some answers, so that kills strike between and during its calls. */
async function slowDown({ stripe, random }: World): Promise<void> {
  const { rules } = await stripe.control<{ rules: object[] }>("faults");
  if (rules.length > 0) return;
  const lost = { fault: "drop_after", method: "POST", path: "/v1/subscriptions", times: 2 };
  const slow = { fault: "latency", ms: CALL_MS, path: "/v1/" };
  await stripe.control("faults", { rules: random() < 0.2 ? [lost, slow] : [slow] });
}

export async function endAll(stripe: StripeSimulator): Promise<void> {
  for (const { id, status } of await stripe.objects("subscription"))
    if (!ENDED.has(status)) await stripe.api(`subscriptions/${id}`, undefined, "DELETE");
}
