import { sql } from "kysely";
import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import type { StartedPayment } from "#features/billing/contract.ts";
import {
  clickActivate,
  clickAdd,
  listRows,
  listServices,
  openBilling,
  payByCard,
  readRow,
  runBilling,
  subscribe,
} from "../support/billing.ts";
import type { Browser } from "../support/browser.ts";
import { ACME } from "../support/intuit.ts";
import type { TestApp } from "../support/start-app.ts";
import { battery, printCounts } from "./support/battery.ts";

const run = battery({ short: 11, long: 33 });
const STATUSES = [400, 401, 402, 403, 404, 409, 429, 500, 502, 503, 504];
/** The SDK repeats a call once: one refusal stays below it, more reach the product. */
const TIMES = run.isLong ? [1, 2, 3] : [2];
const CALLS = ["/v1/customers", "/v1/subscriptions"];

/** Refuses in JSON what Stripe has done, and then the search for the result. */
async function refuse({ stripe }: TestApp, status: number, times: { made: number; looks: number }) {
  const made = CALLS.map((path) => ({
    fault: "json_refusal_after",
    method: "POST",
    path,
    status,
    times: times.made,
  }));
  const looks = {
    fault: "json_refusal",
    method: "GET",
    path: "/v1/subscriptions",
    status,
    // The search before anything is created.
    skip: 1,
    times: times.looks,
  };
  await stripe.control("faults", { rules: [...made, looks] });
}

/** Clicks until Stripe's answers come through again, as a user would. */
async function clickThrough(owner: Browser, more: { trial?: boolean }): Promise<StartedPayment> {
  for (let clicks = 0; clicks < 8; clicks += 1) {
    const reply = await clickAdd(owner, more);
    if (reply.status === 200) return reply.json() as StartedPayment;
    expect(reply.json()).toMatchObject({ status: 503, code: "stripe_unavailable" });
  }
  throw new Error("The payment was never started.");
}

async function counts({ stripe }: TestApp) {
  const count = async (kind: string) => (await stripe.objects(kind)).length;
  return {
    customers: await count("customer"),
    subscriptions: await count("subscription"),
    charges: await count("charge"),
  };
}

test(
  "behind a gateway that refuses in JSON what Stripe has done, with each status, once or more often, each payment is one subscription and one charge of the user's one customer",
  { timeout: run.timeout },
  async () => {
    const { app, owner } = await openBilling();
    let payments = 0;
    for (const status of STATUSES)
      for (const made of TIMES) {
        const looks = made === 1 ? 0 : 2;
        await refuse(app, status, { made, looks });
        const started = await clickThrough(owner, {});
        await payByCard(app, started.client_secret!);
        expect((await clickActivate(owner, started.subscription_id!)).status).toBe(200);
        expect([status, made, await listServices(owner)]).toEqual([status, made, ["tracking"]]);
        payments += 1;
        expect([status, made, await counts(app)]).toEqual([
          status,
          made,
          { customers: 1, subscriptions: payments, charges: payments },
        ]);
        // The next payment belongs to a company that has none, here and at Stripe.
        await app.stripe.api(`subscriptions/${started.subscription_id}`, undefined, "DELETE");
        for (const table of ["subscription", "subscription_attempt", "company_service", "billing_account"])
          await sql`delete from ${sql.table(table)}`.execute(app.db);
      }
    printCounts(run, "payment-gateway", { payments, ...(await counts(app)) });
  },
);

test("two trials behind such a gateway are one, and one is charged when it ends", async () => {
  const { app, owner, clock } = await openBilling();
  await readRow(owner);
  await refuse(app, 403, { made: 2, looks: 2 });
  await clickThrough(owner, { trial: true });
  const [trial] = await app.stripe.objects("subscription");
  const { customer } = trial as unknown as { customer: string };
  const card = await app.stripe.api("payment_methods/pm_card_visa/attach", { customer });
  await app.stripe.api(`customers/${customer}`, { "invoice_settings[default_payment_method]": card.id });
  clock.advance(15 * 24 * 3_600_000);
  await runBilling(app, "read-events");
  expect(await counts(app)).toEqual({ customers: 1, subscriptions: 1, charges: 1 });
});

test("a subscription created without our knowledge is found before another is created", async () => {
  const { app, owner } = await openBilling();
  const first = await subscribe(app, owner);
  const { customer } = await app.stripe.api<{ customer: string }>(`subscriptions/${first}`);
  await app.stripe.api(`subscriptions/${first}`, undefined, "DELETE");
  await runBilling(app, "sync-all");
  await app.stripe.control("settings", { deliveries: { off: true } }, "PATCH");
  const other = await makeByHand(app, customer);
  expect((await clickAdd(owner)).json()).toMatchObject({ subscription_id: other, client_secret: null });
  expect((await app.stripe.objects("subscription")).map(({ status }) => status)).toEqual([
    "active",
    "canceled",
  ]);
});

test("a second live subscription of one service is reported and ended", async () => {
  const { app, owner, lines, first, second } = await openWithTwo();
  await runBilling(app, "read-events");
  expect(await app.stripe.api(`subscriptions/${second}`)).toMatchObject({ status: "canceled" });
  expect(await app.stripe.api(`subscriptions/${first}`)).toMatchObject({ status: "active" });
  expect(await listRows(owner)).toMatchObject([{ subscription_id: first, status: "active" }]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { subscription: second, kept: first, realm: ACME },
  ]);
});

test("a live subscription replaces one that ended at Stripe, before its end is read", async () => {
  const { app, owner, lines, first, second } = await openWithTwo();
  await app.stripe.api(`subscriptions/${first}`, undefined, "DELETE");
  await runBilling(app, "read-events");
  expect(await app.stripe.api(`subscriptions/${second}`)).toMatchObject({ status: "active" });
  expect(await readRow(owner)).toMatchObject({ subscription_id: second, status: "active" });
  expect(lines).toEqual([]);
});

/** A paying company with a second subscription, made at Stripe, and the lines of the log of errors. */
async function openWithTwo() {
  const lines: string[] = [];
  const log = createLog("error", { write: (line) => lines.push(line) });
  const { app, owner, clock } = await openBilling({ log });
  const first = await subscribe(app, owner);
  const { customer } = await app.stripe.api<{ customer: string }>(`subscriptions/${first}`);
  // Stripe dates by the second, and the older of the two is kept.
  clock.advance(1000);
  const second = await makeByHand(app, customer);
  return { app, owner, lines, first, second };
}

/** A subscription of the service that is paid, and that no call of ours has made. */
async function makeByHand({ stripe }: TestApp, customer: string): Promise<string> {
  const [price] = await stripe.objects("price");
  const card = await stripe.api("payment_methods/pm_card_visa/attach", { customer });
  const made = await stripe.api("subscriptions", {
    customer,
    "items[0][price]": price!.id,
    default_payment_method: card.id,
    "metadata[realm_id]": ACME,
    "metadata[service]": "tracking",
  });
  return made.id;
}
