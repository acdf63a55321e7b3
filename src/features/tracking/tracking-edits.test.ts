import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTrackingDesk, until, type TrackingDesk } from "../../../test/support/tracking.ts";

const numbersOf = async (desk: TrackingDesk, id: string) =>
  (await desk.details(id)).details.map(({ number }) => number);

/** Reads only what is reported: the read that follows a reported change by minutes is left out. */
const readOnce = ({ app }: TrackingDesk) => sql`update tracking_company set again_at = null`.execute(app.db);

test("TK-01 TK-04 a number that a user changes while we write is followed, and nothing of the old package is written", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [wrong = "", right = ""] = [
    ...(await desk.packages({ ageHours: 60 })),
    ...(await desk.packages({ ageHours: 1 })),
  ];
  await app.intuit.control("faults", { fault: "hold", match: { operation: "invoice.update" } });
  const { Id: id } = await desk.invoice({ TrackingNum: wrong });
  await desk.turnOn();
  await until(
    () => sql`select from write where vendor = 'intuit_shipping' and state = 'sent'`.execute(app.db),
    ({ rows }) => rows.length === 1,
  );
  const edited = await desk.edit(id, { TrackingNum: right, DocNumber: "EDITED" });
  await app.intuit.control("faults", undefined, "DELETE");
  await until(
    () => desk.list(),
    ([one]) => one?.number === "EDITED",
  );
  expect(await numbersOf(desk, id)).toEqual([right]);
  expect(await desk.readInvoice(id)).toEqual(edited);
}, 180_000);

test("TK-01 a change by a user soon after a write of ours is not taken for its echo", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const [added = ""] = await desk.packages({ ageHours: 1 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await until(
    () => desk.readInvoice(id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  await readOnce(desk);
  await desk.edit(id, { TrackingNum: `${number}, ${added}` });
  await until(
    () => numbersOf(desk, id),
    (numbers) => numbers.length === 2,
    45_000,
  );
}, 180_000);
