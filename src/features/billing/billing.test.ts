import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  activateSubscription,
  listPayments,
  openPortal,
  startPayment,
  takeOverBilling,
  type StartedPayment,
} from "#features/billing/contract.ts";
import { priceText } from "#features/billing/sentences.ts";
import {
  changeService,
  changeSettings,
  disconnectCompany,
  handOver,
  listCompanies,
  type CompanyView,
} from "#features/companies/contract.ts";
import {
  clickActivate,
  clickAdd,
  findPayer,
  listRows,
  listServices,
  openBilling,
  payByCard,
  readRow,
  runBilling,
  spoilCard,
  subscribe,
} from "../../../test/support/billing.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { backUpApp } from "../../../test/support/older-backup.ts";
import { grantTracking, joinAs } from "../../../test/support/members.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";

const ABOUT = { query: { realm_id: ACME } };
const DAY_MS = 24 * 3_600_000;

const open = async (options: Parameters<typeof startApp>[0] = {}): Promise<[TestApp, Browser]> => {
  const app = await startApp({ worker: false, ...options });
  return [app, await app.owner(ACME)];
};

const readPayments = async (browser: Browser) => (await browser.call(listPayments)).json();

const readSecret = async (reply: Promise<{ json(): unknown }>): Promise<StartedPayment> =>
  (await reply).json() as StartedPayment;

test("SV-01 PY-01 PY-02 AP-18 AP-19 AP-20 GEN-08 a service is shown with its price, paid for, and on as soon as its payment is activated", async () => {
  const [app, owner] = await open();
  const row = {
    subscription_id: null,
    price_id: expect.stringMatching(/^price_/),
    product_name: "Tracking Service",
    product_description: "Tracking and proof of delivery on your invoices",
    rate: 2900,
    interval: "month",
    is_for_sale: true,
    service: "tracking",
    status: "none",
    end_date: null,
    grace_ends: null,
    trial_days: 14,
  };
  expect(await listRows(owner)).toEqual([row]);
  expect(await findPayer(owner)).toEqual({ payer: null, is_payer: true });
  const started = await readSecret(clickAdd(owner));
  // Seconds, not milliseconds: the next renewal is a month away.
  const days = (started.end_date! * 1000 - Date.now()) / DAY_MS;
  expect([days > 27, days < 32]).toEqual([true, true]);
  expect(started).toEqual({
    ...row,
    subscription_id: expect.stringMatching(/^sub_/),
    status: "incomplete",
    end_date: expect.any(Number),
    client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
  });
  expect(await listServices(owner)).toEqual([]);
  const readAttach = async () =>
    ((await owner.call(listCompanies)).json() as { companies: CompanyView[] }).companies.find(
      ({ id }) => id === ACME,
    )?.settings?.attach_pods;
  expect(await readAttach()).toBe("false");
  await payByCard(app, started.client_secret!);
  const active = await clickActivate(owner, started.subscription_id!);
  expect([active.status, active.json()]).toEqual([
    200,
    {
      ...row,
      subscription_id: started.subscription_id,
      status: "active",
      end_date: expect.any(Number),
      trial_days: 0,
    },
  ]);
  expect(await listServices(owner)).toEqual(["tracking"]);
  // The first payment attaches proofs; what is chosen after it stays.
  expect(await readAttach()).toBe("true");
  await owner.call(changeSettings, { ...ABOUT, json: { attach_pods: "false" } });
  await clickActivate(owner, started.subscription_id!);
  expect(await readAttach()).toBe("false");
});

test("a first payment changes no choice about proofs that a company with the granted service made", async () => {
  const [app, owner] = await open();
  await grantTracking(app.db, ACME);
  for (const attach_pods of ["true", "false"])
    await owner.call(changeSettings, { ...ABOUT, json: { attach_pods } });
  const started = await readSecret(clickAdd(owner));
  await payByCard(app, started.client_secret!);
  expect((await clickActivate(owner, started.subscription_id!)).status).toBe(200);
  const { companies } = (await owner.call(listCompanies)).json() as { companies: CompanyView[] };
  expect(companies.find(({ id }) => id === ACME)?.settings?.attach_pods).toBe("false");
});

test("20 clicks at once and two tabs lead to one customer, one subscription and one payment", async () => {
  const [app, owner] = await open();
  const { price_id } = await readRow(owner);
  const click = () => owner.call(startPayment, { ...ABOUT, json: { price_id } });
  const replies = await Promise.all(Array.from({ length: 20 }, click));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const started = replies.map((reply) => reply.json() as StartedPayment);
  expect(new Set(started.map(({ client_secret: secret }) => secret)).size).toBe(1);
  expect(new Set(started.map(({ subscription_id: id }) => id)).size).toBe(1);
  expect(await app.stripe.objects("customer")).toHaveLength(1);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
  await payByCard(app, started[0]!.client_secret!);
  const later = (await click()).json() as StartedPayment;
  expect([later.status, later.client_secret]).toEqual(["paid", null]);
  expect(await app.stripe.objects("charge")).toHaveLength(1);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
});

test("a company that first paid after the backup that was restored has its subscription back with one click, and pays nothing twice", async () => {
  const [app, owner] = await open();
  const putBack = await backUpApp(app);
  const id = await subscribe(app, owner);
  expect(await putBack()).toMatch(
    /\n- Paid services that were added after \S+Z are off, and still charged: .* chooses Add once\./,
  );
  await owner.signIn("owner@acme.example");
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual([]);
  expect(await readSecret(clickAdd(owner))).toMatchObject({
    status: "paid",
    client_secret: null,
    subscription_id: id,
  });
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect(await app.stripe.objects("customer")).toHaveLength(1);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
});

test("a payment that Stripe doesn't confirm when it is activated is not said to have charged nothing", async () => {
  const [app, owner] = await open();
  const { subscription_id: id, client_secret: secret } = await readSecret(clickAdd(owner));
  await payByCard(app, secret!);
  await app.stripe.control("faults", { fault: "drop", path: "/v1/subscriptions" });
  expect((await clickActivate(owner, id!)).json()).toMatchObject({
    status: 503,
    code: "stripe_unavailable",
    detail: "Stripe didn't answer. Try again in a minute; nothing is charged twice.",
  });
});

test("PC-06 PC-10 AP-20 none of 50 tampered activations turns anything on, and ten genuine ones change nothing more", async () => {
  const [app, owner] = await open();
  const other = await app.owner(BAY, "platform@dockside.example");
  const theirs = await readSecret(clickAdd(other, {}, BAY));
  await payByCard(app, theirs.client_secret!);
  const mine = await readSecret(clickAdd(owner));
  const ids = [mine.subscription_id!, theirs.subscription_id!, "sub_none", "' or 1=1", "../customers"];
  const bodies = ids.flatMap((subscription_id) =>
    ["active", "succeeded", "paid", "trialing", "canceled"].flatMap((status) => [
      { subscription_id, status },
      { subscription_id, status, realm_id: BAY, service: "tracking", rate: 0, end_date: 9e9 },
    ]),
  );
  expect(bodies).toHaveLength(50);
  for (const json of bodies) {
    const { status } = await owner.call(activateSubscription, { ...ABOUT, json });
    expect([json, status]).toEqual([json, json.subscription_id === mine.subscription_id ? 200 : 404]);
  }
  expect(await listServices(owner)).toEqual([]);
  expect((await readRow(owner)).status).toBe("incomplete");
  await payByCard(app, mine.client_secret!);
  for (let count = 0; count < 10; count += 1)
    expect((await clickActivate(owner, mine.subscription_id!)).json()).toMatchObject({ status: "active" });
  const { rows } = await sql`select from audit_entry where action = 'billing.activate'`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test("a price due every 3 months is described that way, and not as due each month", async () => {
  const [app, owner] = await open();
  const [monthly] = await app.stripe.objects("price");
  const every = { "recurring[interval]": "month", "recurring[interval_count]": "3" };
  const product = String(monthly!["product"]);
  await app.stripe.api("prices", { product, currency: "usd", unit_amount: "8000", ...every });
  await runBilling(app, "read-events");
  const subscriptions = await listRows(owner);
  expect(subscriptions.map(priceOf)).toEqual([
    [2900, "month", "$29.00 a month"],
    [8000, "3 months", "$80.00 every 3 months"],
  ]);
});

const priceOf = ({ rate, interval }: { rate: number; interval: string }) => [
  rate,
  interval,
  priceText({ cents: rate, interval }),
];

test("PY-01 a payment is started from a price or a subscription, of this company only", async () => {
  const [app, owner] = await open();
  const pay = (json: object) => owner.call(startPayment, { ...ABOUT, json });
  const { subscription_id, client_secret } = await readSecret(clickAdd(owner));
  const again = await pay({ subscription_id });
  expect([again.status, again.json()]).toMatchObject([200, { subscription_id, client_secret }]);
  const other = await app.owner(BAY, "platform@dockside.example");
  const theirs = await readSecret(clickAdd(other, {}, BAY));
  for (const wrong of [theirs.subscription_id, "sub_none"])
    expect((await pay({ subscription_id: wrong })).status).toBe(404);
  for (const none of [{}, { subscription_id: null }, { subscription_id: "" }, { rate: 2900 }])
    expect((await pay(none)).status).toBe(400);
});

test("a price that is not sold is not found, and nothing about a price is taken from the browser", async () => {
  const [app, owner] = await open();
  const { price_id } = await readRow(owner);
  const pay = (json: object) => owner.call(startPayment, { ...ABOUT, json });
  for (const wrong of ["price_none", "x".repeat(200)])
    expect((await pay({ price_id: wrong })).status).toBe(404);
  const product = await app.stripe.api("products", { name: "Other", "metadata[app]": "another" });
  const foreign = { product: product.id, currency: "usd", unit_amount: "1", "recurring[interval]": "month" };
  expect((await pay({ price_id: (await app.stripe.api("prices", foreign)).id })).status).toBe(404);
  const cheap = (await pay({ price_id, rate: 1, status: "active", end_date: 1 })).json();
  expect(cheap).toMatchObject({ rate: 2900, status: "incomplete" });
  expect((await app.stripe.objects("payment_intent"))[0]).toMatchObject({ amount: 2900 });
});

test("PY-03 a trial needs no card, is available once per company and service, and ends by itself; a payment form left open takes no money during it", async () => {
  const { app, owner, passDays } = await openBilling();
  const left = await readSecret(clickAdd(owner));
  const trial = await readSecret(clickAdd(owner, { trial: true }));
  expect([trial.status, trial.client_secret]).toEqual(["paid", null]);
  await expect(payByCard(app, left.client_secret!)).rejects.toThrow(/has a status of canceled/);
  expect(await app.stripe.objects("charge")).toEqual([]);
  expect(await readRow(owner)).toMatchObject({ status: "trialing", trial_days: 0 });
  expect(await listServices(owner)).toEqual(["tracking"]);
  await passDays(13);
  expect(await listServices(owner)).toEqual(["tracking"]);
  await passDays(2);
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual([]);
  expect(await readRow(owner)).toMatchObject({ status: "canceled", trial_days: 0 });
  const again = await clickAdd(owner, { trial: true });
  expect([again.status, (again.json() as { code: string }).code]).toEqual([409, "trial_taken"]);
  expect((await readSecret(clickAdd(owner))).client_secret).not.toBeNull();
});

test("with an unpaid renewal the service is on for 14 days and says until when, then off; the next unpaid one gives no new days, and a new card turns it on", async () => {
  const { app, owner, passDays } = await openBilling();
  await app.stripe.control("settings", { dunning: "past_due" }, "PATCH");
  const id = await subscribe(app, owner);
  await spoilCard(app, id);
  await passDays(32);
  await runBilling(app, "read-events");
  const late = await readRow(owner);
  expect(late.status).toBe("past_due");
  expect(late.grace_ends! * 1000 - Date.now()).toBeGreaterThan(40 * DAY_MS);
  expect(await listServices(owner)).toEqual(["tracking"]);
  await passDays(15);
  expect(await listServices(owner)).toEqual([]);
  expect(await readRow(owner)).toMatchObject({ status: "past_due", grace_ends: null });
  await passDays(16);
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual([]);
  expect((await app.stripe.objects("invoice")).map(({ status }) => status)).toEqual(["open", "open", "paid"]);
  const due = await readSecret(clickAdd(owner));
  expect(due.subscription_id).toBe(id);
  await payByCard(app, due.client_secret!);
  await clickActivate(owner, id);
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect((await app.stripe.objects("subscription")).map(({ status }) => status)).toEqual(["active"]);
});

test("a company whose renewal Stripe has given up on, with drafts since, pays for a new subscription instead", async () => {
  const { app, owner, passDays } = await openBilling();
  await app.stripe.control("settings", { dunning: "unpaid" }, "PATCH");
  const id = await subscribe(app, owner);
  await spoilCard(app, id);
  await passDays(92);
  await runBilling(app, "read-events");
  expect((await readRow(owner)).status).toBe("unpaid");
  const invoices = (await app.stripe.objects("invoice")).map(({ status }) => status);
  expect(invoices).toEqual(["draft", "draft", "open", "paid"]);
  const listOpen = async () =>
    (await app.stripe.objects("invoice")).filter(({ status }) => status === "open");
  expect(await listOpen()).toHaveLength(1);
  expect(await subscribe(app, owner)).not.toBe(id);
  expect(await listServices(owner)).toEqual(["tracking"]);
  const statuses = (await app.stripe.objects("subscription")).map(({ status }) => status);
  expect(statuses).toEqual(["active", "canceled"]);
  expect(await listOpen()).toEqual([]);
});

test("SV-06 what was granted is separate from what is paid: the end of one does not end the other", async () => {
  const { app, owner, passDays } = await openBilling();
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  const grant = (state: string, until: string | null) =>
    operator.call(changeService, {
      json: { realm_id: ACME, service: "tracking", state, until, reason: "Thank you" },
    });
  const granted = await grant("active", new Date(Date.now() + 5 * DAY_MS).toISOString());
  expect(granted.status).toBe(200);
  expect(await readRow(owner)).toMatchObject({ status: "active", subscription_id: null });
  const id = await subscribe(app, owner);
  expect(await readRow(owner)).toMatchObject({ status: "active", subscription_id: id });
  await passDays(6);
  expect(await listServices(owner)).toEqual(["tracking"]);
  await operator.signIn("platform@dockside.example");
  await grant("ended", null);
  expect(await listServices(owner)).toEqual(["tracking"]);
  await grant("active", null);
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await runBilling(app, "sync-all");
  expect(await readRow(owner)).toMatchObject({ status: "active", subscription_id: null });
  expect(await listServices(owner)).toEqual(["tracking"]);
});

test("SV-08 AP-21 AP-31 the portal opens for the payer, on the payment provider's own pages; a scheduled cancellation is shown and can be withdrawn", async () => {
  const [app, owner] = await open();
  expect((await owner.call(openPortal, ABOUT)).status).toBe(404);
  const id = await subscribe(app, owner);
  const { redirect } = (await owner.call(openPortal, { headers: { "x-realm-id": ACME } })).json() as {
    redirect: string;
  };
  expect(redirect).toMatch(new RegExp(`^${app.stripe.url}/p/session/`));
  expect(await (await fetch(redirect)).text()).toContain(`${app.url}/settings/`);
  await fetch(redirect, { method: "POST", body: new URLSearchParams({ act: "cancel", subscription: id }) });
  await runBilling(app, "read-events");
  expect(await readRow(owner)).toMatchObject({ status: "canceling", end_date: expect.any(Number) });
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect((await readSecret(clickAdd(owner))).status).toBe("paid");
  expect(await readRow(owner)).toMatchObject({ status: "active" });
});

test("the payer need not be the admin: another admin sees no portal and pays nothing, takes billing over openly, and no user pays twice", async () => {
  const { app, owner, passDays } = await openBilling();
  const id = await subscribe(app, owner);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await owner.call(handOver, { query: { realm_id: ACME, email: "clerk@acme.example" } });
  expect(await findPayer(clerk)).toEqual({ payer: "owner@acme.example", is_payer: false });
  expect((await clerk.call(openPortal, ABOUT)).json()).toMatchObject({ status: 403, code: "other_payer" });
  // The payer can stop, although another user is the admin; other members see nothing of it.
  expect(await listRows(owner)).toEqual([]);
  expect(await readPayments(owner)).toEqual([{ id: ACME, name: "Acme Tools", is_connected: true }]);
  const open = async (dest: string) =>
    (await owner.call(openPortal, { ...ABOUT, headers: { "sec-fetch-dest": dest } })).status;
  expect([await open("empty"), await open("image")]).toEqual([200, 403]);
  const intern = await joinAs(app, clerk, { realmId: ACME, email: "labels@acme.example" });
  expect(await listRows(intern)).toEqual([]);
  expect(await readPayments(intern)).toEqual([]);
  expect((await intern.call(openPortal, ABOUT)).json()).toMatchObject({ status: 403, code: "not_the_payer" });
  expect((await clickAdd(clerk)).json()).toMatchObject({ status: 403, code: "other_payer" });
  await app.stripe.control("faults", { fault: "drop" });
  expect((await clerk.call(takeOverBilling, ABOUT)).status).toBe(503);
  await app.stripe.control("faults", undefined, "DELETE");
  expect(await findPayer(clerk)).toMatchObject({ is_payer: false });
  expect((await clerk.call(takeOverBilling, ABOUT)).status).toBe(200);
  expect(await findPayer(clerk)).toEqual({ payer: "clerk@acme.example", is_payer: true });
  expect(await listRows(clerk)).toMatchObject([{ status: "canceling", subscription_id: null }]);
  expect((await clickAdd(clerk)).json()).toMatchObject({
    status: 409,
    code: "paid_by_other",
    detail: expect.stringMatching(/ has paid through [A-Z][a-z]+ \d{1,2}, 20\d\d\. /),
  });
  expect(await listServices(clerk)).toEqual(["tracking"]);
  await passDays(32);
  await clerk.signIn("clerk@acme.example");
  await runBilling(app, "read-events");
  expect(await listServices(clerk)).toEqual([]);
  expect(await subscribe(app, clerk)).not.toBe(id);
  expect(await listServices(clerk)).toEqual(["tracking"]);
  const subscriptions = await app.stripe.objects("subscription");
  expect(new Set(subscriptions.map(({ customer }) => customer)).size).toBe(2);
  expect(subscriptions.filter(({ status }) => status === "active")).toHaveLength(1);
});

test("a user who opened the card form, or whose subscription has ended, doesn't pay: the next admin adds the service at once, and the open form takes no money", async () => {
  const { app, owner } = await openBilling();
  const left = await readSecret(clickAdd(owner));
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await owner.call(handOver, { query: { realm_id: ACME, email: "clerk@acme.example" } });
  expect(await findPayer(clerk)).toEqual({ payer: null, is_payer: true });
  expect((await clerk.call(openPortal, ABOUT)).status).toBe(404);
  const id = await subscribe(app, clerk);
  await expect(payByCard(app, left.client_secret!)).rejects.toThrow(/has a status of canceled/);
  expect(await findPayer(clerk)).toEqual({ payer: "clerk@acme.example", is_payer: true });
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await runBilling(app, "read-events");
  await clerk.call(handOver, { query: { realm_id: ACME, email: "owner@acme.example" } });
  expect(await findPayer(owner)).toEqual({ payer: null, is_payer: true });
  await subscribe(app, owner);
  expect(await listServices(owner)).toEqual(["tracking"]);
  const statuses = (await app.stripe.objects("subscription")).map(({ status }) => status);
  expect(statuses).toEqual(["active", "canceled", "incomplete_expired"]);
});

test("an end that was set at Stripe for a later day than the paid period's doesn't keep the former payer paying until then", async () => {
  const { app, owner, clock } = await openBilling();
  const id = await subscribe(app, owner);
  const inDays = (days: number) => String(Math.floor(clock.now().getTime() / 1000) + days * 86_400);
  await app.stripe.api(`subscriptions/${id}`, { cancel_at: inDays(90) });
  await runBilling(app, "read-events");
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await owner.call(handOver, { query: { realm_id: ACME, email: "clerk@acme.example" } });
  expect((await clerk.call(takeOverBilling, ABOUT)).status).toBe(200);
  expect(await app.stripe.api(`subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: true });
});

test("a granted service is one row, however many prices it has, and isn't said to be off while a renewal is unpaid", async () => {
  const { app, owner, passDays } = await openBilling();
  await app.stripe.control("settings", { dunning: "past_due" }, "PATCH");
  const id = await subscribe(app, owner);
  const [monthly] = await app.stripe.objects("price");
  const terms = { product: String(monthly!["product"]), currency: "usd", "recurring[interval]": "year" };
  await app.stripe.api("prices", { ...terms, unit_amount: "9000" });
  await grantTracking(app.db, ACME);
  await spoilCard(app, id);
  await passDays(32);
  await runBilling(app, "read-events");
  expect(await listRows(owner)).toMatchObject([{ status: "past_due", grace_ends: expect.any(Number) }]);
  await passDays(15);
  await runBilling(app, "sync-all");
  expect(await listRows(owner)).toMatchObject([
    { status: "active", subscription_id: null, grace_ends: null },
  ]);
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await runBilling(app, "sync-all");
  expect(await listRows(owner)).toMatchObject([{ status: "active", subscription_id: null }]);
});

test("when billing is taken over while a renewal is unpaid, the earlier payer is charged no more, not even by another attempt, and the new payer has the service at once", async () => {
  const { app, owner, passDays } = await openBilling();
  const id = await subscribe(app, owner);
  await spoilCard(app, id);
  await passDays(32);
  await runBilling(app, "read-events");
  expect((await readRow(owner)).status).toBe("past_due");
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await owner.call(handOver, { query: { realm_id: ACME, email: "clerk@acme.example" } });
  expect((await clerk.call(takeOverBilling, ABOUT)).status).toBe(200);
  const charges = async () => (await app.stripe.objects("charge")).map(({ status }) => status);
  const tried = await charges();
  expect(await subscribe(app, clerk)).not.toBe(id);
  expect(await listServices(clerk)).toEqual(["tracking"]);
  // After all of Stripe's attempts at a renewal.
  await passDays(20);
  expect(await charges()).toEqual(["succeeded", ...tried]);
  const statuses = (await app.stripe.objects("subscription")).map(({ status }) => status);
  expect(statuses).toEqual(["active", "canceled"]);
});

test("a company keeps a service at a price no longer offered, and can pay its failed renewal; it is not started again, and no other price is offered next to it", async () => {
  const { app, owner, passDays } = await openBilling();
  await app.stripe.control("settings", { dunning: "past_due" }, "PATCH");
  const id = await subscribe(app, owner);
  const [old] = await app.stripe.objects("price");
  const terms = { currency: "usd", "recurring[interval]": "month" };
  const product = String(old!["product"]);
  const next = await app.stripe.api("prices", { ...terms, product, unit_amount: "3900" });
  await runBilling(app, "read-events");
  const rows = async () =>
    (await listRows(owner)).map(({ price_id, rate, status }) => [price_id, rate, status]);
  expect(await rows()).toEqual([[old!.id, 2900, "active"]]);
  await app.stripe.api(`prices/${old!.id}`, { active: "false" });
  await spoilCard(app, id);
  await passDays(32);
  await runBilling(app, "read-events");
  expect(await rows()).toEqual([[old!.id, 2900, "past_due"]]);
  const due = await readSecret(clickAdd(owner));
  expect(due).toMatchObject({ subscription_id: id, rate: 2900, client_secret: expect.any(String) });
  await payByCard(app, due.client_secret!);
  expect((await clickActivate(owner, id)).json()).toMatchObject({ status: "active" });

  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await runBilling(app, "sync-all");
  expect(await rows()).toEqual([[next.id, 3900, "none"]]);
  const add = (price_id: string) => owner.call(startPayment, { ...ABOUT, json: { price_id } });
  expect((await add(old!.id)).status).toBe(404);
  expect((await add(next.id)).status).toBe(200);
  expect(await rows()).toEqual([[next.id, 3900, "incomplete"]]);
  await app.stripe.api(`prices/${next.id}`, { active: "false" });
  await runBilling(app, "read-events");
  expect([await rows(), (await add(next.id)).status]).toEqual([[], 404]);
});

test("a subscription that Stripe paused for want of a card isn't paid here: the billing portal takes the card", async () => {
  const { app, owner, passDays } = await openBilling();
  const { subscription_id: id } = await readSecret(clickAdd(owner, { trial: true }));
  await app.stripe.api(`subscriptions/${id}`, {
    "trial_settings[end_behavior][missing_payment_method]": "pause",
  });
  await passDays(15);
  await runBilling(app, "read-events");
  expect((await clickAdd(owner)).json()).toMatchObject({
    status: 409,
    code: "pay_in_portal",
    detail: "Add a card in the billing portal to keep this subscription.",
  });
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
  expect(await app.stripe.objects("charge")).toEqual([]);
});

test("while billing is taken over, the former payer can't start a payment that would never end", async () => {
  const { app, owner } = await openBilling();
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  // Without an admin every member is one.
  await sql`update company set admin_id = null where realm_id = ${ACME}`.execute(app.db);
  await clickAdd(owner);
  const statuses = async () => (await app.stripe.objects("subscription")).map(({ status }) => status);
  const { taking, meanwhile } = await app.db.transaction().execute(async (tx) => {
    await sql`select from billing_account for update`.execute(tx);
    const taking = clerk.call(takeOverBilling, ABOUT);
    await app.settle();
    expect(await statuses()).toEqual(["incomplete_expired"]);
    return { taking, meanwhile: (await clickAdd(owner)).status };
  });
  expect([meanwhile, (await taking).status]).toEqual([503, 200]);
  expect(await statuses()).toEqual(["incomplete_expired"]);
});

test("DC-02 disconnecting ends a subscription when the paid period ends, unless it is to continue", async () => {
  const [app, owner] = await open();
  const id = await subscribe(app, owner);
  const plannedEnd = async () => (await app.stripe.api(`subscriptions/${id}`))["cancel_at_period_end"];
  const disconnect = (json?: object) =>
    owner.call(disconnectCompany, { ...ABOUT, ...(json ? { json } : {}) });
  await app.stripe.control("faults", { fault: "drop" });
  expect((await disconnect()).status).toBe(503);
  await app.stripe.control("faults", undefined, "DELETE");
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect((await disconnect({ subscriptions: "keep" })).status).toBe(200);
  expect(await plannedEnd()).toBe(false);
  await owner.connect("owner@acme.example", ACME);
  expect(await listServices(owner)).toEqual(["tracking"]);
  await app.intuit.control("faults", [{ fault: "503", match: { operation: "oauth.revoke" }, count: 99 }]);
  const stillConnected =
    "QuickBooks didn't answer, so the company is still connected. Try again in a few minutes.";
  expect((await disconnect({ subscriptions: "keep" })).json()).toMatchObject({ detail: stillConnected });
  expect(await plannedEnd()).toBe(false);
  expect((await disconnect()).json()).toMatchObject({
    detail: `${stillConnected} Its subscription is already canceled and ends with the paid period.`,
  });
  await app.intuit.control("faults", undefined, "DELETE");
  expect((await disconnect()).status).toBe(200);
  expect(await plannedEnd()).toBe(true);
  await owner.connect("owner@acme.example", ACME);
  expect(await readRow(owner)).toMatchObject({ status: "canceling", subscription_id: id });

  // A new owner connects it: the former payer can no longer reach it, so their subscription ends.
  expect((await readSecret(clickAdd(owner))).status).toBe("paid");
  expect((await disconnect({ subscriptions: "keep" })).status).toBe(200);
  expect(await plannedEnd()).toBe(false);
  const next = app.browser();
  await next.signIn("platform@dockside.example");
  await app.stripe.control("faults", { fault: "drop" });
  expect(await next.connect("platform@dockside.example", ACME)).toBe("/get-app/?error=other");
  await app.stripe.control("faults", undefined, "DELETE");
  expect(await next.connect("platform@dockside.example", ACME)).toContain("connected=");
  expect(await plannedEnd()).toBe(true);
  expect(await listServices(next)).toEqual(["tracking"]);
});

test("DC-02 an admin who doesn't pay can't let another user's subscription continue after disconnecting; the payer can, and still reaches the billing portal", async () => {
  const [app, owner] = await open();
  const id = await subscribe(app, owner);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await owner.call(handOver, { query: { realm_id: ACME, email: "clerk@acme.example" } });
  const keep = (browser: Browser) =>
    browser.call(disconnectCompany, { ...ABOUT, json: { subscriptions: "keep" } });
  expect((await keep(clerk)).json()).toMatchObject({
    status: 409,
    code: "only_payer_keeps",
    detail:
      "Another user pays for this company's services, and only they can keep its subscription. Choose to cancel it at the end of the paid period.",
  });
  expect(await listServices(clerk)).toEqual(["tracking"]);
  await clerk.call(handOver, { query: { realm_id: ACME, email: "owner@acme.example" } });
  expect(await readPayments(owner)).toEqual([]);
  expect((await keep(owner)).status).toBe(200);
  expect(await app.stripe.api(`subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: false });
  expect(await readPayments(owner)).toEqual([{ id: ACME, name: "Acme Tools", is_connected: false }]);
  expect(await readPayments(clerk)).toEqual([]);
  expect((await owner.call(openPortal, ABOUT)).status).toBe(200);
});
