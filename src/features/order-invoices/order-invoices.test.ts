import { expect, test } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import type { ThreadList, ThreadView } from "#features/order-invoices/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";

async function openDesk() {
  const desk = await openShippingDesk({ worker: true });
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
  return { ...desk, list, view, post, leave };
}

test("TD-06 TD-07 an order that shipped is billed once at its own price, with its PO number and its shipment, after its names were matched once", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  const waiting = await desk.list();
  expect(waiting.questions.map(({ kind }) => kind)).toContain("customer");
  for (const { kind, written } of waiting.questions) {
    const q = kind === "customer" ? "Cool Cars" : "";
    const found = await desk.browser.call(contract.searchMatches, { params: { kind }, query: { q } });
    const [entry] = (found.json() as { entries: { id: string }[] }).entries;
    const json = { kind, written, target_id: entry?.id ?? "" };
    expect((await desk.browser.call(contract.chooseMatch, { json })).status).toBe(200);
  }
  const [thread] = (await desk.list()).threads;
  const orderId = thread?.order_id ?? "";
  const [draft] = (await desk.view(orderId)).invoices;
  for (const { line } of draft?.lines.filter(({ asks_price }) => asks_price) ?? []) {
    const json = { id: draft?.id ?? "", answer: "order_price" as const, line };
    await desk.browser.call(contract.answerOrderInvoice, { json });
  }
  const replies = await Promise.all([desk.post(orderId), desk.post(orderId)]);
  expect(replies.map((reply) => reply.json())).toEqual([
    expect.objectContaining({ posting: 1, left_out: [] }),
    expect.objectContaining({ posting: 1, left_out: [] }),
  ]);
  await desk.app.settle(120_000);
  const made = (await desk.app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "80001");
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({
    TrackingNum: expect.stringMatching(/^1Z/),
    ShipMethodRef: { value: "UPS Ground" },
  });
  const { invoices } = await desk.view(orderId);
  expect(invoices).toMatchObject([{ state: "posted", number: "80001", total: draft?.total }]);
});
