import { expect, test } from "vitest";
import { invoicedPerOrder } from "#features/orders/partners/fixtures/per-order-retailer.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { cancelLines, voidShipment } from "#features/shipping/contract.ts";
import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { readInvoice } from "#formats/x12/invoice.ts";
import { ACME } from "../../../test/support/intuit.ts";
import {
  billHalves,
  confirmPrices,
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
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

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

test("TD-08 the freight of an invoice that was voided in QuickBooks is on the next draft once its labels are voided, too", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  const [first] = (await desk.history()).labels;
  const stays = { tracking: first?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  const orderId = await prepareShipped(desk);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.leave(({ kind }) => kind === "ship");
  await confirmPrices(desk, orderId);
  const freights = async () =>
    (await desk.view(orderId)).invoices.map(({ state, freight }) => [state, freight]);
  expect(await freights()).toEqual([
    ["posted", "12.50"],
    ["draft", "0.00"],
  ]);
  await (await openInBooks(desk, ({ DocNumber: number }) => number === "80001")).void();
  await desk.view(orderId);
  expect(await freights()).toEqual([
    ["draft", "12.50"],
    ["draft", "0.00"],
  ]);
  const query = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
  expect(await freights()).toEqual([["draft", "12.50"]]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(28.75);
});

test("TD-10 TD-13 an order that was billed by hand has one 810, with the number and the amounts of that invoice", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1, 2);
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  await prepareShipped(desk);
  const ids = new Map((await desk.list()).threads.map(({ po_number: po, order_id: id }) => [po, id]));
  const [hand = "", other = ""] = ["80001", "80002"].map((po) => ids.get(po));
  for (const id of [hand, other]) await confirmPrices(desk, id);
  expect((await desk.post(other)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80002");
  const { Id: _, ...typed } = made ?? {};
  const [package_] = (await desk.view(hand)).invoices[0]?.tracking_numbers ?? [];
  await desk.app.intuit.control(`books/${ACME}/invoice`, {
    ...typed,
    DocNumber: "H-77",
    TrackingNum: package_,
    CustomField: [],
  });
  expect((await desk.post(hand)).json()).toMatchObject({ posting: 0 });
  const [asked] = (await desk.view(hand)).invoices;
  expect(asked?.theirs).toMatchObject({ number: "H-77", total: "45.00", has_tracking_number: true });
  expect((await desk.say(asked, "link")).status).toBe(200);
  expect((await desk.post(hand)).json()).toMatchObject({ posting: 0, left_out: [] });
  await desk.accept();
  await desk.leave();
  const billed = (await desk.notices()).filter(
    ({ kind, po_number: po }) => kind === "invoice" && po === "80001",
  );
  expect(billed).toMatchObject([{ state: "sent", problems: [] }]);
  const file = await desk.browser.download(downloadNotices, { json: { ids: billed.map(({ id }) => id) } });
  expect(readSets(Buffer.from(file)).map((set) => readInvoice(set))).toMatchObject([
    { document: { number: "H-77", orderNumber: "80001", totalCents: 4_500 } },
  ]);
});

test("TD-16 the upload of an invoice that is linked to an order can be undone while its 810 is held back, and not once a user entered that in the portal", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1, 2);
  const numbers = ["80001", "80002"];
  for (const po of numbers) expect((await desk.ship(po)).status).toBe(200);
  await prepareShipped(desk);
  const ids = new Map((await desk.list()).threads.map(({ po_number: po, order_id: id }) => [po, id]));
  const uploads: string[] = [];
  for (const po of numbers) {
    await confirmPrices(desk, ids.get(po) ?? "");
    await uploadRows(desk.browser, ACME, [invoiceLine(po, { "Invoice Date": "2026-12-01" })]);
    uploads.push((await settledUploads(desk.browser, ACME)).uploads[0]?.id ?? "");
    await desk.post(ids.get(po) ?? "");
    expect((await desk.say((await desk.view(ids.get(po) ?? "")).invoices[0], "link")).status).toBe(200);
  }
  await desk.accept();
  await desk.leave();
  const undo = (upload_id: string) =>
    desk.browser.call(startUndo, {
      query: { realm_id: ACME },
      params: { upload_id },
      json: { action: "void" },
    });
  const read = async (po: string) => (await desk.view(ids.get(po) ?? "")).invoices[0];
  for (const po of numbers) expect(await read(po)).toMatchObject({ state: "linked", asks_portal: true });
  expect((await desk.say(await read("80002"), "portal")).status).toBe(200);
  const refused = await undo(uploads[1] ?? "");
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("The retailer already has invoice 80002"),
  ]);
  const states = async () =>
    (await desk.notices())
      .filter(({ kind }) => kind === "invoice")
      .map(({ po_number: po, state }) => `${po} ${state}`)
      .toSorted();
  expect((await undo(uploads[0] ?? "")).status).toBe(202);
  expect(await states()).toEqual(["80001 withdrawn", "80002 accepted"]);
  await desk.app.settle(120_000);
  // The undo keeps what the Tracking Service wrote to since, and so the 810 is planned again.
  expect(await read("80001")).toMatchObject({ state: "linked", asks_portal: true });
  expect(await states()).toEqual(["80001 pending", "80001 withdrawn", "80002 accepted"]);
});

test("TD-15 TD-17 an order whose ship notice the retailer rejected is done once a user entered its invoice in the portal", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const orderId = await prepareShipped(desk);
  const [ship] = await desk.notices();
  await desk.answer(ship?.control_number ?? 0, "SH", "AK2*856*0001", "AK5*R*5", "AK9*R*1*1*0");
  const stands = async () => {
    const [thread] = (await desk.list()).threads;
    return [thread?.standing, thread?.words, thread?.marks[3]];
  };
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  expect(await stands()).toEqual(["refused", "Ship notice rejected", "refused"]);
  const [invoice] = (await desk.view(orderId)).invoices;
  expect((await desk.say(invoice, "portal")).status).toBe(200);
  expect(await stands()).toEqual(["done", "Done", "refused"]);
});
