import { expect, test } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import type { ThreadList, ThreadView } from "#features/order-invoices/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { createShipment } from "#features/shipping/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARTON, openShippingDesk } from "../../../test/support/shipping.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

async function openDesk() {
  const desk = await openShippingDesk({ worker: true }, { vendor_number: "47110" });
  const { browser, app } = desk;
  const list = async () => (await browser.call(contract.listThreads, {})).json() as ThreadList;
  const view = async (order_id: string) =>
    (await browser.call(contract.readThread, { query: { order_id } })).json() as ThreadView;
  const post = (...order_ids: string[]) => browser.call(contract.postOrderInvoices, { json: { order_ids } });
  /** Lets the ship notices leave. */
  const leave = async () => {
    app.clock.advance(24 * 3_600_000);
    await app.settle(0);
    await browser.signIn("owner@acme.example");
    const { notices } = (await browser.call(listNotices, { query: { show: "due" } })).json() as {
      notices: Notice[];
    };
    await browser.call(downloadNotices, { json: { ids: notices.map(({ id }) => id) } });
  };
  /** The retailer's 997 about each notice that left. */
  const accept = async () => {
    const { notices } = (await browser.call(listNotices, { query: { show: "all" } })).json() as {
      notices: Notice[];
    };
    const sets = notices.flatMap(({ control_number: number }) =>
      number === null
        ? []
        : [["ST*997*0001", `AK1*SH*${number}`, "AK2*856*0001", "AK5*A", "AK9*A*1*1*1", "SE*6*0001"]],
    );
    for (const set of sets)
      await desk.add(
        sampleFile({ sets: [set], group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" }),
        `997-${set[1]}.edi`,
      );
  };
  return { ...desk, list, view, post, leave, accept };
}

/** Chooses the first entry of the books for each name that is asked about. */
async function matchAll(desk: Awaited<ReturnType<typeof openDesk>>): Promise<void> {
  for (const { kind, written } of (await desk.list()).questions) {
    const q = kind === "customer" ? "Cool Cars" : "";
    const found = await desk.browser.call(contract.searchMatches, { params: { kind }, query: { q } });
    const [entry] = (found.json() as { entries: { id: string }[] }).entries;
    const json = { kind, written, target_id: entry?.id ?? "" };
    expect((await desk.browser.call(contract.chooseMatch, { json })).status).toBe(200);
  }
}

/** Bills each line at the order's price where the books have a higher one. */
async function confirmPrices(desk: Awaited<ReturnType<typeof openDesk>>, orderId: string): Promise<void> {
  for (const { id, lines } of (await desk.view(orderId)).invoices)
    for (const { line } of lines.filter(({ asks_price }) => asks_price)) {
      const json = { id, answer: "order_price" as const, line };
      expect((await desk.browser.call(contract.answerOrderInvoice, { json })).status).toBe(200);
    }
}

test("TD-06 TD-07 an order that shipped is billed once at its own price, with its PO number and its shipment, after its names were matched once", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  expect((await desk.list()).questions.map(({ kind }) => kind)).toContain("customer");
  await matchAll(desk);
  const [thread] = (await desk.list()).threads;
  const orderId = thread?.order_id ?? "";
  const [draft] = (await desk.view(orderId)).invoices;
  await confirmPrices(desk, orderId);
  const replies = await Promise.all([desk.post(orderId), desk.post(orderId)]);
  expect(replies.map((reply) => reply.json())).toEqual([
    expect.objectContaining({ posting: 1, left_out: [] }),
    expect.objectContaining({ posting: 1, left_out: [] }),
  ]);
  await desk.app.settle(120_000);
  const made = (await desk.app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "80001");
  expect(made).toHaveLength(1);
  // 2 at 12.50, 10 at 0.75, and the freight that the order names.
  expect(made[0]).toMatchObject({
    TotalAmt: 45,
    TrackingNum: expect.stringMatching(/^1Z/),
    ShipMethodRef: { value: "UPS Ground" },
    ShipDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    ShipAddr: { City: "Reno", PostalCode: "89506" },
  });
  expect(JSON.stringify(made[0])).toContain('"80001"');
  const { invoices } = await desk.view(orderId);
  expect(invoices).toMatchObject([{ state: "posted", number: "80001", total: draft?.total }]);
});

test("TD-08 TD-09 TD-16 an order that left in two parts is billed part by part under numbers of their own, and what the retailer has is not undone", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  const ship = (pieces: [string, string][]) =>
    desk.browser.call(createShipment, {
      json: {
        po_number: "80001",
        cartons: [{ ...CARTON, contents: pieces.map(([line, quantity]) => ({ line, quantity })) }],
        key: crypto.randomUUID(),
      },
    });
  expect(
    (
      await ship([
        ["1", "1"],
        ["2", "4"],
      ])
    ).status,
  ).toBe(200);
  expect(
    (
      await ship([
        ["1", "1"],
        ["2", "6"],
      ])
    ).status,
  ).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const [thread] = (await desk.list()).threads;
  const orderId = thread?.order_id ?? "";
  await confirmPrices(desk, orderId);
  const drafts = (await desk.view(orderId)).invoices;
  expect(
    drafts.map(({ lines }) => lines.map(({ billed, billed_amount }) => [billed, billed_amount])),
  ).toEqual([
    [
      ["1", "12.50"],
      ["4", "3.00"],
    ],
    [
      ["1", "12.50"],
      ["6", "4.50"],
    ],
  ]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 2, left_out: [] });
  await desk.app.settle(120_000);
  const posted = (await desk.view(orderId)).invoices;
  expect(posted.map(({ state, total }) => [state, total])).toEqual(
    drafts.map(({ total }) => ["posted", total]),
  );
  expect(new Set(posted.map(({ number }) => number)).size).toBe(2);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  // The retailer accepts the ship notices, and the 810s leave: from then on an undo is refused, with what to do.
  await desk.accept();
  await desk.leave();
  const { uploads } = await settledUploads(desk.browser, ACME);
  const refused = await desk.browser.call(startUndo, {
    query: { realm_id: ACME },
    params: { upload_id: uploads[0]?.id ?? "" },
    json: { action: "void" },
  });
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("Write a credit memo in QuickBooks"),
  ]);
});

test("TD-10 an invoice with the order's PO number that is in the books already is asked about and linked, never doubled", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const [thread] = (await desk.list()).threads;
  const orderId = thread?.order_id ?? "";
  await confirmPrices(desk, orderId);
  await uploadRows(desk.browser, ACME, [invoiceLine("80001", { "Invoice Date": "2026-11-27" })]);
  await settledUploads(desk.browser, ACME);
  const before = (await desk.app.intuit.invoices(ACME)).length;
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("QuickBooks already has an invoice with this PO number") }],
  });
  const [draft] = (await desk.view(orderId)).invoices;
  expect(draft?.theirs).toMatchObject({ number: "80001" });
  const json = { id: draft?.id ?? "", answer: "link" as const };
  expect((await desk.browser.call(contract.answerOrderInvoice, { json })).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "linked", number: "80001" }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  await desk.app.settle(120_000);
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before);
});
