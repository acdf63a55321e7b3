import { expect, test } from "vitest";
import { checkNow } from "#features/tracking/contract.ts";
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
