import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkNow, listTracked, type TrackedInvoiceView } from "#features/tracking/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

test("TK-07 TK-14 a proof that isn't to be attached says so, the newest scan shows its local time, and a check names the time of the next one", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const invoice = await desk.invoice({ DocNumber: "B-2", TrackingNum: number });
  await desk.turnOn();
  await until(
    desk.app.clock,
    () => desk.list(),
    ([row]) => row?.state === "delivered",
  );
  const { details } = await until(
    desk.app.clock,
    () => desk.details(invoice.Id),
    ({ details: [detail] }) => detail?.proof.state === "carrier",
  );
  expect(details[0]?.proof).toMatchObject({
    attached_at: null,
    problem: "Attaching proofs of delivery to invoices is turned off in Settings.",
  });
  const [scan] = details[0]?.activities ?? [];
  expect(await desk.list()).toMatchObject([
    { id: invoice.Id, local_date: scan?.local_date, local_time: scan?.local_time },
  ]);
  expect((await desk.status()).check_allowed_at).toBeNull();
  const check = () => desk.browser.call(checkNow, { query: { realm_id: ACME } });
  expect((await check()).status).toBe(202);
  const again = Date.parse((await desk.status()).check_allowed_at ?? "");
  expect(again).toBeGreaterThan(desk.app.clock.now().getTime());
  expect(again).toBeLessThanOrEqual(desk.app.clock.now().getTime() + 60_000);
  expect((await check()).status).toBe(429);
}, 180_000);

test("TK-13 invoices that need attention come first, on every page of the list, and of equal ones the newest scan", async () => {
  const { app, browser } = await openTrackingDesk();
  const states = ["delivered", "in_transit", "exception", "held"];
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(app.db);
  await sql`insert into tracked_invoice (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_via, tracking_text, keys)
    select ${ACME}, n::text, '0', 'N-' || n, 'Red Rock Diner', '2026-11-20', '', '', '{}' from generate_series(1, 120) n`.execute(
    app.db,
  );
  await sql`insert into package (realm_id, number, of_invoice, state, added_at, newest_at)
    select ${ACME}, '1Z12345E90' || lpad(n::text, 8, '0'), true, (${states}::text[])[n % 4 + 1], now(),
      timestamptz '2026-11-20' + n * interval '1 minute'
    from generate_series(1, 120) n`.execute(app.db);
  await sql`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
    select ${ACME}, n::text, '1Z12345E90' || lpad(n::text, 8, '0'), 1, true from generate_series(1, 120) n`.execute(
    app.db,
  );
  const listed: TrackedInvoiceView[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query = { realm_id: ACME, ...(after === "" ? {} : { after }) };
    const page = (await browser.call(listTracked, { query })).json() as {
      invoices: TrackedInvoiceView[];
      next: string | null;
    };
    listed.push(...page.invoices);
    after = page.next;
  }
  const ids = (rest: number) =>
    Array.from({ length: 30 }, (_, at) => String((rest === 0 ? 120 : 116 + rest) - 4 * at));
  expect(listed.map(({ id }) => id)).toEqual([2, 3, 1, 0].flatMap(ids));
}, 60_000);

test("TK-13 an invoice that was voided or deleted in QuickBooks leaves the list as it leaves the counts, and its scans stay reachable", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const made = [];
  for (const TrackingNum of await desk.packages({ packages: 3, ageHours: 40 }))
    made.push(await desk.invoice({ TrackingNum }));
  await desk.turnOn();
  const ids = async () => (await desk.list()).map(({ id }) => id).toSorted();
  const [kept, voided, deleted] = made.map(({ Id }) => Id).toSorted();
  await until(app.clock, ids, (found) => found.length === 3);
  await app.intuit.control(`books/${ACME}/invoice/${voided}/void`, {});
  await app.intuit.control(`books/${ACME}/invoice/${deleted}/delete`, {});
  await until(app.clock, desk.status, ({ counts }) => counts.watched === 1);
  expect(await ids()).toEqual([kept]);
  expect(await desk.list({ show: "moving" })).toHaveLength(1);
  for (const id of [voided, deleted]) expect((await desk.details(id ?? "")).details).toHaveLength(1);
}, 180_000);

type PackageRow = { state: string; day: string; proof?: string; text?: string };

test("SR-08 packages are counted by the day of their delivery or newest scan, and the list shows those of a day or without a proof; a delay by weather is called that", async () => {
  const desk = await openTrackingDesk();
  const { db, clock } = desk.app;
  const at = clock.now().toISOString();
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(db);
  const add = async (id: string, { state, day, proof, text = "" }: PackageRow) => {
    const place = JSON.stringify({ at, local_date: day, local_time: "10:00:00", place: "" });
    await sql`insert into tracked_invoice (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_via, tracking_text, keys)
      values (${ACME}, ${id}, '0', ${id}, 'Red Rock Diner', '2026-11-20', '', '', '{}')`.execute(db);
    await sql`insert into package (realm_id, number, of_invoice, state, added_at, newest_at, delivered, activities)
      values (${ACME}, ${id}, true, ${state}, ${at}, ${at}, ${state === "delivered" ? place : null}::jsonb,
        jsonb_build_array(${place}::jsonb || ${JSON.stringify({ state, text })}::jsonb))`.execute(db);
    await sql`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
      values (${ACME}, ${id}, ${id}, 1, true)`.execute(db);
    if (proof)
      await sql`insert into tracked_proof (realm_id, number, state) values (${ACME}, ${id}, ${proof})`.execute(
        db,
      );
  };
  await add("1", { state: "delivered", day: "2026-11-20", proof: "carrier" });
  await add("2", { state: "delivered", day: "2026-11-20", proof: "waiting" });
  await add("3", { state: "delivered", day: "2026-11-19", proof: "gone" });
  await add("4", {
    state: "exception",
    day: "2026-11-19",
    text: "Severe weather conditions have delayed delivery.",
  });
  await add("5", { state: "in_transit", day: "2026-11-19" });
  await add("6", {
    state: "exception",
    day: "2026-11-20",
    text: "The delivery is delayed: the address is incorrect.",
  });
  expect(await desk.status()).toMatchObject({
    counts: { watched: 6, delivered: 3, without_proof: 1, attention: 2, delayed: 1 },
    days: [
      { day: "2026-11-20", delivered: 2, without_proof: 1, attention: 1, delayed: 0 },
      { day: "2026-11-19", delivered: 1, without_proof: 0, attention: 1, delayed: 1 },
    ],
  });
  const ids = async (query: Record<string, string>) =>
    (await desk.list(query)).map(({ id }) => id).toSorted();
  expect(await ids({ day: "2026-11-19" })).toEqual(["3", "4", "5"]);
  expect(await ids({ day: "2026-11-19", show: "attention" })).toEqual(["4"]);
  expect(await ids({ show: "without_proof" })).toEqual(["2"]);
  expect((await desk.list({ show: "attention" })).map(({ id, is_delayed }) => [id, is_delayed])).toEqual([
    ["6", false],
    ["4", true],
  ]);
});
