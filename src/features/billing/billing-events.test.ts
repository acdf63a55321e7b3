import { sql } from "kysely";
import { expect, test } from "vitest";
import type { StartedPayment } from "#features/billing/contract.ts";
import {
  clickAdd,
  deliver,
  fiveEvents,
  listServices,
  permutations,
  payByCard,
  readRow,
  runBilling,
  subscribe,
} from "../../../test/support/billing.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { everyNth } from "../../../test/support/rules/every-nth.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";

const readRecord = async (app: TestApp) => {
  const subscriptions = await sql`select id, status, ends_at, period_end from subscription`.execute(app.db);
  const services = await sql`select service, state, until, source, reason from company_service`.execute(
    app.db,
  );
  return { subscriptions: subscriptions.rows, services: services.rows };
};

test("in any order of five events, each delivered twice, the records end up the same", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  const events = await fiveEvents(app, id);
  await runBilling(app, "sync-all");
  const expected = await readRecord(app);
  expect(expected.subscriptions).toHaveLength(1);
  const orders = permutations(events);
  expect(orders).toHaveLength(120);
  for (const [at, order] of everyNth(orders, 9).entries()) {
    await sql`delete from subscription`.execute(app.db);
    await sql`delete from company_service`.execute(app.db);
    await sql`delete from stripe_event`.execute(app.db);
    for (const event of order.flatMap((each) => [each, each]))
      expect((await deliver(app, event)).status).toBe(200);
    // Halfway through some, as a worker that starts again would.
    if (at % 10 === 0) await runBilling(app, "sync-events");
    await runBilling(app, "sync-events");
    expect(await readRecord(app)).toEqual(expected);
  }
  const stored = await sql`select from stripe_event`.execute(app.db);
  expect(stored.rows).toHaveLength(5);
});

test("what was canceled stays off in all 6 orders of its creation, change and end, each delivered ten times at once; while nothing can be stored Stripe is asked to redeliver", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  await app.stripe.api(`subscriptions/${id}`, { description: "Changed" });
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  const { data } = await app.stripe.api<{ data: { type: string }[] }>("events?limit=100");
  const events = ["created", "updated", "deleted"].map((what) =>
    data.find(({ type }) => type === `customer.subscription.${what}`)!,
  );
  await runBilling(app, "sync-all");
  const expected = await readRecord(app);
  expect(expected).toMatchObject({ subscriptions: [{ status: "canceled" }], services: [{ state: "ended" }] });
  for (const order of permutations(events)) {
    await sql`delete from stripe_event`.execute(app.db);
    for (const event of order) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => deliver(app, event)));
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
      await runBilling(app, "sync-events");
      expect(await readRecord(app)).toEqual(expected);
      expect(await listServices(owner)).toEqual([]);
    }
    expect((await sql`select from stripe_event`.execute(app.db)).rows).toHaveLength(3);
  }
  await sql`delete from stripe_event`.execute(app.db);
  await sql`alter table stripe_event rename to stripe_event_away`.execute(app.db);
  expect((await deliver(app, events[0]!)).status).toBeGreaterThanOrEqual(500);
  await sql`alter table stripe_event_away rename to stripe_event`.execute(app.db);
  expect((await deliver(app, events[0]!)).status).toBe(200);
});

test("a body or a signature that proves nothing is refused and leaves no trace; either of two secrets proves it", async () => {
  const env = { STRIPE_WEBHOOK_SECRETS: "whsec_new,whsec_old" };
  const app = await startApp({ worker: false, env });
  await app.owner(ACME);
  const event = {
    id: "evt_1",
    type: "product.updated",
    created: 1,
    livemode: false,
    api_version: "2023-10-16",
    data: { object: { object: "product", id: "prod_1" } },
  };
  const now = Math.floor(app.clock.now().getTime() / 1000);
  const forged = [
    { secret: "whsec_wrong" },
    { secret: "whsec_new", at: now - 400 },
    // The SDK's own check accepts any time in the future.
    { secret: "whsec_new", at: now + 400 },
    { secret: "whsec_new", body: JSON.stringify({ ...event, id: "evt_2" }) },
    { signature: "" },
    { signature: `t=${now}` },
    { signature: `t=${now},v1=` },
    { signature: `t=${now},v0=abc` },
  ];
  for (const each of forged) expect([each, (await deliver(app, event, each)).status]).toEqual([each, 400]);
  expect((await deliver(app, { ...event, livemode: true }, { secret: "whsec_new" })).status).toBe(400);
  expect((await deliver(app, { nothing: true }, { secret: "whsec_new" })).status).toBe(400);
  const huge = { ...event, more: "x".repeat(300_000) };
  expect((await deliver(app, huge, { secret: "whsec_new" })).status).toBe(413);
  expect((await sql`select from stripe_event`.execute(app.db)).rows).toEqual([]);
  for (const secret of ["whsec_new", "whsec_old"])
    expect((await deliver(app, { ...event, id: `evt_${secret}` }, { secret })).status).toBe(200);
  expect((await sql`select from stripe_event`.execute(app.db)).rows).toHaveLength(2);
});

test("an event about something without an id is accepted and holds up no others", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  await runBilling(app, "read-events");
  const about = (type: string, object: object) => ({
    id: `evt_${type.replace(".", "_")}`,
    type,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    api_version: "2023-10-16",
    data: { object },
  });
  const events = [
    about("balance.available", { object: "balance", available: [] }),
    about("invoice.upcoming", { object: "invoice", subscription: id }),
  ];
  for (const event of events) expect((await deliver(app, event)).status).toBe(200);
  const stored =
    await sql`select type, subject_id from stripe_event where type in ('balance.available', 'invoice.upcoming')
    order by type`.execute(app.db);
  expect(stored.rows).toEqual([
    { type: "balance.available", subject_id: null },
    { type: "invoice.upcoming", subject_id: id },
  ]);
});

test("what can't be followed up holds up nothing newer, and a Stripe that doesn't answer is not asked for all of it", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  // More than one poll reads.
  await sql`insert into stripe_event (id, type, subject_kind, subject_id, created_at, received_at, received_by)
    select 'evt_broken_' || n, 'customer.subscription.updated', 'subscription', 'sub_broken_' || n, at, at, 'webhook'
    from generate_series(1, 250) n, (select now() - interval '1 hour' as at) earlier`.execute(app.db);
  await app.stripe.control("faults", { fault: "server_error", path: "/v1/subscriptions/sub_broken" });
  await app.stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
  const [changed] = (await app.stripe.api<{ data: { id: string }[] }>("events?limit=1")).data;
  expect((await deliver(app, changed!)).status).toBe(200);
  await expect(runBilling(app, "sync-events")).rejects.toThrow("Events could not be followed up");
  const { rows } = await sql`select ends_at is not null as is_planned from subscription`.execute(app.db);
  expect(rows).toEqual([{ is_planned: true }]);
  const { rules } = await app.stripe.control<{ rules: { fired: number }[] }>("faults");
  // Each of ten is requested twice.
  expect(rules.map(({ fired }) => fired)).toEqual([20]);
});

test("nine subscriptions that can never be read hold up no older change", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  await app.stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
  const [changed] = (await app.stripe.api<{ data: { id: string }[] }>("events?limit=1")).data;
  expect((await deliver(app, changed!)).status).toBe(200);
  await sql`insert into stripe_event (id, type, subject_kind, subject_id, created_at, received_at, received_by)
    select 'evt_broken_' || n, 'customer.subscription.updated', 'subscription', 'sub_broken_' || n, at, at, 'webhook'
    from generate_series(1, 9) n, (select now() + interval '1 hour' as at) later`.execute(app.db);
  await app.stripe.control("faults", { fault: "server_error", path: "/v1/subscriptions/sub_broken" });
  await expect(runBilling(app, "sync-events")).rejects.toThrow("Events could not be followed up");
  const { rows } = await sql`select ends_at is not null as is_planned from subscription`.execute(app.db);
  expect(rows).toEqual([{ is_planned: true }]);
});

test("an event about another company's subscription, or about no company's, changes nothing", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await subscribe(app, owner);
  const before = await readRecord(app);
  const stranger = await app.stripe.api("customers", { name: "Stranger" });
  const { price_id } = await readRow(owner);
  const forged = await app.stripe.api("subscriptions", {
    customer: stranger.id,
    "items[0][price]": price_id,
    payment_behavior: "default_incomplete",
    "metadata[realm_id]": ACME,
    "metadata[service]": "tracking",
  });
  await app.stripe.api(`subscriptions/${forged.id}`, undefined, "DELETE");
  await runBilling(app, "read-events");
  expect(await readRecord(app)).toEqual(before);
});

test("UP-03 with webhooks the service is on even if the user never comes back from the payment", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  await app.stripe.control("webhooks", { url: `${app.url}/stripe/webhook`, secret: "whsec_dockside" });
  await app.stripe.control("settings", { deliveries: { off: false, duplicates: 2, shuffle: true } }, "PATCH");
  const started = (await clickAdd(owner)).json() as StartedPayment;
  await payByCard(app, started.client_secret!);
  await app.settle();
  expect(await listServices(owner)).toEqual(["tracking"]);
});

test("without webhooks the check of Stripe's events finds the payment, and the nightly check finds what even that missed", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const started = (await clickAdd(owner)).json() as StartedPayment;
  await payByCard(app, started.client_secret!);
  expect(await listServices(owner)).toEqual([]);
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual(["tracking"]);
  await runBilling(app, "read-events");
  await app.stripe.api(`subscriptions/${started.subscription_id}`, undefined, "DELETE");
  await sql`update stripe_cursor set read_until = now() + interval '1 day'`.execute(app.db);
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual(["tracking"]);
  await runBilling(app, "sync-all");
  expect(await listServices(owner)).toEqual([]);
});

test("after an outage with more events than one check reads, the oldest of them is followed up too", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const id = await subscribe(app, owner);
  await runBilling(app, "read-events");
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  // Newer ones, about nothing of ours; Stripe lists the newest first.
  const [intent] = await app.stripe.objects("payment_intent");
  for (let count = 0; count < 1_001; count += 1)
    await app.stripe.control("emit", { id: intent!.id, type: "payment_intent.processing" });
  // One of the reads that follow fails; the rest is remembered with what was read.
  const broken = { fault: "drop", method: "GET", path: "/v1/subscriptions" };
  await app.stripe.control("faults", broken);
  await runBilling(app, "read-events").catch(() => null);
  await app.stripe.control("faults", undefined, "DELETE");
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual(["tracking"]);
  await app.work();
  await app.settle();
  expect(await listServices(owner)).toEqual([]);
});
