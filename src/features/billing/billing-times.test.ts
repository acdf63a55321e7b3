import { sql } from "kysely";
import { expect, test } from "vitest";
import type { StartedPayment } from "#features/billing/contract.ts";
import { disconnectCompany } from "#features/companies/contract.ts";
import {
  clickActivate,
  clickAdd,
  listServices,
  openBilling,
  payByCard,
  readRow,
  runBilling,
  subscribe,
} from "../../../test/support/billing.ts";
import { ACME } from "../../../test/support/intuit.ts";

const MINUTE_MS = 60_000;

test.each([0, 1, 3])(
  "without webhooks a service is on within 5 s of the return even if its subscription is %i s behind the payment",
  async (lag) => {
    const { app, owner, clock } = await openBilling();
    const started = (await clickAdd(owner)).json() as StartedPayment;
    await app.stripe.control("settings", { lag, deliveries: { off: true } }, "PATCH");
    await payByCard(app, started.client_secret!);
    expect(await listServices(owner)).toEqual([]);
    const returnedAt = clock.steadyMs();
    expect((await clickActivate(owner, started.subscription_id!)).json()).toMatchObject({ status: "active" });
    expect(clock.steadyMs() - returnedAt).toBeLessThanOrEqual(5_000);
    expect(await listServices(owner)).toEqual(["tracking"]);
  },
);

test("a subscription further behind its payment than activation waits is not abandoned for a trial or at a disconnection, and is on when the list is next read", async () => {
  const { app, owner, clock } = await openBilling();
  const started = (await clickAdd(owner)).json() as StartedPayment;
  await app.stripe.control("settings", { lag: 8 }, "PATCH");
  await payByCard(app, started.client_secret!);
  expect((await clickActivate(owner, started.subscription_id!)).json()).toMatchObject({
    status: "incomplete",
  });
  const meanwhile = (await clickAdd(owner, { trial: true })).json() as StartedPayment;
  expect([meanwhile.status, meanwhile.client_secret]).toEqual(["paid", null]);
  const disconnected = await owner.call(disconnectCompany, { query: { realm_id: ACME } });
  expect(disconnected.json()).toMatchObject({ status: 503, code: "payment_busy" });
  clock.advance(5_000);
  expect(await readRow(owner)).toMatchObject({ status: "active" });
  expect(await listServices(owner)).toEqual(["tracking"]);
});

test("without webhooks a failed renewal is known within 2 minutes, by the check made each minute", async () => {
  const { app, owner, clock } = await openBilling();
  const id = await subscribe(app, owner);
  const [customer] = await app.stripe.objects("customer");
  const bad = await app.stripe.api("payment_methods/pm_card_chargeCustomerFail/attach", {
    customer: customer!.id,
  });
  const { current_period_end: end } = await app.stripe.api(`subscriptions/${id}`, {
    default_payment_method: bad.id,
  });
  const look = app.application.systemRuns.find(({ kind }) => kind === "billing.read-events");
  expect(look?.every).toBe("minute");
  const recorded = async () =>
    (await sql<{ status: string }>`select status from subscription`.execute(app.db)).rows[0]?.status;
  // The renewal falls between two polls.
  clock.advance(Number(end) * 1000 - clock.now().getTime() - MINUTE_MS / 2);
  await runBilling(app, "read-events");
  expect(await recorded()).toBe("active");
  clock.advance(MINUTE_MS);
  await app.stripe.control("clock");
  await runBilling(app, "read-events");
  expect(await recorded()).toBe("past_due");
  const [, failed] = (await app.stripe.objects("invoice")).reverse();
  const noticedMs = clock.now().getTime() - Number(failed!["created"]) * 1000;
  expect(noticedMs).toBeLessThanOrEqual(2 * MINUTE_MS);
});
