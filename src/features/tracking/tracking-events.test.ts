import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { disconnectCompany, resetDemo } from "#features/companies/contract.ts";
import { endLink } from "#features/carrier/contract.ts";
import { makeCredential } from "#features/packages/alert-credential.ts";
import { listTracked } from "#features/tracking/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { linkUps, UPS_ACCOUNT } from "../../../test/support/shipping.ts";
import { setGroups } from "../../../test/support/members.ts";
import { runOperate } from "../../../test/support/operate.ts";
import { findAppPlace } from "../../../test/support/places.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { openTrackingDesk, turnOn, until } from "../../../test/support/tracking.ts";

/** A read that a report causes is repeated before. */
const AFTER_READ_MS = 4 * 60_000;

/** A desk where UPS knows our client. */
async function openAlertedDesk() {
  const client = { client_id: "alerts", client_secret: "alerts-secret" };
  const env = { UPS_ALERT_CLIENT_ID: client.client_id, UPS_ALERT_CLIENT_SECRET: client.client_secret };
  const desk = await openTrackingDesk({ env });
  const { app } = desk;
  const url = `${app.url}/webhooks/ups`;
  await app.ups.control("apps", {
    client_id: "dockside-demo",
    webhook: { url, token_url: `${url}/token`, ...client },
  });
  type Subscribed = { subscriptions: { version: string; account: string | null; tracking: string | null }[] };
  const subscribed = async () =>
    (await app.ups.control<Subscribed>("alerts")).subscriptions.map(({ version, account, tracking }) => [
      version,
      account ?? tracking,
    ]);
  return { desk, url, subscribed };
}

test("forged reports from Intuit and events from UPS are refused, and repeated or reordered events change nothing", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  await app.ups.control("settings", { alerts: { duplicates: 2, reversed: true, noise: true } }, "PATCH");
  const [number = ""] = await desk.packages({ ageHours: 1 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  await until(app.clock, desk.list, (list) => list[0]?.state === "label_created");
  const post = async (path: string, headers: Record<string, string>) => {
    const body = JSON.stringify({
      trackingNumber: number,
      activityStatus: { type: "D", code: "FS", description: "DELIVERED", descriptionCode: "011" },
    });
    const reply = await fetch(`${app.url}${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    return reply.status;
  };
  for (const credential of ["", "x", `${ACME}.`, `${ACME}.${"a".repeat(43)}`])
    expect(await post("/webhooks/ups", { credential })).toBe(401);
  for (const signature of ["", "AAAA", Buffer.alloc(32).toString("base64")])
    expect(await post("/intuit/webhook", { "intuit-signature": signature })).toBe(401);
  expect((await desk.list())[0]?.state).toBe("label_created");
  await desk.move(number, "delivered");
  await until(
    desk.app.clock,
    () => desk.files(id),
    (files) => files.length > 0,
  );
  const details = await until(
    desk.app.clock,
    () => desk.details(id),
    ({ state }) => state === "delivered",
  );
  const texts = details.details[0]?.activities.map(({ at, text }) => `${at} ${text.trim()}`) ?? [];
  expect(new Set(texts).size).toBe(texts.length);
  expect(await desk.files(id)).toHaveLength(1);
}, 180_000);

test("TK-01 a vendor's message is answered though its consequences are held up; they follow, once, also of one that came twice", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [number = ""] = await desk.packages({ ageHours: 1 });
  await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await until(app.clock, desk.list, (list) => list[0]?.state === "label_created");
  const at = app.clock.now().toISOString().replaceAll(/[-:]/g, "");
  const body = JSON.stringify({
    trackingNumber: number,
    gmtActivityDate: at.slice(0, 8),
    gmtActivityTime: at.slice(9, 15),
    activityStatus: { type: "I", code: "AR", description: "Arrived at Facility", descriptionCode: "005" },
  });
  const credential = makeCredential(app.application.tracking.sealingKeys, ACME);
  const headers = { "content-type": "application/json", credential };
  const statuses: number[] = [];
  const send = () =>
    void fetch(`${app.url}/webhooks/ups`, { method: "POST", body, headers }).then(({ status }) =>
      statuses.push(status),
    );
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table package in access exclusive mode`.execute(tx);
    send();
    send();
    await app.settle(0);
    expect(statuses).toEqual([200, 200]);
  });
  await app.settle();
  expect((await desk.list())[0]?.state).toBe("in_transit");
  const { rows } = await sql`select from vendor_message`.execute(app.db);
  expect(rows).toEqual([]);
}, 180_000);

test("TK-01 a signed message of Intuit or UPS that is sent again, a minute or a week later, costs no call and changes nothing", async () => {
  const desk = await openTrackingDesk({ mail: true });
  const { app } = desk;
  const [number = ""] = await desk.packages({ ageHours: 1 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  await until(app.clock, desk.list, (list) => list[0]?.state === "label_created");
  await desk.move(number, "delivered");
  await until(
    app.clock,
    () => desk.files(id),
    (files) => files.length > 0,
  );
  const passDays = async (days: number) => {
    app.clock.advance(days * 86_400_000);
    await app.settle(AFTER_READ_MS);
    await desk.browser.signIn("owner@acme.example");
  };
  // All reads of the company are left then.
  await passDays(1);
  const at = app.clock.now().toISOString();
  const event = { type: "qbo.invoice.updated.v1", time: at, intuitentityid: id, intuitaccountid: ACME };
  const changed = JSON.stringify([{ id: "event-1", ...event }]);
  const verifierToken = app.config.intuit.verifierToken ?? "";
  const signature = createHmac("sha256", verifierToken).update(changed).digest("base64");
  const delivered = JSON.stringify({
    trackingNumber: number,
    gmtActivityDate: at.slice(0, 10).replaceAll("-", ""),
    gmtActivityTime: at.slice(11, 19).replaceAll(":", ""),
    activityStatus: { type: "D", code: "FS", description: "DELIVERED", descriptionCode: "011" },
  });
  const credential = makeCredential(app.application.tracking.sealingKeys, ACME);
  const send = async () => {
    const sent = [
      { path: "/intuit/webhook", body: changed, headers: { "intuit-signature": signature } },
      { path: "/webhooks/ups", body: delivered, headers: { credential } },
    ];
    for (const { path, body, headers } of sent) {
      const reply = await fetch(`${app.url}${path}`, { method: "POST", body, headers });
      expect([path, reply.status]).toEqual([path, 200]);
    }
  };
  const count = async () => ({
    reads: (await desk.booksCalls("cdc")).length,
    tracked: await desk.upsCalls("track"),
    files: (await desk.files(id)).length,
    mails: app.mailbox().messages().length,
    detail: (await desk.details(id)).details,
  });
  const before = await count();
  await send();
  await app.settle(60_000);
  const after = await count();
  expect(after.reads).toBe(before.reads + 1);
  // QuickBooks is read once more in three minutes, whether the message comes again or not.
  await send();
  await app.settle(60_000);
  expect(await count()).toEqual(after);
  await passDays(7);
  const later = await count();
  await send();
  await app.settle(AFTER_READ_MS);
  expect(await count()).toEqual(later);
}, 180_000);

test("TK-01 a vendor's message that can't be read stays for ten minutes of attempts, does not keep the others, is then shown to operators as failed, and is read when its fault is over", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [first = ""] = await desk.packages({ ageHours: 1 });
  const [second = ""] = await desk.packages({ ageHours: 1 });
  for (const TrackingNum of [first, second]) await desk.invoice({ TrackingNum });
  await desk.turnOn();
  await until(app.clock, desk.list, (list) => list.every(({ state }) => state === "label_created"));
  const headers = {
    "content-type": "application/json",
    credential: makeCredential(app.application.tracking.sealingKeys, ACME),
  };
  const send = async (trackingNumber: string) => {
    const at = app.clock.now().toISOString().replaceAll(/[-:]/g, "");
    const body = JSON.stringify({
      trackingNumber,
      gmtActivityDate: at.slice(0, 8),
      gmtActivityTime: at.slice(9, 15),
      activityStatus: { type: "I", code: "AR", description: "Arrived at Facility", descriptionCode: "005" },
    });
    expect((await fetch(`${app.url}/webhooks/ups`, { method: "POST", body, headers })).status).toBe(200);
  };
  const readRun = async () => {
    const { rows } = await sql<{ state: string; failures: number }>`
      select state, failures from run where kind = 'tracking.inbox' order by requested_at desc limit 1`.execute(
      app.db,
    );
    return rows[0];
  };
  const count = async () => (await sql`select from vendor_message`.execute(app.db)).rows.length;
  const readState = async (number: string) => {
    const { rows } = await sql<{ state: string }>`select state from package where number = ${number}`.execute(
      app.db,
    );
    return rows[0]?.state;
  };
  await sql
    .raw(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.number = '${first}' then raise exception 'a fault of ours'; end if; return new; end $$;
    create trigger refuse before update on package for each row execute function refuse()`)
    .execute(app.db);
  await send(first);
  await app.settle(9 * 60_000);
  expect([await count(), await readRun()]).toMatchObject([1, { state: "waiting", failures: 0 }]);
  await send(second);
  await app.settle(0);
  expect([await readState(second), await count()]).toEqual(["in_transit", 1]);
  app.clock.advance(20 * 60_000);
  await app.settle(0);
  const failed = await readRun();
  expect([await count(), failed?.state]).toEqual([1, "waiting"]);
  expect(failed?.failures).toBeGreaterThan(0);
  await sql`drop trigger refuse on package`.execute(app.db);
  app.clock.advance(2 * 3_600_000);
  await app.settle(0);
  expect([await readState(first), await count(), (await readRun())?.state]).toEqual([
    "in_transit",
    0,
    "done",
  ]);
}, 180_000);

test("TK-01 where UPS knows our client, a company's account is subscribed once, without renewals, until it is disconnected; packages of other accounts by their numbers", async () => {
  const { desk, url, subscribed } = await openAlertedDesk();
  const { app } = desk;
  const [own = ""] = await desk.packages({ ageHours: 1 });
  const [foreign = ""] = await desk.packages({ ageHours: 1, account: "012345", scenario: "never_scanned" });
  for (const TrackingNum of [own, foreign]) await desk.invoice({ TrackingNum });
  await desk.turnOn();
  const both = await until(app.clock, subscribed, (found) => found.length > 1);
  expect(both.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ["v1", foreign],
    ["v2", UPS_ACCOUNT],
  ]);
  await desk.move(own, "arrived");
  await until(app.clock, desk.list, (list) => list.some(({ state }) => state === "in_transit"));
  const token = (authorization: string) =>
    fetch(`${url}/token`, { method: "POST", headers: { authorization } }).then(({ status }) => status);
  expect([await token(""), await token(`Basic ${btoa("alerts:wrong")}`)]).toEqual([401, 401]);
  const posted = (authorization: string) =>
    fetch(url, { method: "POST", body: "{}", headers: { authorization } }).then(({ status }) => status);
  expect([await posted("Bearer 1.x"), await posted(`Bearer ${app.clock.now().getTime() * 2}.x`)]).toEqual([
    401, 401,
  ]);
  const calls = await desk.upsCalls("subscribe_account");
  app.clock.advance(11 * 86_400_000);
  await app.settle(120_000);
  expect([calls, await desk.upsCalls("subscribe_account")]).toEqual([1, 1]);
  await desk.browser.signIn("owner@acme.example");
  const query = { realm_id: ACME, ups_account: UPS_ACCOUNT };
  expect((await desk.browser.call(endLink, { query })).status).toBe(200);
  expect((await subscribed()).map(([version]) => version)).not.toContain("v2");
}, 180_000);

test("TK-01 a UPS account that is connected again is subscribed again; another one ends the former's subscription, and so does the deletion of its company", async () => {
  const { desk, subscribed } = await openAlertedDesk();
  const { app } = desk;
  const [own = ""] = await desk.packages({ ageHours: 1 });
  const [foreign = ""] = await desk.packages({ ageHours: 1, account: "012345", scenario: "never_scanned" });
  for (const TrackingNum of [own, foreign]) await desk.invoice({ TrackingNum });
  await desk.turnOn();
  const accounts = async () =>
    (await subscribed()).flatMap(([version, account]) => (version === "v2" ? [account] : []));
  await until(app.clock, accounts, (found) => found.length > 0);
  await desk.browser.signIn("owner@acme.example");
  await linkUps(app, desk.browser);
  await until(
    app.clock,
    () => desk.upsCalls("subscribe_account"),
    (calls) => calls === 2,
  );
  expect(await accounts()).toEqual([UPS_ACCOUNT]);
  await desk.browser.signIn("owner@acme.example");
  await linkUps(app, desk.browser, { account: "012345", user: "bay-shipping" });
  expect(await accounts()).toEqual([]);
  expect(await until(app.clock, accounts, (found) => found.length > 0)).toEqual(["012345"]);
  await desk.browser.call(disconnectCompany, { query: { realm_id: ACME } });
  await sql`update subscription set ended_at = now() where realm_id = ${ACME}`.execute(app.db);
  await sql`update intuit_connection set updated_at = now() - interval '31 days' where realm_id = ${ACME}`.execute(
    app.db,
  );
  const place = { ...(await findAppPlace(app)), SIM_UPS_PORT: new URL(app.ups.url).port };
  const { code, output } = await runOperate(place, "company", "delete", ACME, "--name", "Acme Tools");
  expect([code, output]).toEqual([0, expect.stringMatching(/^Deleted Acme Tools/)]);
  expect(await accounts()).toEqual([]);
}, 180_000);

test("TK-01 GA-03 the next owner of a disconnected company gets no events of its former admin's UPS account", async () => {
  const { desk, subscribed } = await openAlertedDesk();
  const [TrackingNum = ""] = await desk.packages({ ageHours: 1 });
  await desk.invoice({ TrackingNum });
  await desk.turnOn();
  await until(desk.app.clock, subscribed, (found) => found.length > 0);
  await desk.browser.signIn("owner@acme.example");
  await desk.browser.call(disconnectCompany, { query: { realm_id: ACME } });
  expect(await subscribed()).toEqual([["v2", UPS_ACCOUNT]]);
  const next = desk.app.browser();
  await next.signIn("platform@dockside.example");
  expect(await next.connect("platform@dockside.example", ACME)).toBe(`/app/?connected=${ACME}`);
  expect(await subscribed()).toEqual([]);
}, 180_000);

test("TK-01 a change that Intuit reports is read in one pass over the company", async () => {
  const desk = await openTrackingDesk();
  await desk.turnOn();
  const read = async () => {
    const { rows } = await sql<{ fence: number; state: string; read_until: Date | null }>`
      select fence, state, read_until from run join tracking_company using (realm_id)
      where realm_id = ${ACME} and kind = 'tracking.watch'`.execute(desk.app.db);
    return rows[0];
  };
  const before = await until(
    desk.app.clock,
    read,
    (run) => run?.state === "waiting" && run.read_until !== null,
  );
  await desk.invoice({ DocNumber: "N-1" });
  const after = await until(
    desk.app.clock,
    read,
    (run) => run?.state === "waiting" && Number(run.read_until) > Number(before?.read_until),
  );
  expect(Number(after?.fence) - Number(before?.fence)).toBe(1);
}, 180_000);

test("TK-01 TK-13 a scan that only says that a package is on its way is shown at once, without a pass over the company", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 39 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await until(
    desk.app.clock,
    () => desk.readInvoice(id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
  const readWoken = async () => {
    const { rows } = await sql<{ at: Date }>`select wake_requested_at as at from tracking_company`.execute(
      desk.app.db,
    );
    return rows[0]?.at;
  };
  // Reports of our own write are left out, so that nothing else wakes the company.
  const before = await until(desk.app, readWoken, (at) => at !== undefined);
  await desk.move(number, "out_for_delivery");
  const list = await until(desk.app, desk.list, ([invoice]) => invoice?.state === "out_for_delivery");
  expect(list[0]?.local_time).not.toBe("");
  expect(await readWoken()).toEqual(before);
  await desk.move(number, "delivered");
  await until(desk.app, desk.list, ([invoice]) => invoice?.state === "delivered");
  expect(await readWoken()).not.toEqual(before);
}, 180_000);

test("TK-01 a delivery that UPS's event has and its tracking doesn't yet is kept, and asked about until tracking has it", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [number = ""] = await desk.packages({ ageHours: 39 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await until(app.clock, desk.list, ([invoice]) => invoice?.state === "in_transit");
  await desk.move(number, "out_for_delivery");
  await until(app.clock, desk.list, ([invoice]) => invoice?.state === "out_for_delivery");
  // From here on tracking knows more only when this test lets it.
  await app.ups.control("settings", { alerts: { off: true } }, "PATCH");
  const at = app.clock.now().toISOString().replaceAll(/[-:]/g, "");
  const body = JSON.stringify({
    trackingNumber: number,
    gmtActivityDate: at.slice(0, 8),
    gmtActivityTime: at.slice(9, 15),
    activityStatus: { type: "D", code: "FS", description: "DELIVERED EARLY", descriptionCode: "011" },
  });
  const credential = makeCredential(app.application.tracking.sealingKeys, ACME);
  const headers = { "content-type": "application/json", credential };
  const countPolls = () => desk.upsCalls("track");
  const before = await countPolls();
  expect((await fetch(`${app.url}/webhooks/ups`, { method: "POST", body, headers })).status).toBe(200);
  const countAfter = async (minutes: number) => {
    app.clock.advance(minutes * 60_000);
    await app.settle(0);
    return (await countPolls()) - before;
  };
  await app.settle(0);
  const counts: number[] = [];
  for (const minutes of [6, 6, 4, 60, 6, 60]) counts.push(await countAfter(minutes));
  const texts = async () => (await desk.details(id)).details[0]?.activities.map(({ text }) => text.trim());
  expect(await texts()).toContain("DELIVERED EARLY");
  expect((await desk.list())[0]?.state).toBe("out_for_delivery");
  // Each wait is half of what passed since, so that a delivery which UPS takes back costs little.
  expect(counts).toEqual([2, 3, 3, 4, 4, 5]);
  await desk.move(number, "delivered");
  await countAfter(120);
  expect((await desk.list())[0]?.state).toBe("delivered");
  expect(await texts()).not.toContain("DELIVERED EARLY");
}, 180_000);

test.each([
  { fault: "refusal", status: 403, code: "250003" },
  { fault: "refusal", status: 400, code: "VSS930" },
  { fault: "server_error" },
  { fault: "drop" },
])(
  "TK-01 packages are followed by polling where UPS sends no events: %o",
  async (fault) => {
    const desk = await openTrackingDesk();
    await desk.app.ups.control("faults", { ...fault, operation: "subscribe", times: 1_000 });
    const [number = ""] = await desk.packages({ ageHours: 60 });
    const { Id: id } = await desk.invoice({ TrackingNum: number });
    await desk.turnOn();
    await desk.set({ attach_pods: "true" });
    const files = await until(
      desk.app.clock,
      () => desk.files(id),
      (found) => found.length > 0,
    );
    expect(files).toHaveLength(1);
    expect(await desk.upsCalls("subscribe")).toBeGreaterThan(0);
    expect(await desk.status()).toMatchObject({ problem: "", counts: { delivered: 1 } });
  },
  180_000,
);

test("TK-01 the demo's invoices have packages in several states as soon as the service is on", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await setGroups(app.db, ["app", "brainchild", "admin"]);
  expect((await browser.call(resetDemo)).status).toBe(200);
  await turnOn(app);
  type List = { invoices: { state: string; packages: number; not_followed: string[] }[] };
  const list = async () =>
    ((await browser.call(listTracked, { query: { realm_id: ACME } })).json() as List).invoices;
  const found = await until(app.clock, list, (invoices) => {
    const states = new Set(invoices.map(({ state }) => state));
    return ["delivered", "out_for_delivery", "exception", "in_transit", "label_created"].every((state) =>
      states.has(state),
    );
  });
  expect(found.some(({ packages }) => packages === 2)).toBe(true);
  expect(found.flatMap((invoice) => invoice.not_followed)).toEqual(["FedEx"]);
}, 180_000);

test("TK-01 an event of UPS reaches every company that follows the number, though UPS knows the last subscriber only", async () => {
  const desk = await openTrackingDesk();
  const { app, browser } = desk;
  await browser.connect("owner@acme.example", BAY);
  await turnOn(app, BAY);
  await linkUps(app, browser, { realmId: BAY, account: "012345", user: "bay-shipping" });
  const [number = ""] = await desk.packages({ ageHours: 40 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  const { CustomerRef, Line } = await app.intuit.control<Record<string, object>>(
    `books/${ACME}/invoice/${id}`,
  );
  await app.intuit.control(`books/${BAY}/invoice`, { CustomerRef, Line, TrackingNum: number });
  const states = () =>
    Promise.all(
      [ACME, BAY].map(async (realm_id) => {
        const reply = await browser.call(listTracked, { query: { realm_id } });
        return (reply.json() as { invoices: { state: string }[] }).invoices[0]?.state;
      }),
    );
  await desk.turnOn();
  await until(app.clock, states, (found) => found.every((state) => state === "in_transit"));
  await until(
    desk.app.clock,
    () => desk.upsCalls("subscribe"),
    (calls) => calls === 2,
  );
  await desk.move(number, "out_for_delivery");
  await until(app.clock, states, (found) => found.every((state) => state === "out_for_delivery"));
}, 180_000);
