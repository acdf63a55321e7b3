import { sql } from "kysely";
import { expect, test } from "vitest";
import { startPayment, takeOverBilling, type StartedPayment } from "#features/billing/contract.ts";
import { handOver, leaveCompany, listCompanies, removeUser } from "#features/companies/contract.ts";
import {
  clickActivate,
  clickAdd,
  listServices,
  openBilling,
  payByCard,
  readRow,
  runBilling,
  spoilCard,
  subscribe,
} from "../../../test/support/billing.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { grantTracking, joinAs } from "../../../test/support/members.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import type { TestApp } from "../../../test/support/start-app.ts";

const DAY_MS = 24 * 3_600_000;
const OWNER = "owner@acme.example";
const CLERK = "clerk@acme.example";
const ABOUT = { query: { realm_id: ACME } };

/** Starts a product with mail; `advance` also reads the vendor's events. */
async function open() {
  const { app, owner, clock, passDays } = await openBilling({ mail: true });
  const advance = async (days: number) => {
    await passDays(days);
    await runBilling(app, "read-events");
  };
  const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);
  // Where the current day differs from the one in UTC.
  const timeZone = clock.now().getUTCHours() < 11 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
  await sql`update company set time_zone = ${timeZone} where realm_id = ${ACME}`.execute(app.db);
  const formatDay = (at: Date) => at.toLocaleDateString("sv-SE", { timeZone });
  return { app, owner, advance, inDays, formatDay };
}

const listMails = async ({ db }: TestApp) =>
  (
    await sql<{ kind: string; recipient: string; params: Record<string, string> }>`
      select kind, recipient, params from notice_mail where kind != 'invitation' and kind != 'new_admin'
      order by created_at, recipient`.execute(db)
  ).rows;

const readCompany = async (browser: Browser) => {
  const { companies } = (await browser.call(listCompanies)).json() as {
    companies: { id: string; unpaid_until?: string }[];
  };
  return companies.find(({ id }) => id === ACME);
};

const PAID = { company: "Acme Tools", service: "Tracking Service", price: "$29.00 a month", payer: null };

test("a failed renewal is mailed once with its last day and shown to the admin on every page; when the service goes off that is mailed once, and paying ends both", async () => {
  const { app, owner, advance, formatDay } = await open();
  await app.stripe.control("settings", { dunning: "past_due" }, "PATCH");
  const id = await subscribe(app, owner);
  expect(await readCompany(owner)).not.toHaveProperty("unpaid_until");
  await spoilCard(app, id);
  await advance(32);
  await runBilling(app, "sync-all");
  const until = new Date((await readRow(owner)).grace_ends! * 1000);
  const failed = { kind: "renewal_failed", recipient: OWNER, params: { ...PAID, day: formatDay(until) } };
  expect(await listMails(app)).toEqual([failed]);
  expect(new Date((await readCompany(owner))!.unpaid_until!).getTime()).toBe(until.getTime());
  await advance(15);
  await runBilling(app, "sync-all");
  await runBilling(app, "sync-all");
  expect(await listMails(app)).toEqual([
    failed,
    { kind: "service_off", recipient: OWNER, params: { ...PAID, cause: "unpaid" } },
  ]);
  expect(await readCompany(owner)).not.toHaveProperty("unpaid_until");
  const due = (await clickAdd(owner)).json() as StartedPayment;
  await payByCard(app, due.client_secret!);
  await clickActivate(owner, id);
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect(await listMails(app)).toHaveLength(2);
});

test("the end of a trial is mailed once, three days before, and once when it has ended; a canceled trial is not announced", async () => {
  const { app, owner, advance, inDays, formatDay } = await open();
  const { price_id } = await readRow(owner);
  await owner.call(startPayment, { ...ABOUT, json: { price_id, trial: true } });
  const ends = inDays(14);
  await advance(10);
  expect(await listMails(app)).toEqual([]);
  await advance(1.5);
  await runBilling(app, "sync-all");
  const soon = { kind: "trial_ends", recipient: OWNER, params: { ...PAID, day: formatDay(ends) } };
  expect(await listMails(app)).toEqual([soon]);
  await advance(4);
  await runBilling(app, "sync-all");
  expect(await listMails(app)).toEqual([
    soon,
    { kind: "service_off", recipient: OWNER, params: { ...PAID, cause: "trial" } },
  ]);
});

test("a user who cancels in the portal, or cancels a trial, gets no mail about it", async () => {
  const { app, owner, advance } = await open();
  const { price_id } = await readRow(owner);
  const trial = (await owner.call(startPayment, { ...ABOUT, json: { price_id, trial: true } })).json();
  const { subscription_id: id } = trial as StartedPayment;
  await app.stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
  await advance(12);
  await advance(4);
  await runBilling(app, "sync-all");
  expect(await listServices(owner)).toEqual([]);
  expect(await listMails(app)).toEqual([]);
});

test("a service that was canceled at Stripe isn't said to be unpaid", async () => {
  const { app, owner, advance } = await open();
  const id = await subscribe(app, owner);
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await advance(0);
  expect(await listMails(app)).toEqual([
    { kind: "service_off", recipient: OWNER, params: { ...PAID, cause: "canceled" } },
  ]);
});

test("a company that was granted the service isn't mailed that its trial ends or that the service is off", async () => {
  const { app, owner, advance } = await open();
  await clickAdd(owner, { trial: true });
  await grantTracking(app.db, ACME);
  await advance(12);
  await advance(4);
  expect(await listServices(owner)).toEqual(["tracking"]);
  expect(await listMails(app)).toEqual([]);
});

test("where the payer isn't the admin, a failed renewal is mailed to both, with the payer's name", async () => {
  const { app, owner, advance } = await open();
  const id = await subscribe(app, owner);
  await joinAs(app, owner, { realmId: ACME, email: CLERK });
  await owner.call(handOver, { query: { realm_id: ACME, email: CLERK } });
  await spoilCard(app, id);
  await advance(32);
  const params = { ...PAID, payer: OWNER, day: expect.any(String) };
  expect(await listMails(app)).toEqual([
    { kind: "renewal_failed", recipient: CLERK, params },
    { kind: "renewal_failed", recipient: OWNER, params },
  ]);
});

test("a payer leaves, or is removed, once the subscription is set to end; not while it renews", async () => {
  const { app, owner, advance } = await open();
  const id = await subscribe(app, owner);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: CLERK });
  await owner.call(handOver, { query: { realm_id: ACME, email: CLERK } });
  const leave = () => owner.call(leaveCompany, ABOUT);
  expect((await leave()).json()).toMatchObject({ status: 409, code: "pays_for_company" });
  await app.stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
  await advance(0);
  expect((await leave()).status).toBe(200);
  expect(await listServices(clerk)).toEqual(["tracking"]);
});

test("the payer can't be removed silently: the admin takes over billing first, and the payer gets a mail and is no longer charged", async () => {
  const { app, owner } = await open();
  const id = await subscribe(app, owner);
  const of = (email: string) => ({ query: { realm_id: ACME, email } });
  const clerk = await joinAs(app, owner, { realmId: ACME, email: CLERK });
  await owner.call(handOver, of(CLERK));
  expect((await clerk.call(removeUser, of(OWNER))).json()).toMatchObject({
    status: 409,
    code: "pays_for_company",
  });
  expect((await clerk.call(takeOverBilling, ABOUT)).status).toBe(200);
  expect(await listMails(app)).toEqual([
    { kind: "payer_changed", recipient: OWNER, params: { company: "Acme Tools", by: CLERK } },
  ]);
  expect(await app.stripe.api(`subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: true });
  expect((await clerk.call(removeUser, of(OWNER))).status).toBe(200);
  expect(await listServices(clerk)).toEqual(["tracking"]);
});

test("a user who pays for several companies sees in the portal and on each invoice which company it is for", async () => {
  const { app, owner } = await open();
  await owner.connect(OWNER, BAY);
  await subscribe(app, owner);
  const started = (await clickAdd(owner, {}, BAY)).json() as StartedPayment;
  await payByCard(app, started.client_secret!);
  await clickActivate(owner, started.subscription_id!, BAY);
  const subscriptions = await app.stripe.objects("subscription");
  expect(new Set(subscriptions.map(({ description }) => description))).toEqual(
    new Set(["For Acme Tools", "For Bay Supply"]),
  );
  expect(new Set(subscriptions.map(({ customer }) => customer)).size).toBe(2);
  const customers = await app.stripe.objects("customer");
  expect(new Set(customers.map(({ email, name }) => `${String(email)} ${String(name)}`))).toEqual(
    new Set([`${OWNER} Acme Tools`, `${OWNER} Bay Supply`]),
  );
});
