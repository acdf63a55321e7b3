import { sql } from "kysely";
import { expect, test } from "vitest";
import { listDifferences, type Difference } from "#features/differences/contract.ts";
import { readList } from "#features/admin/lists/contract.ts";
import { openBilling, readRow, subscribe } from "../../../test/support/billing.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";
import type { TestApp } from "../../../test/support/start-app.ts";
import { executeSystemRun, pollPackages } from "../../../test/support/system-runs.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

const ABOUT = { query: { realm_id: ACME } };

const differences = async (browser: Browser) =>
  ((await browser.call(listDifferences, ABOUT)).json() as { differences: Difference[] }).differences;

const mails = async ({ db }: TestApp) =>
  (
    await sql<{
      kind: string;
    }>`select kind from notice_mail where kind in ('records_differ', 'ups_labels_changed')`.execute(db)
  ).rows.map(({ kind }) => kind);

test("UO-12 UO-09 labels at UPS that no purchase here has are listed with their cure, counted in Admin, left alone, and not mailed again", async () => {
  const desk = await openShippingDesk({ mail: true });
  const { app, browser } = desk;
  await desk.addSamples(1, 2);
  await app.ups.control("faults", { fault: "twice", operation: "ship", times: 1 });
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  app.clock.advance(2 * 3_600_000);
  await pollPackages(app);
  const made = (await desk.history()).labels.map(({ shipment }) => shipment);
  const { shipments } = await app.ups.control<{ shipments: { id: string }[] }>("shipments");
  const other = shipments.find(({ id }) => !made.includes(id))?.id ?? "";
  const asked = async () =>
    (await app.ups.control<{ entries: { path: string }[] }>("journal")).entries.filter(({ path }) =>
      path.includes("/reference/"),
    ).length;
  const before = await asked();
  // Two live purchases: one of them is asked about each day.
  await executeSystemRun(app, "differences.compare");
  expect((await asked()) - before).toBe(1);
  app.clock.advance(24 * 3_600_000);
  await browser.signIn("owner@acme.example");
  await executeSystemRun(app, "differences.compare");
  await executeSystemRun(app, "differences.compare");
  const found = [
    {
      vendor: "ups",
      sentence: `UPS has labels for PO # 80001 that aren't in your history: ${other}. UPS will charge you for them.`,
      cure: "Void them at ups.com if you don't need them.",
      found_at: expect.any(String) as string,
    },
  ];
  expect(await differences(browser)).toEqual(found);
  expect(await mails(app)).toEqual(["ups_labels_changed"]);
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  const { rows } = (
    await operator.call(readList, { params: { list: "differences" }, query: { show: "all" } })
  ).json() as {
    rows: object[];
  };
  expect(rows).toMatchObject([{ vendor: "ups", code: "unknown_at_ups" }]);
  expect(made).toHaveLength(2);
  await app.ups.control("packages/void", { tracking: other });
  for (const _day of [1, 2]) {
    app.clock.advance(24 * 3_600_000);
    await executeSystemRun(app, "differences.compare");
  }
  await browser.signIn("owner@acme.example");
  expect(await differences(browser)).toEqual([]);
});

test("UO-12 a subscription that ended at Stripe unseen is listed and mailed once, and recorded only by the sync", async () => {
  const { app, owner } = await openBilling({ mail: true });
  const id = await subscribe(app, owner);
  await executeSystemRun(app, "differences.compare");
  expect(await differences(owner)).toEqual([]);
  await app.stripe.api(`subscriptions/${id}`, undefined, "DELETE");
  await executeSystemRun(app, "differences.compare");
  expect(await differences(owner)).toMatchObject([
    {
      vendor: "stripe",
      sentence: 'Your subscription to Tracking Service is "canceled" at Stripe, and "active" here.',
    },
  ]);
  await executeSystemRun(app, "differences.compare");
  expect(await mails(app)).toEqual(["records_differ"]);
  expect(await readRow(owner)).toMatchObject({ status: "active" });
  await executeSystemRun(app, "billing.sync-all");
  await executeSystemRun(app, "differences.compare");
  expect(await differences(owner)).toEqual([]);
});

/** A desk where proofs of delivery are attached to invoices, the numbers of which begin with B. */
async function openProofsDesk(packages: number) {
  const desk = await openTrackingDesk();
  const numbers = await desk.packages({ packages, ageHours: 40 });
  const invoices: string[] = [];
  for (const [at, TrackingNum] of numbers.entries())
    invoices.push((await desk.invoice({ DocNumber: `B-${at + 1}`, TrackingNum })).Id);
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  for (const number of numbers) await desk.move(number, "delivered");
  const areAttached = async () => {
    const all = await Promise.all(invoices.map((id) => desk.details(id).catch(() => ({ details: [] }))));
    return all.every(({ details: [detail] }) => detail !== undefined && detail.proof.attached_at !== null);
  };
  await until(desk.app.clock, areAttached, Boolean);
  const [number = ""] = numbers;
  const [firstId = ""] = invoices;
  const compare = () => executeSystemRun(desk.app, "differences.compare");
  return { ...desk, number, firstId, areAttached, compare };
}

test("UO-12 no proof of delivery is said to be gone that was attached before an older backup was restored, or that QuickBooks doesn't show yet", async () => {
  const desk = await openProofsDesk(3);
  await desk.forget();
  await desk.turnOn();
  await until(desk.app.clock, desk.areAttached, Boolean);
  expect(await desk.booksCalls("upload")).toHaveLength(3);
  desk.app.clock.advance(2 * 3_600_000);
  await desk.compare();
  expect(await differences(desk.browser)).toEqual([]);
  const [added = ""] = await desk.packages({ ageHours: 40 });
  await desk.app.intuit.control("settings", { queryLagS: 600 }, "PATCH");
  const { Id: late } = await desk.invoice({ TrackingNum: added });
  await desk.move(added, "delivered");
  await until(
    desk.app.clock,
    () => desk.files(late),
    (files) => files.length > 0,
  );
  await desk.app.settle();
  await desk.compare();
  expect(await differences(desk.browser)).toEqual([]);
}, 180_000);

test("UO-12 a proof of delivery that is gone from its invoice is listed, and not attached again", async () => {
  const desk = await openProofsDesk(1);
  const { number, firstId: invoice, compare } = desk;
  const [file] = await desk.files(invoice);
  desk.app.clock.advance(2 * 3_600_000);
  const before = (await desk.booksCalls("query")).length;
  await compare();
  expect([(await desk.booksCalls("query")).length - before, await differences(desk.browser)]).toEqual([
    1,
    [],
  ]);
  await desk.app.intuit.control(`books/${ACME}/attachable/${file?.Id}`, { AttachableRef: [] });
  await compare();
  expect(await differences(desk.browser)).toMatchObject([
    {
      vendor: "quickbooks",
      sentence: `The file proof-of-delivery-${number}.pdf that was attached to invoice B-1 isn't in QuickBooks anymore.`,
    },
  ]);
  await desk.app.settle();
  expect(await desk.files(invoice)).toEqual([]);
});
