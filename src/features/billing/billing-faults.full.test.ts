import { sql } from "kysely";
import { expect, test } from "vitest";
import { openPortal, startPayment, type StartedPayment } from "#features/billing/contract.ts";
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
} from "../../../test/support/billing.ts";
import { ACME } from "../../../test/support/intuit.ts";
import type { TestApp } from "../../../test/support/start-app.ts";

const fail = (app: TestApp, fault: object) => app.stripe.control("faults", fault);
const clear = (app: TestApp) => app.stripe.control("faults", undefined, "DELETE");

/** The SDK retries once by itself, so a fault of both attempts reaches us. */
const BOTH = { times: 2 };

const LOST = ["drop_after", "server_error_after", "html_page_after", "half_body"];
const NOT_DONE = ["drop", "rate_limit", "server_error", "html_page", "empty_json"];

test.each([...LOST, ...NOT_DONE])(
  "with %s at any call of a payment, clicking again ends in one customer and one subscription, paid once",
  async (fault) => {
    const { app, owner } = await openBilling();
    await readRow(owner);
    const clickUntilHit = async () => {
      for (let clicks = 0; clicks < 4; clicks += 1) {
        const reply = await clickAdd(owner);
        if (reply.status !== 200)
          expect(reply.json()).toMatchObject({ status: 503, code: "stripe_unavailable" });
        const { rules } = await app.stripe.control<{ rules: { fired: number }[] }>("faults");
        if (rules.every(({ fired }) => fired > 0)) return clear(app);
      }
      throw new Error(`The fault ${fault} hit nothing.`);
    };
    await fail(app, { fault, method: "POST", path: "/v1/customers", ...BOTH });
    await fail(app, { fault, method: "POST", path: "/v1/subscriptions", ...BOTH });
    await clickUntilHit();
    expect((await clickAdd(owner)).status).toBe(200);
    await fail(app, { fault, method: "GET", path: "/v1/subscriptions", ...BOTH });
    await clickUntilHit();
    const started = (await clickAdd(owner)).json() as StartedPayment;
    await payByCard(app, started.client_secret!);
    for (const path of ["/v1/subscriptions"]) {
      await fail(app, { fault, method: "GET", path, ...BOTH });
      const reply = await clickActivate(owner, started.subscription_id!);
      expect([200, 503]).toContain(reply.status);
      await clear(app);
    }
    expect((await clickActivate(owner, started.subscription_id!)).status).toBe(200);
    expect(await listServices(owner)).toEqual(["tracking"]);
    const live = (await app.stripe.objects("subscription")).filter(({ status }) => status === "active");
    expect(live).toHaveLength(1);
    expect(await app.stripe.objects("subscription")).toHaveLength(1);
    expect(await app.stripe.objects("customer")).toHaveLength(1);
    expect(await app.stripe.objects("charge")).toHaveLength(1);
  },
);

test("with any of these while an attempt is abandoned for another price, clicking again ends in one that can be paid, and the abandoned one takes no money", async () => {
  const { app, owner } = await openBilling();
  const [known] = await app.stripe.objects("price");
  const yearly = await app.stripe.api("prices", {
    product: known!["product"] as string,
    currency: "usd",
    unit_amount: "29000",
    "recurring[interval]": "year",
  });
  await runBilling(app, "read-events");
  const about = { query: { realm_id: ACME } };
  const click = (price_id: string) => owner.call(startPayment, { ...about, json: { price_id } });
  const given: string[] = [];
  const rounds = [...LOST, ...NOT_DONE].flatMap((fault) => [
    { fault, method: "POST", path: "/v1/invoices", ...BOTH },
    { fault, method: "DELETE", path: "/v1/subscriptions", ...BOTH },
  ]);
  let [wanted, next] = [known!.id, yearly.id];
  given.push(((await click(wanted)).json() as StartedPayment).client_secret!);
  for (const round of rounds) {
    [wanted, next] = [next, wanted];
    await fail(app, round);
    let reply = await click(wanted);
    for (let clicks = 1; clicks < 3 && reply.status !== 200; clicks += 1) {
      expect([round, reply.json()]).toMatchObject([round, { status: 503, code: "stripe_unavailable" }]);
      reply = await click(wanted);
    }
    await clear(app);
    const live = (await app.stripe.objects("subscription")).filter(
      ({ status }) => status !== "incomplete_expired",
    );
    expect([round, live.map(({ status }) => status)]).toEqual([round, ["incomplete"]]);
    given.push((reply.json() as StartedPayment).client_secret!);
  }
  given.pop();
  for (const secret of given)
    await expect(payByCard(app, secret)).rejects.toThrow(/has a status of canceled/);
  expect(await app.stripe.objects("charge")).toEqual([]);
  expect(await app.stripe.objects("customer")).toHaveLength(1);
});

test("with any of these in the billing portal, a withdrawn cancellation, the catalog or the events, the page says that Stripe did not answer, what is known stays, and the next click works", async () => {
  const { app, owner, clock } = await openBilling();
  const id = await subscribe(app, owner);
  const portal = () => owner.call(openPortal, { query: { realm_id: ACME } });
  const answers = async (rule: object, click: () => Promise<{ status: number; json(): unknown }>) => {
    await fail(app, { ...rule, ...BOTH });
    const reply = await click();
    expect([rule, reply.json()]).toMatchObject([rule, { status: 503, code: "stripe_unavailable" }]);
    await clear(app);
  };
  for (const fault of NOT_DONE)
    await answers({ fault, method: "POST", path: "/v1/billing_portal/configurations" }, portal);
  for (const fault of [...LOST, ...NOT_DONE]) {
    for (const path of ["/v1/billing_portal/configurations", "/v1/billing_portal/sessions"]) {
      await answers({ fault, path }, portal);
      expect([fault, (await portal()).status]).toEqual([fault, 200]);
    }
    await app.stripe.api(`subscriptions/${id}`, { cancel_at_period_end: "true" });
    await answers({ fault, method: "POST", path: "/v1/subscriptions" }, () => clickAdd(owner));
    expect((await clickAdd(owner)).json()).toMatchObject({ status: "paid", client_secret: null });
    expect(await app.stripe.api(`subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: false });
    clock.advance(11 * 60_000);
    await fail(app, { fault, path: "/v1/prices", ...BOTH });
    expect([fault, await readRow(owner)]).toMatchObject([fault, { rate: 2900, status: "active" }]);
    await clear(app);
    await fail(app, { fault, path: "/v1/events", ...BOTH });
    await expect(runBilling(app, "read-events"), fault).rejects.toThrow();
    await clear(app);
  }
  expect(await app.stripe.objects("charge")).toHaveLength(1);
});

test("a company whose customer was deleted at Stripe has its services off, and pays again as a new customer", async () => {
  const { app, owner } = await openBilling();
  const first = await subscribe(app, owner);
  const [customer] = await app.stripe.objects("customer");
  await app.stripe.api(`customers/${customer!.id}`, undefined, "DELETE");
  await runBilling(app, "read-events");
  expect(await listServices(owner)).toEqual([]);
  const portal = await owner.call(openPortal, { query: { realm_id: ACME } });
  expect([portal.status, portal.text]).toEqual([404, expect.stringContaining("was deleted")]);
  expect(await subscribe(app, owner)).not.toBe(first);
  expect(await listServices(owner)).toEqual(["tracking"]);
  const live = (await app.stripe.objects("subscription")).filter(({ status }) => status === "active");
  expect(live).toHaveLength(1);
});

test("while Stripe does not answer, Settings shows what is known, the payer keeps the service, and nothing is charged", async () => {
  const { app, owner } = await openBilling();
  await subscribe(app, owner);
  for (const fault of ["drop", "html_page", "server_error"]) {
    await fail(app, { fault });
    expect((await listRows(owner))[0]).toMatchObject({ status: "active" });
    expect(await listServices(owner)).toEqual(["tracking"]);
    const reply = await clickAdd(owner);
    expect([reply.status, (reply.json() as { code: string }).code]).toEqual([503, "stripe_unavailable"]);
    await clear(app);
  }
  expect(await app.stripe.objects("charge")).toHaveLength(1);
});

test("a 500 that Stripe stores for a key, with a list that can't be read either, is looked up at the next click and never created again", async () => {
  const { app, owner } = await openBilling();
  await readRow(owner);
  await fail(app, { fault: "server_error_after", method: "POST", path: "/v1/subscriptions" });
  await fail(app, { fault: "drop", method: "GET", path: "/v1/subscriptions", skip: 1 });
  expect((await clickAdd(owner)).status).toBe(503);
  await clear(app);
  const started = (await clickAdd(owner)).json() as StartedPayment;
  expect(started.client_secret).toMatch(/_secret_/);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
});

test("an attempt whose answer was lost is not taken for the trial requested next: it is found and abandoned", async () => {
  const { app, owner } = await openBilling();
  await readRow(owner);
  await fail(app, { fault: "drop_after", method: "POST", path: "/v1/subscriptions", ...BOTH });
  await fail(app, { fault: "drop", method: "GET", path: "/v1/subscriptions", skip: 1, ...BOTH });
  expect((await clickAdd(owner)).status).toBe(503);
  await clear(app);
  const trial = (await clickAdd(owner, { trial: true })).json() as StartedPayment;
  expect([trial.status, trial.client_secret]).toEqual(["paid", null]);
  const statuses = (await app.stripe.objects("subscription")).map(({ status }) => status);
  expect(statuses).toEqual(["trialing", "incomplete_expired"]);
});

test("a company that was renamed after an answer was lost gets only one customer and one subscription", async () => {
  const { app, owner } = await openBilling();
  await readRow(owner);
  const rename = (name: string) => sql`update company set name = ${name}`.execute(app.db);
  await fail(app, { fault: "drop_after", method: "POST", path: "/v1/customers", ...BOTH });
  expect((await clickAdd(owner)).status).toBe(503);
  await rename("Acme Tools East");
  await fail(app, { fault: "drop_after", method: "POST", path: "/v1/subscriptions" });
  await fail(app, { fault: "drop", method: "GET", path: "/v1/subscriptions", skip: 1 });
  expect((await clickAdd(owner)).status).toBe(503);
  await rename("Acme Tools West");
  await clear(app);
  const started = (await clickAdd(owner)).json() as StartedPayment;
  expect(started.client_secret).toMatch(/_secret_/);
  expect(await app.stripe.objects("customer")).toHaveLength(1);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
});

test("a subscription whose answer was lost, and which events have since shown as paid and ended, is not taken for paid again", async () => {
  const { app, owner } = await openBilling();
  await readRow(owner);
  await fail(app, { fault: "drop_after", method: "POST", path: "/v1/subscriptions", ...BOTH });
  await fail(app, { fault: "drop", method: "GET", path: "/v1/subscriptions", skip: 1 });
  expect((await clickAdd(owner)).status).toBe(503);
  await clear(app);
  await runBilling(app, "read-events");
  const first = await subscribe(app, owner);
  expect(await app.stripe.objects("subscription")).toHaveLength(1);
  await app.stripe.api(`subscriptions/${first}`, undefined, "DELETE");
  const second = (await clickAdd(owner)).json() as StartedPayment;
  expect([second.status, second.subscription_id === first]).toEqual(["incomplete", false]);
  await payByCard(app, second.client_secret!);
  expect((await clickActivate(owner, second.subscription_id!)).json()).toMatchObject({ status: "active" });
  expect(await app.stripe.objects("charge")).toHaveLength(2);
});

test("a payer whose email Stripe refuses sees that, and can pay once it is changed", async () => {
  const { app, owner } = await openBilling();
  const rename = (email: string) => sql`update app_user set email = ${email}`.execute(app.db);
  await rename("owner@localhost");
  expect((await clickAdd(owner)).json()).toMatchObject({
    status: 400,
    code: "payer_email_refused",
    detail: expect.stringContaining("Stripe doesn't accept the email address") as string,
  });
  await rename("owner@acme.example");
  await subscribe(app, owner);
  expect(await listServices(owner)).toEqual(["tracking"]);
});
