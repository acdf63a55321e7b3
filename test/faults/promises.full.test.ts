import { expect, test } from "vitest";
import { openDesk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { cancelOrder, voidShipment } from "#features/shipping/contract.ts";
import { openFolderDesk } from "../support/folder-desk.ts";
import { backUpApp } from "../support/older-backup.ts";
import { settledUploads } from "../support/uploads.ts";
import { linkUps } from "../support/shipping.ts";
import { pollPackages } from "../support/system-runs.ts";

type Desk = Awaited<ReturnType<typeof openFolderDesk>>;

const cancel = ({ browser }: Desk, po_number: string) =>
  browser.call(cancelOrder, { query: { customer: "retailer", po_number } });

/** Ten steps of a day; each may be done again after an older backup, as a user does who finds an order open. */
const STEPS: readonly ((desk: Desk) => Promise<unknown>)[] = [
  (desk) => desk.receive(1, 2),
  (desk) => desk.ship("80001"),
  (desk) => desk.passCutOff(),
  (desk) => desk.receive(3, 4),
  (desk) => desk.ship("80002"),
  (desk) => cancel(desk, "80003"),
  (desk) => desk.passCutOff(),
  (desk) => desk.ship("80004"),
  async (desk) => {
    const [label] = (await desk.history({ q: "80004" })).labels;
    const query = { po_number: "80004", shipment: label?.shipment ?? "" };
    if (label?.state === "live") await desk.browser.call(voidShipment, { query });
  },
  (desk) => desk.receive(5),
];

test.for(STEPS.map((_, at) => at))(
  "UO-10 a backup after step %i of ten, put back at the end: nothing is given, sent or bought twice, and no order is lost",
  async (moment) => {
    const desk = await openFolderDesk();
    let putBack: (() => Promise<string>) | undefined;
    for (const [at, step] of STEPS.entries()) {
      await step(desk);
      if (at === moment) putBack = await backUpApp(desk.app);
    }
    const before = await desk.sent();
    const calls = await desk.shipCalls();
    await putBack?.();
    await desk.browser.signIn("owner@acme.example");
    // UPS has renewed the login since the backup, and accepts an old one no more.
    await linkUps(desk.app, desk.browser);
    await desk.poll();
    await pollPackages(desk.app);
    for (const po of ["80001", "80002", "80003"])
      if ((await desk.open()).some(({ po_number }) => po_number === po))
        await (po === "80003" ? cancel(desk, po) : desk.ship(po));
    await desk.passCutOff();
    expect(await desk.sent()).toEqual(before);
    expect(await desk.shipCalls()).toBe(calls);
    const { open, cancelled } = await desk.orders();
    expect([open, cancelled].map((orders) => orders.map(({ po_number }) => po_number).toSorted())).toEqual([
      ["80004", "80005"],
      ["80003"],
    ]);
    const live = (await desk.history()).labels.filter(({ state }) => state === "live");
    expect(live.map(({ po_number }) => po_number).toSorted()).toEqual(["80001", "80002"]);
    await desk.receive(6);
    const { numbers } = await desk.sent();
    expect(numbers).toHaveLength(before.numbers.length + 1);
    expect(new Set(numbers).size).toBe(numbers.length);
  },
);

test("UO-10 an undo, then an older backup: the invoices are undone again, and by us", async () => {
  const desk = await openDesk(2);
  const upload = await desk.upload();
  const putBack = await backUpApp(desk.app);
  expect(await desk.undo(upload.id)).toMatchObject({ sentence: "2 invoices were deleted." });
  await putBack();
  await desk.browser.signIn("owner@acme.example");
  await settledUploads(desk.browser, desk.realmId);
  const { run } = await desk.preview(upload.id);
  expect(run).toMatchObject({ action: "delete", sentence: "2 invoices were deleted.", left: [] });
  expect(await desk.made()).toEqual([]);
});
