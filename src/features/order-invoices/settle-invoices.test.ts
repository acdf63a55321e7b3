import { expect, test } from "vitest";
import { changeOrderInvoiceSettings, postOrderInvoices } from "#features/order-invoices/contract.ts";
import { sendInvoiceAgain } from "#features/orders/notices-out/contract.ts";
import { cancelUpload } from "#features/invoices/post/contract.ts";
import { previewUndo, startUndo } from "#features/invoices/undo/contract.ts";
import { ACME, holdCalls } from "../../../test/support/intuit.ts";
import { until } from "../../../test/support/tracking.ts";
import {
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareSample,
  shipHalves,
  shipPieces,
  type ThreadDesk,
} from "../../../test/support/thread.ts";

/** Posts what is ready of an order. @returns the undo of its upload */
async function post(desk: ThreadDesk, orderId: string) {
  const reply = (await desk.post(orderId)).json() as { posting: number; upload_id: string };
  expect(reply).toMatchObject({ posting: 1 });
  /** As soon as it is posted. */
  return async () => {
    const request = { query: { realm_id: ACME }, params: { upload_id: reply.upload_id } };
    const undo = () => desk.browser.call(startUndo, { ...request, json: { action: "delete" } });
    let undone = await undo();
    for (; undone.status === 409; undone = await undo()) await desk.app.settle(500);
    expect(undone.status, undone.text).toBe(202);
  };
}

const UNDONE = "Its invoice was undone. Post it again if you still want to bill it.";

test("TD-09 a number that the retailer has seen is not used again, also after its invoice was rejected and undone", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  const [first] = (await desk.history()).labels;
  await shipPieces(desk, ["1", "1"], ["2", "6"]);
  const isFirst = ({ id, kind }: { id: string; kind: string }) => kind !== "ship" || id === first?.notice?.id;
  await desk.leave(isFirst);
  await desk.accept();
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await matchAll(desk);
  await confirmPrices(desk, orderId);
  const undo = await post(desk, orderId);
  await desk.app.settle(120_000);
  await desk.leave(isFirst);
  expect(await desk.answer810("R")).toHaveLength(1);
  const isInvoice = ({ kind }: { kind: string }) => kind === "invoice";
  const [rejected] = (await desk.notices()).filter(isInvoice);
  await undo();
  await desk.app.settle(120_000);
  const again = await desk.browser.call(sendInvoiceAgain, { json: { id: rejected?.id ?? "" } });
  expect([again.status, (await desk.notices()).filter(isInvoice).length]).toEqual([409, 1]);
  await post(desk, orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  await desk.accept();
  await confirmPrices(desk, orderId);
  await post(desk, orderId);
  await desk.app.settle(120_000);
  const { invoices } = await desk.view(orderId);
  expect(invoices.map(({ state, number }) => [state, number])).toEqual([
    ["posted", "80001-2"],
    ["posted", "80001-3"],
  ]);
  await desk.leave();
  expect(await desk.answer810("A")).toHaveLength(2);
  // The rejected document is of an invoice that is no more.
  expect((await desk.list()).threads).toMatchObject([{ standing: "done" }]);
});

test("TD-09 an invoice that was undone before anyone looked is a draft that says so, and is not posted without a click", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const undo = await post(desk, orderId);
  await undo();
  await desk.app.settle(0);
  const json = { posts_when_shipped: true };
  expect((await desk.browser.call(changeOrderInvoiceSettings, { json })).status).toBe(200);
  await desk.app.settle(180_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", problem: UNDONE }]);
  await post(desk, orderId);
  await desk.app.settle(120_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posted", problem: "" }]);
});

test("TD-09 TD-12 an invoice that was undone is not posted without a click with the next shipment of its order", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.leave();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  const undo = await post(desk, orderId);
  await undo();
  await desk.app.settle(120_000);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await confirmPrices(desk, orderId);
  const json = { posts_when_shipped: true };
  expect((await desk.browser.call(changeOrderInvoiceSettings, { json })).status).toBe(200);
  await desk.leave();
  await desk.app.settle(300_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([
    { state: "draft", problem: UNDONE },
    { state: "posted", problem: "" },
  ]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
});

test("TD-09 TD-11 the button of one invoice of an order posts that one, not another that was undone", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  await desk.leave();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  const click = async (at: number) => {
    const { id } = (await desk.view(orderId)).invoices[at] ?? {};
    const json = { order_ids: [orderId], invoice_id: id };
    const reply = await desk.browser.call(postOrderInvoices, { json });
    await desk.app.settle(120_000);
    return reply.json();
  };
  const states = async () => (await desk.view(orderId)).invoices.map(({ state }) => state);
  expect(await click(1)).toMatchObject({ posting: 1, left_out: [] });
  expect(await states()).toEqual(["draft", "posted"]);
  expect(await click(0)).toMatchObject({ posting: 1, left_out: [] });
  expect(await states()).toEqual(["posted", "posted"]);
});

test("TD-16 an invoice that was deleted in QuickBooks before its order knew of it is a draft that says so", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  await post(desk, orderId);
  const made = await until(
    desk.app.clock,
    async () => (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "80001"),
    (found) => found !== undefined,
  );
  await desk.app.intuit.control(`books/${ACME}/invoice/${made?.Id}/delete`, {});
  await desk.app.settle(120_000);
  const problem =
    "Its invoice was voided or deleted in QuickBooks. Post it again if you still want to bill it.";
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", can_post: true, problem }]);
});

test("TD-16 an invoice whose upload was canceled before it was read is a draft that says so, and is posted by another click", async () => {
  const desk = await openThreadDesk({ worker: false });
  const endWork = await desk.app.work();
  const orderId = await prepareSample(desk);
  await endWork();
  const { upload_id } = (await desk.post(orderId)).json() as { upload_id: string };
  const request = { query: { realm_id: ACME }, params: { upload_id } };
  expect((await desk.browser.call(cancelUpload, request)).status).toBe(202);
  await desk.app.work();
  await desk.app.settle(120_000);
  const problem =
    "Not posted: canceled by owner@acme.example. To continue, upload the file again; what is already posted isn't sent twice.";
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", can_post: true, problem }]);
  await post(desk, orderId);
  await desk.app.settle(120_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posted", problem: "" }]);
});

test("TD-16 no 810 is planned of an invoice whose undo is under way", async () => {
  const desk = await openThreadDesk({ worker: false });
  const { settle, work, intuit } = desk.app;
  const endWork = await work();
  const orderId = await prepareSample(desk);
  const read = async () => {
    const { invoices, steps } = await desk.view(orderId);
    const accepted = steps.find(({ name }) => name === "Accepted");
    return [invoices.map(({ state }) => state), accepted?.facts.map(({ text }) => text)];
  };
  const { upload_id } = (await desk.post(orderId)).json() as { upload_id: string };
  const request = { query: { realm_id: ACME }, params: { upload_id } };
  while ((await desk.browser.call(previewUndo, request)).status === 409) await settle(500);
  await endWork();
  expect((await desk.browser.call(startUndo, { ...request, json: { action: "delete" } })).status).toBe(202);
  // Requested, and then under way.
  expect(await read()).toEqual([["posting"], []]);
  const held = await holdCalls(intuit, { operation: "invoice.delete" });
  await work();
  await held.hit();
  // The view has a second's calls to QuickBooks of its own.
  await settle(1_000);
  expect(await read()).toEqual([["posting"], []]);
  await held.release();
  await settle(120_000);
  expect(await read()).toEqual([["draft"], []]);
});

test("TD-10 a shipment that is asked about another one's invoice, which was only not settled yet, is ready by itself", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  await desk.leave();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  const [first] = (await desk.view(orderId)).invoices;
  for (const { line } of first?.lines ?? []) await desk.say(first, "order_price", line);
  // QuickBooks makes the first one's invoice, and its answer is lost.
  const { intuit, settle } = desk.app;
  const match = { operation: "invoice.create" };
  await intuit.control("faults", [{ fault: "503", match, count: 1, committed: true }]);
  const before = (await intuit.invoices(ACME)).length;
  await post(desk, orderId);
  while ((await intuit.invoices(ACME)).length === before) await settle(100);
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 1,
    left_out: [{ problem: expect.stringContaining("QuickBooks already has an invoice") }],
  });
  await settle(180_000);
  expect((await desk.list()).threads).toMatchObject([{ words: "Ready to bill" }]);
});
