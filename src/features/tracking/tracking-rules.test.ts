import { expect, test } from "vitest";
import { checkNow, readProof } from "#features/tracking/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { endService, openTrackingDesk, until } from "../../../test/support/tracking.ts";

const QUERY = { realm_id: ACME };
const DAY_MS = 24 * 3_600_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

test("TK-08 TK-09 each of several numbers on an invoice is followed, and the invoice is delivered when all are", async () => {
  const desk = await openTrackingDesk();
  const [first = "", other = ""] = await desk.packages({ packages: 2, ageHours: 40 });
  const { Id: id } = await desk.invoice({
    DocNumber: "M-1",
    TrackingNum: `${first}, ${other}; FedEx 794612345678`,
  });
  await desk.invoice({ DocNumber: "M-2", TrackingNum: "9400100000000000000000" });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  await until(
    desk.app.clock,
    desk.list,
    (list) => list.find((each) => each.id === id)?.state === "in_transit",
  );
  await desk.move(first, "delivered");
  const half = await until(desk.app.clock, desk.list, (list) =>
    list.some(({ delivered }) => delivered === 1),
  );
  expect(half.find((each) => each.id === id)).toMatchObject({
    state: "in_transit",
    packages: 2,
    not_followed: ["FedEx"],
  });
  expect(half.find(({ number }) => number === "M-2")).toMatchObject({ packages: 0, not_followed: ["USPS"] });
  await desk.move(other, "delivered");
  await until(
    desk.app.clock,
    desk.list,
    (list) => list.find((each) => each.id === id)?.state === "delivered",
  );
  const files = await until(
    desk.app.clock,
    () => desk.files(id),
    (found) => found.length === 2,
  );
  expect(files.map(({ FileName }) => FileName).sort()).toEqual(
    [first, other].map((number) => `proof-of-delivery-${number}.pdf`).sort(),
  );
  expect(await desk.list({ show: "delivered" })).toHaveLength(1);
  expect(await desk.list({ q: other.slice(-6) })).toHaveLength(1);
  expect(await desk.list({ q: "nothing of that" })).toEqual([]);
}, 180_000);

test("TK-05 TK-06 TK-07 nothing is written twice, older invoices are left alone, and proofs are attached only if requested", async () => {
  const desk = await openTrackingDesk();
  const [number = "", older = "", full = ""] = await desk.packages({ packages: 3, ageHours: 60 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  const old = await desk.invoice({ TrackingNum: older, TxnDate: dayBefore(40) });
  const typed = { ShipDate: dayBefore(1), ShipMethodRef: { value: "Truck", name: "Truck" } };
  const complete = await desk.invoice({ TrackingNum: full, ...typed });
  await desk.turnOn();
  await until(desk.app.clock, desk.status, ({ counts }) => counts.delivered === 2);
  await until(
    desk.app.clock,
    () => desk.readInvoice(id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
  expect(await desk.readInvoice(old.Id)).toEqual(old);
  expect(await desk.readInvoice(complete.Id)).toEqual(complete);
  expect((await desk.status()).counts).toMatchObject({ watched: 2, delivered: 2 });
  expect(await desk.files(id)).toEqual([]);
  const proof = await desk.browser.download(readProof, { query: QUERY, params: { number } });
  expect(Buffer.from(proof).subarray(0, 5).toString()).toBe("%PDF-");
  expect((await desk.browser.call(checkNow, { query: QUERY })).status).toBe(202);
  // A longer lookback includes older invoices.
  await desk.set({ attach_pods: "true", invoice_lookback: 60 });
  await until(
    desk.app.clock,
    () => desk.files(old.Id),
    (files) => files.length === 1,
  );
  await until(
    desk.app.clock,
    () => desk.files(id),
    (files) => files.length === 1,
  );
  expect(await desk.booksCalls("invoice.update")).toHaveLength(2);
}, 180_000);

test("TK-06 a lookback that was shortened for a while reads what it left out once it is longer again", async () => {
  const desk = await openTrackingDesk();
  await desk.invoice({ DocNumber: "L-0", TrackingNum: (await desk.packages({ ageHours: 60 }))[0] });
  await desk.turnOn();
  const numbers = async () => (await desk.list()).map(({ number }) => number).toSorted();
  await until(desk.app.clock, numbers, (found) => found.length === 1);
  await desk.set({ invoice_lookback: 5 });
  await desk.app.settle(60_000);
  const [number = ""] = await desk.packages({ ageHours: 60 });
  await desk.invoice({ DocNumber: "L-10", TrackingNum: number, TxnDate: dayBefore(10) });
  await desk.app.settle(600_000);
  expect(await numbers()).toEqual(["L-0"]);
  await desk.set({ invoice_lookback: 30 });
  await desk.app.settle(600_000);
  expect(await numbers()).toEqual(["L-0", "L-10"]);
}, 180_000);

test("TK-14 TK-15 a check can be requested once a minute; following stops with the service and catches up when it returns", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 40 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await endService(desk.app);
  expect((await desk.browser.call(checkNow, { query: QUERY })).status).toBe(402);
  expect(await desk.status()).toMatchObject({ state: "off", counts: { watched: 0 } });
  await desk.turnOn();
  await until(desk.app.clock, desk.list, (list) => list[0]?.state === "in_transit");
  const calls = await desk.upsCalls("track");
  expect((await desk.browser.call(checkNow, { query: QUERY })).status).toBe(202);
  const again = await desk.browser.call(checkNow, { query: QUERY });
  expect([again.status, again.json()]).toEqual([429, expect.objectContaining({ code: "checked_just_now" })]);
  await until(
    desk.app.clock,
    () => desk.upsCalls("track"),
    (found) => found > calls,
  );
  await endService(desk.app);
  await until(desk.app.clock, desk.status, ({ state }) => state === "off");
  await desk.app.ups.control("settings", { alerts: { off: true } }, "PATCH");
  await desk.move(number, "delivered");
  expect((await desk.list())[0]).toMatchObject({ id, state: "in_transit" });
  await desk.turnOn();
  await desk.app.db
    .updateTable("package" as never)
    .set({ next_poll_at: desk.app.clock.now() } as never)
    .execute();
  await until(desk.app.clock, desk.list, (list) => list[0]?.state === "delivered");
}, 180_000);

test("TK-03 with a database older than the files in QuickBooks, nothing is attached twice", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  const before = await until(
    desk.app.clock,
    () => desk.files(id),
    (files) => files.length === 1,
  );
  await desk.forget();
  await desk.turnOn();
  const { details } = await until(
    desk.app.clock,
    () => desk.details(id).catch(() => ({ details: [] })),
    ({ details: [detail] }) => detail !== undefined && detail.proof.attached_at !== null,
  );
  expect(details).toHaveLength(1);
  expect(await desk.files(id)).toEqual(before);
  expect(await desk.booksCalls("upload")).toHaveLength(1);
}, 180_000);

test("an invoice gets one file for all its packages, sent along when it is mailed, if the company wants that", async () => {
  const desk = await openTrackingDesk();
  const [first = "", other = ""] = await desk.packages({ packages: 2, ageHours: 40 });
  const { Id: id } = await desk.invoice({ TrackingNum: `${first}, ${other}` });
  await desk.turnOn();
  await desk.set({ attach_pods: "true", pods_together: "true", pods_on_send: "true" });
  // Both are followed, or UPS would send no event of what happens between the first poll and the subscription.
  await desk.app.settle();
  await desk.move(first, "delivered");
  await until(desk.app.clock, desk.list, (list) => list[0]?.delivered === 1);
  expect(await desk.files(id)).toEqual([]);
  await desk.move(other, "delivered");
  const files = await until(
    desk.app.clock,
    () => desk.files(id),
    (found) => found.length > 0,
  );
  expect(files).toMatchObject([
    { FileName: "proofs-of-delivery.pdf", AttachableRef: [{ IncludeOnSend: true }] },
  ]);
  const { details } = await until(
    desk.app.clock,
    () => desk.details(id),
    (found) => found.details.every(({ proof }) => proof.attached_at !== null),
  );
  expect(details.map(({ proof }) => proof.problem)).toEqual(["", ""]);
}, 180_000);

test("one file of all packages waits for none that can't get a proof, and a package that is added later gets its own file", async () => {
  const desk = await openTrackingDesk();
  const [first = "", second = "", added = ""] = await desk.packages({ packages: 3, ageHours: 40 });
  const [returned = ""] = await desk.packages({ scenario: "returned", ageHours: 44 });
  const { Id: id } = await desk.invoice({ TrackingNum: `${first}, ${returned}, ${second}` });
  await desk.turnOn();
  await desk.set({ attach_pods: "true", pods_together: "true" });
  for (const number of [first, second]) await desk.move(number, "delivered");
  await until(desk.app.clock, desk.list, (list) => list[0]?.delivered === 2);
  expect(await desk.files(id)).toEqual([]);
  for (const event of ["attempted", "returning"]) {
    await desk.move(returned, event);
    await desk.app.settle();
  }
  const listNames = async () => (await desk.files(id)).map(({ FileName }) => FileName);
  expect(await until(desk.app.clock, listNames, (names) => names.length > 0)).toEqual([
    "proofs-of-delivery.pdf",
  ]);
  await desk.edit(id, { TrackingNum: `${first}, ${returned}, ${second}, ${added}` });
  await until(desk.app.clock, desk.list, (list) => list[0]?.packages === 4);
  const attached = async () =>
    (await desk.details(id)).details.flatMap(({ number, proof }) => (proof.attached_at ? [number] : []));
  expect(await attached()).toEqual([first, second]);
  await desk.move(added, "delivered");
  expect(await until(desk.app.clock, listNames, (names) => names.length > 1)).toEqual([
    "proofs-of-delivery.pdf",
    `proof-of-delivery-${added}.pdf`,
  ]);
  await until(desk.app.clock, attached, (numbers) => numbers.includes(added));
}, 180_000);

test("TK-05 what an invoice lacks since QuickBooks' shipping fields were off is written once they are on again", async () => {
  const desk = await openTrackingDesk();
  const allow = (AllowShipping: boolean) =>
    desk.app.intuit.control(
      `companies/${ACME}`,
      { preferences: { SalesFormsPrefs: { AllowShipping } } },
      "PATCH",
    );
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await allow(false);
  await desk.turnOn();
  await until(desk.app.clock, desk.status, ({ counts }) => counts.delivered === 1);
  expect((await desk.status()).shipping_fields).toBe("off");
  expect(await desk.booksCalls("invoice.update")).toEqual([]);
  await allow(true);
  expect((await desk.browser.call(checkNow, { query: QUERY })).status).toBe(202);
  await until(
    desk.app.clock,
    () => desk.readInvoice(id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
}, 180_000);
