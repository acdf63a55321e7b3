import { expect, test } from "vitest";
import { invoicedPerOrder } from "#features/orders/partners/fixtures/per-order-retailer.ts";
import { cancelLines, voidShipment } from "#features/shipping/contract.ts";
import {
  billHalves,
  HALF,
  halveLine,
  openInBooks,
  openThreadDesk,
  prepareShipped,
  say810s,
  shipHalves,
  shipPieces,
  sumInBooks,
} from "../../../test/support/thread.ts";

test("TD-14 TD-16 the 810 of the one invoice of an order waits while pieces of it are left to ship, also once that invoice is corrected, and bills them", async () => {
  const desk = await openThreadDesk({ partners: [invoicedPerOrder] });
  const { orderId, voidCarton } = await billHalves(desk);
  await voidCarton();
  const waits = async () => {
    await desk.leave();
    await desk.view(orderId);
    return [await say810s(desk), (await desk.list()).threads[0]?.words];
  };
  const open = [
    [
      "pending",
      [
        "Invoice 80001: its order has pieces left to ship. This retailer takes one invoice for all of an order: ship or cancel the rest first.",
      ],
    ],
  ];
  expect(await waits()).toEqual([open, "Invoice can't be sent"]);
  const { correct } = await openInBooks(desk, ({ DocNumber: number }) => number === "80001");
  await correct((goods) => goods.map(halveLine));
  expect(await waits()).toEqual([open, "Invoice can't be sent"]);
  await correct((goods) => goods);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.view(orderId);
  expect(await say810s(desk)).toEqual([["pending", []]]);
  await desk.leave();
  await desk.accept();
  await desk.leave();
  expect(await say810s(desk)).toEqual([["sent", []]]);
  expect(await sumInBooks(desk)).toBe(45);
});

test("TD-14 TD-16 the 810 of the one invoice of an order leaves once the pieces of a voided carton are canceled, if it was corrected", async () => {
  const desk = await openThreadDesk({ partners: [invoicedPerOrder] });
  const { orderId, voidCarton } = await billHalves(desk);
  await voidCarton();
  const rest = { order_id: orderId, lines: HALF, cancel_reason: "out_of_stock" };
  expect((await desk.browser.call(cancelLines, { json: rest })).status).toBe(200);
  const unequal = ["line 1 bills 2, but 1 was shipped", "line 2 bills 10, but 5 were shipped"];
  expect(await say810s(desk)).toEqual([["pending", unequal.map((text) => expect.stringContaining(text))]]);
  const { correct } = await openInBooks(desk, ({ DocNumber: number }) => number === "80001");
  await correct((goods) => goods.map(halveLine));
  await desk.view(orderId);
  await desk.leave();
  expect(await say810s(desk)).toEqual([["sent", []]]);
  expect(await sumInBooks(desk)).toBe(28.75);
});

/** Bills an order in two parts, the first with the freight, and takes that back: its labels are voided, its pieces canceled. */
async function dropFirstPart(isSent: boolean) {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  const [, first] = (await desk.history()).labels;
  const stays = { tracking: first?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  const orderId = await prepareShipped(desk);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 2 });
  await desk.app.settle(120_000);
  const [charged, other] = (await desk.view(orderId)).invoices;
  expect([charged?.freight, other?.freight]).toEqual(["12.50", "0.00"]);
  await desk.accept();
  if (isSent) await desk.leave();
  const query = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
  const rest = { order_id: orderId, lines: HALF, cancel_reason: "out_of_stock" };
  expect((await desk.browser.call(cancelLines, { json: rest })).status).toBe(200);
  /** Sentences at the invoices; none is a change of which a user could say that it was handled. */
  const problems = async () => {
    const { invoices } = await desk.view(orderId);
    expect(invoices.filter(({ asks_handled: asks }) => asks)).toEqual([]);
    return invoices.map(({ problem }) => problem);
  };
  const inBooks = async (invoice = other) =>
    openInBooks(desk, ({ DocNumber: number }) => number === invoice?.number);
  return { desk, charged, inBooks, problems };
}

test("TD-08 TD-14 the freight of an invoice that was voided is added to the one that is still valid, before its 810 leaves", async () => {
  const { desk, charged, inBooks, problems } = await dropFirstPart(false);
  // First that invoice goes.
  expect(await problems()).toEqual([expect.stringContaining("The labels of this invoice were voided"), ""]);
  const before = await inBooks(charged);
  const freight = before.lines.slice(2);
  await before.void();
  expect(await problems()).toEqual([
    "No invoice has the order's freight of $12.50. Add it to this one in QuickBooks.",
  ]);
  const { correct } = await inBooks();
  await correct((goods) => [...goods, ...freight]);
  expect(await problems()).toEqual([""]);
  await desk.leave();
  expect((await say810s(desk)).filter(([state]) => state !== "withdrawn")).toEqual([["sent", []]]);
  expect(await sumInBooks(desk)).toBe(28.75);
});

test("TD-08 TD-16 the freight of an invoice that the retailer has and whose labels were voided is billed by hand", async () => {
  const { problems } = await dropFirstPart(true);
  expect(await problems()).toEqual([
    expect.stringContaining("Create a credit memo in QuickBooks"),
    "No invoice has the order's freight of $12.50. Bill it in QuickBooks and in the retailer's portal.",
  ]);
});
