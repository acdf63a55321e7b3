import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME } from "../support/intuit.ts";
import { steppedClock, type SteppedClock } from "../support/stepped-clock.ts";
import { endService, openTrackingDesk, until, type TrackingDesk } from "../support/tracking.ts";
import { copyRows } from "./support/copied-rows.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const OWNER = "owner@acme.example";

type Desk = TrackingDesk & { clock: SteppedClock };

/** A desk whose service is on, with packages on their way, each on an invoice of its own. */
async function openRoad(count: number, options: { mail?: boolean } = {}) {
  const clock = steppedClock();
  const desk: Desk = { ...(await openTrackingDesk({ clock, ...options })), clock };
  const numbers = await desk.packages({ packages: count, ageHours: 40 });
  const invoices: string[] = [];
  for (const number of numbers) invoices.push((await desk.invoice({ TrackingNum: number })).Id);
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  await until(
    desk.app.clock,
    desk.status,
    ({ counts, progress }) => counts.moving === count && progress === null,
  );
  return { desk, clock, numbers, invoices };
}

/** Lets hours pass in steps, each with its passes; the session of the desk's browser ends meanwhile and is begun again. */
async function letPass({
  desk,
  clock,
  hours,
}: {
  desk: Desk;
  clock: SteppedClock;
  hours: number;
}): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 20) {
    clock.advance(20 * MINUTE_MS);
    const due = () =>
      sql`select from run where kind = 'tracking.watch' and state in ('queued', 'working', 'waiting')
        and (state <> 'waiting' or due_at <= ${clock.now()})`.execute(desk.app.db);
    await until(desk.app.clock, due, ({ rows }) => rows.length === 0);
  }
  await desk.browser.signIn(OWNER);
}

const countFiles = async (desk: TrackingDesk, invoices: readonly string[]) =>
  (await Promise.all(invoices.map((id) => desk.files(id)))).map((files) => files.length);

const each = (value: number, count: number) => Array.from({ length: count }, () => value);

const allFiled = (desk: TrackingDesk, invoices: readonly string[]) =>
  until(
    desk.app.clock,
    () => countFiles(desk, invoices),
    (files) => files.every((count) => count >= 1),
  );

test("TK-02 TK-03 while UPS is down for six hours it is asked now and then, and afterwards each proof is filed once", async () => {
  const { desk, clock, numbers, invoices } = await openRoad(6);
  const { ups } = desk.app;
  await ups.control("settings", { alerts: { off: true } }, "PATCH");
  await ups.control("faults", { fault: "server_error", times: 1_000_000 });
  for (const number of numbers) await desk.move(number, "delivered");
  // Looks are due.
  clock.advance(36 * HOUR_MS);
  const countCalls = async () => (await ups.control<{ entries: object[] }>("journal")).entries.length;
  const before = await countCalls();
  await letPass({ desk, clock, hours: 6 });
  expect(await desk.status()).toMatchObject({ problem: expect.stringContaining("UPS isn't responding") });
  const asked = (await countCalls()) - before;
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(6 * 12 + 12);
  await ups.control("faults", undefined, "DELETE");
  clock.advance(10 * MINUTE_MS);
  await desk.browser.signIn(OWNER);
  await allFiled(desk, invoices);
  await until(desk.app.clock, desk.status, ({ problem, counts }) => problem === "" && counts.delivered === 6);
  expect(await countFiles(desk, invoices)).toEqual(each(1, 6));
}, 240_000);

test("TK-02 TK-03 while QuickBooks is down for six hours it is read now and then, and afterwards each proof is filed once", async () => {
  // Reads of QuickBooks are tried again by themselves for half a minute.
  const { desk, clock, numbers, invoices } = await openRoad(6);
  const { intuit } = desk.app;
  await intuit.control("faults", [{ fault: "503", match: { realmId: ACME } }]);
  for (const number of numbers) await desk.move(number, "delivered");
  // Reads are due, and packages bring passes of their own.
  clock.advance(25 * HOUR_MS);
  const before = (await desk.booksCalls("cdc")).length;
  await letPass({ desk, clock, hours: 6 });
  const status = await desk.status();
  expect(status).toMatchObject({ problem: expect.stringContaining("QuickBooks isn't responding") });
  expect(status.counts.delivered).toBe(6);
  // One every five minutes.
  expect((await desk.booksCalls("cdc")).length - before).toBeLessThanOrEqual(6 * 12 + 12);
  await intuit.control("faults", undefined, "DELETE");
  await until(
    desk.app.clock,
    async () => {
      await letPass({ desk, clock, hours: 1 });
      return countFiles(desk, invoices);
    },
    (files) => files.every((count) => count === 1),
  );
  await until(desk.app.clock, desk.status, ({ problem }) => problem === "");
  expect(await countFiles(desk, invoices)).toEqual(each(1, 6));
}, 240_000);

test("TK-02 TK-03 a revoked connection is mailed once, and everything goes on after the company is connected again", async () => {
  const { desk, clock, numbers, invoices } = await openRoad(3, { mail: true });
  await desk.app.intuit.control("tokens/revoke", { realmId: ACME });
  for (const number of numbers) await desk.move(number, "delivered");
  await until(
    desk.app.clock,
    desk.status,
    ({ problem, counts }) => problem.includes("Reconnect the company") && counts.delivered === 3,
  );
  await letPass({ desk, clock, hours: 6 });
  const mails = desk.app
    .mailbox()
    .messages()
    .map(({ subject }) => subject);
  expect(mails.filter((subject) => /connect/i.test(subject))).toHaveLength(1);
  expect(await countFiles(desk, invoices)).toEqual(each(0, 3));
  const late = await desk.invoice({ TrackingNum: (await desk.packages({ ageHours: 60 }))[0] });
  await desk.browser.connect(OWNER, ACME);
  await allFiled(desk, invoices);
  await allFiled(desk, [...invoices, late.Id]);
  await until(desk.app.clock, desk.status, ({ problem }) => problem === "");
  expect(await countFiles(desk, [...invoices, late.Id])).toEqual(each(1, 4));
}, 240_000);

test("TK-15 TK-03 a company that leaves is not followed, keeps its data, and catches up with one proof each when it returns", async () => {
  const { desk, clock, numbers, invoices } = await openRoad(3);
  const [first = "", ...others] = numbers;
  await desk.move(first, "delivered");
  await until(
    desk.app.clock,
    () => desk.files(invoices[0] ?? ""),
    (files) => files.length === 1,
  );
  await endService(desk.app);
  await until(desk.app.clock, desk.status, ({ state }) => state === "off");
  const looks = await desk.upsCalls("track");
  for (const number of others) await desk.move(number, "delivered");
  const late = await desk.invoice({ TrackingNum: (await desk.packages({ ageHours: 60 }))[0] });
  await letPass({ desk, clock, hours: 48 });
  expect(await desk.upsCalls("track")).toBe(looks);
  expect(await countFiles(desk, invoices)).toEqual([1, 0, 0]);
  expect(await desk.list()).toHaveLength(3);
  expect((await desk.list())[0]?.state).not.toBe("ended");
  await desk.turnOn();
  await allFiled(desk, [...invoices, late.Id]);
  await until(desk.app.clock, desk.status, ({ counts }) => counts.delivered === 4);
  expect(await countFiles(desk, [...invoices, late.Id])).toEqual(each(1, 4));
}, 240_000);

test("TK-03 rows of a backup that are put back while the product runs attach nothing twice, without a read for each file", async () => {
  const { desk, clock, numbers, invoices } = await openRoad(5);
  const deliver = async (from: number, to: number) => {
    for (const number of numbers.slice(from, to)) await desk.move(number, "delivered");
    await allFiled(desk, invoices.slice(from, to));
    await until(
      desk.app.clock,
      desk.list,
      (list) => list.filter(({ state }) => state === "delivered").length === to,
    );
  };
  const searches = async () => (await desk.booksCalls("query")).length;
  await deliver(0, 1);
  clock.advance(3 * HOUR_MS);
  await desk.browser.signIn(OWNER);
  // Tokens are renewed before the backup: those of an older one work only once.
  await deliver(1, 2);
  const before = await searches();
  const restore = await copyRows(desk.app.db);
  await deliver(2, 5);
  expect(await searches()).toBe(before);
  const uploads = (await desk.booksCalls("upload")).length;
  await restore();
  await sql`update package set next_poll_at = ${clock.now()} where next_poll_at is not null`.execute(
    desk.app.db,
  );
  await desk.browser.signIn(OWNER);
  await desk.turnOn();
  for (const id of invoices)
    await until(
      desk.app.clock,
      () => desk.details(id),
      ({ details: [detail] }) => detail !== undefined && detail.proof.attached_at !== null,
    );
  expect(await countFiles(desk, invoices)).toEqual(each(1, 5));
  expect(await desk.booksCalls("upload")).toHaveLength(uploads);
  expect(await searches()).toBeLessThanOrEqual(before + 3);
}, 240_000);

test("TK-06 TK-15 a service that begins with thousands of invoices follows all of them, in passes of few packages, and says how far it is", async () => {
  const clock = steppedClock();
  const desk = await openTrackingDesk({ clock });
  // More than QuickBooks answers at once.
  const count = 1_050;
  const numbers = await desk.packages({ packages: count, ageHours: 20 });
  // UPS has deleted this one.
  const [gone = ""] = await desk.packages({ ageHours: 24 * 130 });
  const all = [...numbers, gone].values();
  const makeInvoices = async () => {
    for (const number of all) await desk.invoice({ TrackingNum: number });
  };
  await Promise.all(Array.from({ length: 8 }, makeInvoices));
  await desk.turnOn();
  const { progress } = await until(
    desk.app.clock,
    desk.status,
    (status) => (status.progress?.polled ?? 0) > 0,
  );
  expect(progress).toMatchObject({ of: count + 1 });
  const { polled = 0 } = progress ?? {};
  await until(desk.app.clock, desk.status, (status) => (status.progress?.polled ?? count) > polled);
  const reads = (await desk.booksCalls("query")).length;
  expect(reads).toBeLessThanOrEqual(4);
  // No pass keeps other companies waiting for long.
  const { rows } = await sql<{ fence: number }>`select fence from run where kind = 'tracking.watch'`.execute(
    desk.app.db,
  );
  const passes = Number(rows[0]?.fence ?? 0);
  const seen = (await desk.status()).progress?.polled ?? 0;
  expect(seen / passes).toBeLessThanOrEqual(30);
  await sql`update package set next_poll_at = ${clock.now()} where number = ${gone}`.execute(desk.app.db);
  await sql`update package set next_poll_at = ${new Date(clock.now().getTime() + HOUR_MS)}
    where number <> ${gone} and polled_at is null`.execute(desk.app.db);
  const [found] = await until(
    desk.app.clock,
    () => desk.list({ q: gone }),
    ([invoice]) => invoice?.state === "not_found",
  );
  expect(found?.packages).toBe(1);
}, 240_000);
