import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME } from "../../../test/support/intuit.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

const HOUR_MS = 3_600_000;

test("TK-11 an empty proof is requested again after 1, 6, 24 and 72 h, then one is made from the activities", async () => {
  const clock = steppedClock();
  const desk = await openTrackingDesk({ clock });
  await desk.app.ups.control("settings", { proofDelayMs: 1_000 * HOUR_MS }, "PATCH");
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  const read = async () => (await desk.details(id)).details[0]?.proof;
  const later = async (ms: number) => {
    clock.advance(ms);
    // The session has ended.
    await desk.browser.signIn("owner@acme.example");
  };
  await until(
    desk.app.clock,
    () => desk.list(),
    (list) => list.length > 0,
  );
  let proof = await until(desk.app.clock, read, (current) => current?.state === "waiting");
  const askedAt = Date.parse(proof?.due_at ?? "") - HOUR_MS;
  for (const hours of [6, 24, 72]) {
    const before = proof?.due_at;
    await later(askedAt + hours * HOUR_MS - clock.now().getTime() - HOUR_MS / 2);
    proof = await until(desk.app.clock, read, (current) => current?.due_at !== before);
    expect(Math.round((Date.parse(proof?.due_at ?? "") - askedAt) / HOUR_MS)).toBe(hours);
    expect(await desk.files(id)).toEqual([]);
  }
  await later(HOUR_MS);
  await until(
    desk.app.clock,
    () => desk.files(id),
    (files) => files.length === 1,
  );
  expect(await read()).toMatchObject({ state: "activity", due_at: null, problem: "" });
}, 240_000);

test("TK-11 proofs of packages about which UPS gives no answer don't keep others from theirs", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  await app.ups.control("settings", { proofDelayMs: 1_000 * HOUR_MS }, "PATCH");
  const numbers = await desk.packages({ packages: 4, ageHours: 60 });
  for (const TrackingNum of numbers) await desk.invoice({ TrackingNum });
  await desk.turnOn();
  const find = async (state: string) => {
    const { rows } = await sql<{ number: string }>`select number from tracked_proof
      where state = ${state} and requests > 0 order by number`.execute(app.db);
    return rows.map(({ number }) => number);
  };
  await until(
    app.clock,
    () => find("waiting"),
    (found) => found.length === 4,
  );
  await app.ups.control("settings", { proofDelayMs: 0 }, "PATCH");
  const bad = numbers.slice(0, 2);
  for (const number of bad)
    await app.ups.control("faults", {
      fault: "server_error",
      path: `/api/track/v1/details/${number}`,
      times: 1_000,
    });
  await sql`update tracked_proof set due_at = due_at - interval '1 minute'
    where number = any (${bad}::text[])`.execute(app.db);
  app.clock.advance(HOUR_MS);
  await app.settle(11 * 60_000);
  expect(await find("carrier")).toEqual(numbers.slice(2).toSorted());
  await app.ups.control("faults", undefined, "DELETE");
  app.clock.advance(HOUR_MS);
  await app.settle();
  expect(await find("carrier")).toEqual(numbers.toSorted());
}, 240_000);

test("TK-12 packages that need attention are mailed once per cause and day, and a digest is sent on days with news", async () => {
  // At noon, where the company is: before the digest of the next day UPS has not yet got over the exceptions.
  const hours = { timeZone: "America/Los_Angeles", hour: "numeric", hourCycle: "h23" } as const;
  const clock = steppedClock();
  const hour = Number(new Intl.DateTimeFormat("en-US", hours).format(clock.now()));
  clock.advance((36 - hour) * HOUR_MS);
  const desk = await openTrackingDesk({ clock, mail: true });
  await desk.set({ contact_email: "ops@acme.example" });
  const mails = () =>
    desk.app
      .mailbox()
      .messages()
      .filter(({ subject }) => /package/i.test(subject))
      .map(({ subject }) => subject);
  const [first = "", second = ""] = await desk.packages({ packages: 2, scenario: "exception", ageHours: 39 });
  await desk.invoice({ DocNumber: "X-1", TrackingNum: first });
  await desk.invoice({ DocNumber: "X-2", TrackingNum: second });
  await desk.turnOn();
  await until(desk.app.clock, desk.status, ({ counts }) => counts.moving === 2);
  await desk.move(first, "exception");
  await until(
    desk.app.clock,
    () => Promise.resolve(mails()),
    (found) => found.length > 0,
  );
  expect(mails()).toEqual(["A package of Acme Tools needs attention: invoice X-1"]);
  await desk.move(second, "exception");
  await until(desk.app.clock, desk.status, ({ counts }) => counts.attention === 2);
  expect(mails()).toHaveLength(1);
  // To 9 o'clock of the next day, where the company is: no digest comes before 8.
  clock.advance(21 * HOUR_MS);
  await until(
    desk.app.clock,
    () => Promise.resolve(mails()),
    (found) => found.some((subject) => subject.startsWith("Packages of Acme Tools")),
  );
  expect(
    mails()
      .filter((subject) => /needs? attention:/.test(subject))
      .toSorted(),
  ).toEqual(["X-1", "X-2"].map((invoice) => `A package of Acme Tools needs attention: invoice ${invoice}`));
  await sql`insert into package (realm_id, number, of_invoice, invoice_changed, state, state_at, added_at)
    select ${ACME}, 'HELD' || n, true, true, 'held', ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
    from generate_series(1, 60) n`.execute(desk.app.db);
  await until(
    desk.app.clock,
    () => Promise.resolve(mails()),
    (found) => found.includes("60 packages of Acme Tools need attention"),
    600_000,
  );
}, 240_000);
