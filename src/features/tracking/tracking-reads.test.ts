import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkNow } from "#features/tracking/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openTrackingDesk, until, type TrackingDesk } from "../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const MINUTE_MS = 60_000;

/** A desk whose first reads are over. */
async function openRead(): Promise<TrackingDesk> {
  const desk = await openTrackingDesk();
  await desk.turnOn();
  await desk.app.settle(5 * MINUTE_MS);
  return desk;
}

const countReads = async (desk: TrackingDesk) => (await desk.booksCalls("cdc")).length;
const numbers = async (desk: TrackingDesk) => (await desk.list()).map(({ number }) => number).toSorted();

test("TR-28 invoices that an upload posts are followed at once, without a read of QuickBooks", async () => {
  const desk = await openRead();
  const [first = "", second = ""] = await desk.packages({ packages: 2, ageHours: 60 });
  const before = await countReads(desk);
  const day = new Date(desk.app.clock.now()).toISOString().slice(0, 10);
  await uploadRows(desk.browser, ACME, [
    invoiceLine("U-1", { "Invoice Date": day, "Tracking No": first }),
    invoiceLine("U-2", { "Invoice Date": day, "Tracking No": second }),
    invoiceLine("U-3", { "Invoice Date": day }),
  ]);
  await settledUploads(desk.browser, ACME);
  await desk.app.settle(MINUTE_MS);
  expect(await numbers(desk)).toEqual(["U-1", "U-2"]);
  expect(await desk.list()).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
  await desk.app.settle(15 * MINUTE_MS);
  expect(await countReads(desk)).toBe(before);
  // A change by a user in QuickBooks is still read.
  const [third = ""] = await desk.packages();
  await desk.invoice({ DocNumber: "T-1", TrackingNum: third });
  await until(
    desk.app.clock,
    () => numbers(desk),
    (all) => all.includes("T-1"),
    MINUTE_MS,
  );
  expect(await countReads(desk)).toBeGreaterThan(before);
});

test("TR-28 where the reads are used up, changes that a webhook named wait for the next read, whose time the page names; they are read together then", async () => {
  const desk = await openRead();
  const { app } = desk;
  const spend = () =>
    sql`update tracking_company set reads_left = 0, reads_at = ${app.clock.now()}`.execute(app.db);
  await spend();
  expect(await desk.status()).toMatchObject({ changes_read_at: null });
  const before = await countReads(desk);
  const made = await desk.packages({ packages: 3 });
  for (const [at, number] of made.entries())
    await desk.invoice({ DocNumber: `W-${at}`, TrackingNum: number });
  await app.settle(MINUTE_MS);
  const { changes_read_at: readAt } = await desk.status();
  const waits = Date.parse(readAt ?? "") - app.clock.now().getTime();
  expect(waits).toBeGreaterThan(5 * MINUTE_MS);
  expect(waits).toBeLessThanOrEqual(30 * MINUTE_MS);
  expect(await numbers(desk)).toEqual([]);
  await app.settle(waits + MINUTE_MS);
  expect(await numbers(desk)).toEqual(["W-0", "W-1", "W-2"]);
  expect(await countReads(desk)).toBe(before + 1);
  expect(await desk.status()).toMatchObject({ changes_read_at: null });
});

test("TR-28 Check now reads what changed in QuickBooks too, though no webhook named it", async () => {
  const desk = await openRead();
  await desk.app.intuit.control("clients", {
    client_id: desk.app.config.intuit.clientId,
    webhook_url: null,
  });
  const [number = ""] = await desk.packages();
  await desk.invoice({ DocNumber: "Q-1", TrackingNum: number });
  await desk.app.settle(MINUTE_MS);
  expect(await numbers(desk)).toEqual([]);
  const asked = await desk.browser.call(checkNow, { query: { realm_id: ACME } });
  expect(asked.status).toBe(202);
  await until(
    desk.app.clock,
    () => numbers(desk),
    (all) => all.includes("Q-1"),
    MINUTE_MS,
  );
});
