import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  changeCarrierSettings,
  createShipment,
  listShipments,
  type LabelHistory,
} from "#features/shipping/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { makeCredential } from "#features/packages/alert-credential.ts";
import { checkNow } from "#features/tracking/contract.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { grantTracking } from "../../../test/support/members.ts";
import { CARRIER_SETTINGS, CARTON, linkUps, openShippingDesk } from "../../../test/support/shipping.ts";
import { executeSystemRun } from "../../../test/support/system-runs.ts";
import { sealAgain } from "../../main/sealing-keys.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

const QUERY = { realm_id: ACME };

test("TK-16 HI-18 a package of a label and of an invoice is one row, which History and Tracking both show", async () => {
  const desk = await openTrackingDesk();
  const { app, browser } = desk;
  await desk.turnOn();
  await browser.call(changeCarrierSettings, { query: QUERY, json: CARRIER_SETTINGS });
  const bytes = Buffer.from(sampleFile({ sets: [sampleOrder(1)] }));
  await browser.call(addOrders, { query: QUERY, file: { name: "orders.edi", bytes } });
  const { Id: id } = await desk.invoice({ DocNumber: "80001" });
  const json = { po_number: "80001", cartons: [CARTON] };
  expect((await browser.call(createShipment, { query: QUERY, json })).status).toBe(200);
  const history = async () =>
    ((await browser.call(listShipments, { query: QUERY })).json() as LabelHistory).labels[0];
  const number = (await history())?.tracking_numbers[0] ?? "";
  await until(
    app.clock,
    () => desk.readInvoice(id),
    ({ TrackingNum }) => TrackingNum === number,
  );
  await desk.move(number, "origin");
  const [tracked] = await until(app.clock, desk.list, ([invoice]) => invoice?.state === "in_transit");
  expect(tracked).toMatchObject({ tracking_number: number });
  expect(await history()).toMatchObject({ package_state: "in_transit", scanned_at: expect.any(String) });
  const { rows } = await sql`select of_label, of_invoice from package`.execute(app.db);
  expect(rows).toEqual([{ of_label: true, of_invoice: true }]);
});

test("TK-13 UO-13 the hours in which a package comes and the last day at its access point are kept from UPS's answers", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 1, scenario: "access_point" });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  const state = async () => (await desk.details(id)).details[0];
  await until(desk.app.clock, desk.list, (list) => list.length > 0);
  await desk.move(number, "out_for_delivery");
  await desk.browser.call(checkNow, { query: QUERY });
  const coming = await until(desk.app.clock, state, (pkg) => pkg?.state === "out_for_delivery");
  expect(coming).toMatchObject({ due_hours: { from: "11:15:00", until: "15:15:00" }, pickup_by: null });
  // UPS's event says that it arrived there, but no day: UPS is asked at once.
  const movedAt = desk.app.clock.now().getTime();
  await desk.move(number, "at_access_point");
  const held = await until(desk.app.clock, state, (found) => typeof found?.pickup_by === "string");
  expect(held).toMatchObject({
    state: "held",
    due_hours: null,
    pickup_by: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(desk.app.clock.now().getTime() - movedAt).toBeLessThan(10 * 60_000);
});

test("TK-13 UO-13 a package on its way back stays that until it is there, by UPS's events and by its answers, and no file waits for its proof", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [returned = ""] = await desk.packages({ ageHours: 44, scenario: "returned" });
  const [first = "", second = ""] = await desk.packages({ packages: 2, ageHours: 44 });
  const { Id: id } = await desk.invoice({ TrackingNum: `${returned}, ${first}, ${second}` });
  await desk.turnOn();
  await desk.set({ attach_pods: "true", pods_together: "true" });
  await until(app.clock, desk.list, ([invoice]) => invoice?.packages === 3);
  await app.settle();
  const read = async () => (await desk.details(id)).details.find(({ number }) => number === returned)?.state;
  for (const event of ["attempted", "returning"]) {
    await desk.move(returned, event);
    await app.settle();
  }
  expect(await read()).toBe("returned");
  for (const event of ["going_back", "returned"]) {
    await desk.move(returned, event);
    await app.settle();
    expect([event, await read()]).toEqual([event, "returned"]);
    await sql`update package set next_poll_at = ${app.clock.now()}`.execute(app.db);
    await executeSystemRun(app, "packages.poll");
    expect([event, await read()]).toEqual([event, "returned"]);
    if (event !== "going_back") continue;
    for (const number of [first, second]) await desk.move(number, "delivered");
    const files = await until(
      app.clock,
      () => desk.files(id),
      (found) => found.length > 0,
    );
    expect(files.map(({ FileName }) => FileName)).toEqual(["proofs-of-delivery.pdf"]);
  }
});

test("TK-11 a package that is held by an event of UPS's stays held while its tracking is behind", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [number = ""] = await desk.packages({ ageHours: 44 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  const read = async () => (await desk.details(id)).details[0]?.state;
  await until(app.clock, desk.list, ([invoice]) => invoice?.state === "out_for_delivery");
  const at = app.clock.now().toISOString().replaceAll(/[-:]/g, "");
  const body = JSON.stringify({
    trackingNumber: number,
    gmtActivityDate: at.slice(0, 8),
    gmtActivityTime: at.slice(9, 15),
    activityStatus: { type: "D", code: "2Q", description: "At an access point", descriptionCode: "161" },
  });
  const credential = makeCredential(app.application.tracking.sealingKeys, ACME);
  const headers = { "content-type": "application/json", credential };
  const before = await desk.upsCalls("track");
  expect((await fetch(`${app.url}/webhooks/ups`, { method: "POST", body, headers })).status).toBe(200);
  await app.settle(60_000);
  expect(await desk.upsCalls("track")).toBeGreaterThan(before);
  expect(await read()).toBe("held");
  await app.settle(20 * 60_000);
  expect(await read()).toBe("held");
  await desk.move(number, "delivered");
  await until(app.clock, read, (state) => state === "delivered");
});

test("TK-01 UPS's events are still accepted once the old sealing key is removed, a day after another came first", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const numbers = await desk.packages({ packages: 3, ageHours: 1 });
  for (const TrackingNum of numbers) await desk.invoice({ TrackingNum });
  await desk.turnOn();
  const areAll = async (state: string) => (await desk.list()).map((invoice) => invoice.state === state);
  await until(
    app.clock,
    () => areAll("label_created"),
    (all) => all.length === 3 && !all.includes(false),
  );
  await app.settle(60_000);
  const keys = app.application.carrier.sealingKeys as SealingKeys[number][];
  keys.unshift({ id: "newer", key: randomBytes(32) });
  await sealAgain(app.application);
  await app.settle(120_000);
  expect(keys.splice(1)).toHaveLength(1);
  const calls = await desk.upsCalls("subscribe");
  for (const number of numbers) await desk.move(number, "origin");
  await app.settle(10_000);
  const { alerts } = await app.ups.control<{ alerts: { status: number }[] }>("alerts");
  expect(alerts.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await areAll("in_transit")).toEqual([true, true, true]);
  // Under the same key nothing is subscribed again.
  await sealAgain(app.application);
  await app.settle(120_000);
  expect(await desk.upsCalls("subscribe")).toBe(calls);
});

test("a company with many packages that are due doesn't keep another's from its turn, and neither does one that UPS refuses", async () => {
  const { app, browser } = await openShippingDesk();
  await browser.connect("owner@acme.example", BAY);
  await grantTracking(app.db, BAY);
  await linkUps(app, browser, { realmId: BAY, account: "012345", user: "bay-shipping" });
  const add = (realmId: string, count: number) =>
    sql`insert into package (realm_id, number, of_label, added_at, next_poll_at)
      select ${realmId}, '1Z12345E90' || lpad(n::text, 8, '0'), true, ${app.clock.now()},
        ${app.clock.now()}::timestamptz - n * interval '1 minute' from generate_series(1, ${count}) n`.execute(
      app.db,
    );
  await add(ACME, 40);
  await add(BAY, 1);
  const countPolled = async () => {
    const { rows } = await sql<{ realm_id: string; polled: number }>`select realm_id,
        (count(*) filter (where polled_at is not null))::int as polled from package group by realm_id`.execute(
      app.db,
    );
    return Object.fromEntries(rows.map((row) => [row.realm_id, row.polled]));
  };
  await executeSystemRun(app, "packages.poll");
  expect(await countPolled()).toEqual({ [ACME]: 29, [BAY]: 1 });
  await sql`update package set polled_at = null, next_poll_at = ${app.clock.now()}`.execute(app.db);
  await sql`update carrier_link set access_token_sealed = '', refresh_token_sealed = '' where realm_id = ${ACME}`.execute(
    app.db,
  );
  await executeSystemRun(app, "packages.poll");
  expect(await countPolled()).toEqual({ [ACME]: 0, [BAY]: 1 });
});

test("packages about which UPS gives no answer don't keep the company's others from their turn", async () => {
  const { app } = await openShippingDesk();
  const now = app.clock.now();
  await sql`insert into package (realm_id, number, of_label, added_at, next_poll_at)
    select ${ACME}, '1Z12345E90' || lpad(n::text, 8, '0'), true, ${now}, ${now}::timestamptz - (9 - n) * interval '1 minute'
    from generate_series(1, 7) n`.execute(app.db);
  for (const n of [1, 2, 3, 4])
    await app.ups.control("faults", {
      fault: "server_error",
      path: `/api/track/v1/details/1Z12345E90${String(n).padStart(8, "0")}`,
      times: 1_000,
    });
  const countPolled = async () =>
    (await sql`select from package where polled_at is not null`.execute(app.db)).rows.length;
  await executeSystemRun(app, "packages.poll");
  expect(await countPolled()).toBe(0);
  await executeSystemRun(app, "packages.poll");
  expect(await countPolled()).toBe(3);
  await app.ups.control("faults", undefined, "DELETE");
  app.clock.advance(5 * 60_000);
  await executeSystemRun(app, "packages.poll");
  expect(await countPolled()).toBe(7);
});

test("while UPS answers no refresh of a login, a pass asks for it once, and the company's other packages wait with the first", async () => {
  const { app } = await openShippingDesk();
  const now = app.clock.now();
  await sql`insert into package (realm_id, number, of_label, added_at, next_poll_at)
    select ${ACME}, '1Z12345E90' || lpad(n::text, 8, '0'), true, ${now}, ${now} from generate_series(1, 7) n`.execute(
    app.db,
  );
  await sql`update carrier_link set access_expires_at = ${now}`.execute(app.db);
  await app.ups.control("faults", { fault: "server_error", path: "/security/v1/oauth/refresh", times: 9 });
  const countCalls = async () =>
    (await app.ups.control<{ entries: { path: string }[] }>("journal")).entries.filter(({ path }) =>
      path.endsWith("/refresh"),
    ).length;
  const before = await countCalls();
  for (const pass of [1, 2]) {
    await executeSystemRun(app, "packages.poll");
    await executeSystemRun(app, "packages.poll");
    expect((await countCalls()) - before).toBe(pass);
    app.clock.advance(5 * 60_000);
  }
  await app.ups.control("faults", undefined, "DELETE");
  await executeSystemRun(app, "packages.poll");
  const { rows } = await sql`select from package where polled_at is not null`.execute(app.db);
  expect(rows).toHaveLength(7);
});

test("a package about which alone UPS never answers is polled as others without news, says nothing of UPS as a whole, and is given up as they are", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const numbers = await desk.packages({ packages: 3, ageHours: 1, scenario: "never_scanned" });
  for (const TrackingNum of numbers) await desk.invoice({ TrackingNum });
  const fault = { fault: "server_error", path: `/api/track/v1/details/${numbers[0]}`, times: 1_000 };
  await app.ups.control("faults", fault);
  await desk.turnOn();
  const read = async () => {
    const { rows } = await sql<{ poll_problem: string | null; polls: number; state: string }>`
      select poll_problem, polls, state from package where number = ${numbers[0]}`.execute(app.db);
    return rows[0];
  };
  const countCalls = async () =>
    (await app.ups.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired ?? 0;
  await app.settle(3_600_000);
  expect(await read()).toMatchObject({ poll_problem: null, polls: 1 });
  const calls = await countCalls();
  for (let day = 0; day < 3; day += 1) {
    app.clock.advance(86_400_000);
    await app.settle(0);
  }
  expect((await countCalls()) - calls).toBeLessThanOrEqual(4);
  app.clock.advance(31 * 86_400_000);
  await app.settle(600_000);
  expect(await read()).toMatchObject({ poll_problem: null, state: "ended" });
});

test("each call to UPS takes from one budget, also purchases", async () => {
  const { app, addSamples, ship, history } = await openShippingDesk();
  await addSamples(1);
  const calls = async () => {
    const { entries } = await app.ups.control<{ entries: { path: string }[] }>("journal");
    return entries.filter(({ path }) => path.startsWith("/api/")).length;
  };
  const countLeases = async () => {
    const { rows } = await sql`select from outbound_lease where key = 'ups'`.execute(app.db);
    return rows.length;
  };
  const before = await calls();
  const leases = await countLeases();
  expect((await ship("80001")).status).toBe(200);
  await sql`update package set next_poll_at = added_at`.execute(app.db);
  await executeSystemRun(app, "packages.poll");
  expect((await history()).labels).toHaveLength(1);
  const made = (await calls()) - before;
  expect(made).toBeGreaterThanOrEqual(3);
  expect((await countLeases()) - leases).toBe(made);
});
