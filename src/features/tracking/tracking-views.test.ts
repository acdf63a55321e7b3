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
    ([one]) => one?.state === "delivered",
  );
  const { details } = await until(
    desk.app.clock,
    () => desk.details(invoice.Id),
    ({ details: [one] }) => one?.proof.state === "carrier",
  );
  expect(details[0]?.proof).toMatchObject({
    attached_at: null,
    problem: "Proofs of delivery aren't attached to invoices, because that is off in Settings.",
  });
  const [scan] = details[0]?.activities ?? [];
  expect(await desk.list()).toMatchObject([
    { id: invoice.Id, local_date: scan?.local_date, local_time: scan?.local_time },
  ]);
  expect((await desk.status()).ask_again_at).toBeNull();
  const check = () => desk.browser.call(checkNow, { query: { realm_id: ACME } });
  expect((await check()).status).toBe(202);
  const again = Date.parse((await desk.status()).ask_again_at ?? "");
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
