import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { cancelOrder, createShipment } from "#features/shipping/contract.ts";
import { ACME, holdCalls } from "../../../test/support/intuit.ts";
import { CARTON } from "../../../test/support/shipping.ts";
import { confirmPrices, matchAll, openThreadDesk, type ThreadDesk } from "../../../test/support/thread.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const PO = "4500077";
const byStore: Partner = { ...directRetailer, ordersBy: "store" };

const readCase = (name: string) =>
  readFile(new URL(`../../../test/corpus/thread/${name}`, import.meta.url), "utf8");

/** The second retailer's order for one of its stores, whose street the simulated UPS knows. */
async function writeOrder(store: string): Promise<string> {
  const party = store === "" ? "N1*ST*Casey Example" : `N1*ST*Store ${store}*92*${store}`;
  return (await readCase("b1-850-order.edi"))
    .replace("7 Sample Road", "12 Main Street")
    .replace("Macon*GA*31201", "Reno*NV*89506")
    .replace("N1*ST*Casey Example", party);
}

/** The retailer's 860 that cancels its order, for one of its stores or for none that it names. */
async function cancellation(store: string): Promise<string> {
  const [head, order] = (await writeOrder("")).split("ST*850*0001~");
  const end = order?.slice(order.indexOf("GE*1")) ?? "";
  const party = store === "" ? "" : `N1*ST*Store ${store}*92*${store}~\n`;
  const body = `ST*860*0001~\nBCH*01*DS*${PO}***20261201*****20261202~\n${party}SE*${store === "" ? 3 : 4}*0001~\n`;
  return `${head?.replace("GS*PO", "GS*PC")}${body}${end}`;
}

const shipAll = async (desk: ThreadDesk, order_id: string) => {
  const contents = [
    { line: "10", quantity: "12" },
    { line: "20", quantity: "8" },
    { line: "30", quantity: "1" },
  ];
  const json = { po_number: PO, order_id, cartons: [{ ...CARTON, contents }], key: crypto.randomUUID() };
  const reply = await desk.browser.call(createShipment, { json });
  expect(reply.status, reply.text).toBe(200);
};

const listAll = async (desk: ThreadDesk, show: "all" | "due" = "all") =>
  ((await desk.browser.call(listNotices, { query: { show } })).json() as { notices: Notice[] }).notices;

test("TD-20 a PO number for several stores is an order of each, which is shipped, billed and canceled on its own; a change that names no store is refused", async () => {
  const desk = await openThreadDesk({ partners: [retailer, byStore] });
  const say = async (file: string, name: string) =>
    (await desk.add(file, name)).documents.map(({ result, problems }) => [result, ...problems]);
  for (const store of ["0121", "0200", "0305", "0412"])
    expect(await say(await writeOrder(store), `${store}.edi`)).toEqual([["added"]]);
  expect(await say(await writeOrder("0200"), "again.edi")).toEqual([["same"]]);
  expect(await say(await writeOrder(""), "none.edi")).toEqual([
    ["refused", expect.stringContaining("doesn't say which store it's for")],
  ]);
  expect(await say(await cancellation(""), "860.edi")).toEqual([
    ["refused", expect.stringContaining("Stores 0121, 0200, 0305, and 0412 each have an order")],
  ]);
  expect(await say(await cancellation("0412"), "860-0412.edi")).toEqual([["cancelled"]]);
  const open = await desk.open();
  expect(open.map(({ customer_name: name }) => name)).toEqual(["Store 0121", "Store 0200", "Store 0305"]);
  expect(new Set(open.map(({ packing_slip_file: file }) => file)).size).toBe(3);
  const [first = "", second = "", third = ""] = open.map(({ id }) => id);
  const query = { customer: byStore.id, po_number: PO };
  const unnamed = await desk.browser.call(cancelOrder, { query });
  expect([unnamed.status, unnamed.text]).toEqual([409, expect.stringContaining("order_id")]);
  // For the reason that is this retailer's own. Both cancellations leave, though their number is one.
  await desk.leave();
  expect((await desk.browser.call(cancelOrder, { query: { ...query, order_id: third } })).status).toBe(200);
  await desk.leave();
  const cancels = (await listAll(desk)).filter(({ kind }) => kind === "cancel");
  expect(cancels.map(({ control_number: number }) => number)).not.toContain(null);
  expect(new Set(cancels.map(({ control_number: number }) => number)).size).toBe(2);
  for (const id of [first, second]) await shipAll(desk, id);
  await desk.leave();
  await matchAll(desk);
  for (const id of [first, second]) await confirmPrices(desk, id);
  // In the same instant: both want the order's number.
  const held = await holdCalls(desk.app.intuit, { operation: "query" });
  const calls = [first, second].map((id) => desk.post(id));
  await held.hit(2);
  await held.release();
  const posts = await Promise.all(calls);
  expect(posts.map((reply) => reply.json())).toEqual([
    expect.objectContaining({ posting: 1, left_out: [] }),
    expect.objectContaining({ posting: 1, left_out: [] }),
  ]);
  await desk.app.settle(120_000);
  const billed = await Promise.all([desk.view(first), desk.view(second)]);
  expect(billed.flatMap(({ invoices }) => invoices.map(({ state }) => state))).toEqual(["posted", "posted"]);
  expect(new Set(billed.flatMap(({ invoices }) => invoices.map(({ number }) => number))).size).toBe(2);
});

test("the second order under a number waits for a user where a retailer doesn't tell its orders apart by store", async () => {
  const desk = await openThreadDesk();
  const { documents } = await desk.add(await readCase("h29-same-number-two-stores.edi"), "h29.edi");
  expect(documents.map(({ result }) => result)).toEqual(["added", "waiting"]);
});

test("TD-10 of two orders that are linked to one invoice of the books in the same instant, one is", async () => {
  const desk = await openThreadDesk({ partners: [retailer, byStore] });
  for (const store of ["0121", "0200"]) await desk.add(await writeOrder(store), `${store}.edi`);
  const orders = (await desk.open()).map(({ id }) => id);
  for (const id of orders) await shipAll(desk, id);
  await desk.leave();
  await matchAll(desk);
  for (const id of orders) await confirmPrices(desk, id);
  await uploadRows(desk.browser, ACME, [invoiceLine(PO, { "Invoice Date": "2026-12-02" })]);
  await settledUploads(desk.browser, ACME);
  expect((await desk.post(...orders)).json()).toMatchObject({ posting: 0 });
  const asked = await Promise.all(orders.map(async (id) => (await desk.view(id)).invoices[0]));
  expect(asked.map((invoice) => invoice?.theirs?.number)).toEqual([PO, PO]);
  const replies = await Promise.all(asked.map((invoice) => desk.say(invoice, "link")));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const states = await Promise.all(orders.map(async (id) => (await desk.view(id)).invoices[0]?.state));
  expect(new Set(states)).toEqual(new Set(["draft", "linked"]));
});

test("TD-14 TD-15 TD-20 the second retailer's mails have its name, and its invoice never has the first one's vendor number", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer], mail: true });
  await desk.add((await writeOrder("")).replace("REF*VR*88123~\n", "").replace("SE*19", "SE*18"), "b1.edi");
  const [order] = await desk.open();
  const orderId = order?.id ?? "";
  await shipAll(desk, orderId);
  await desk.leave();
  await matchAll(desk);
  await confirmPrices(desk, orderId);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  const accepted = (await desk.view(orderId)).steps.find(({ name }) => name === "Accepted");
  expect(accepted?.facts.map(({ text }) => text)).toEqual([
    "810 not sent",
    expect.stringContaining("the vendor number is missing"),
  ]);
  const [notice] = (await listAll(desk)).filter(({ kind }) => kind === "ship");
  const answer = (await readCase("b7-997-rejects-invoice-1.edi")).split("\n");
  const head = answer.slice(0, 2).map((line) => line.replace(/\r$/, ""));
  const sets = [
    "ST*997*0001~",
    `AK1*SH*${notice?.control_number}~`,
    "AK2*856*0001~",
    "AK5*R*5~",
    "AK9*R*1*1*0~",
    "SE*6*0001~",
  ];
  const control = head.map((line) => line.split("*").at(line.startsWith("ISA") ? 13 : 6) ?? "");
  await desk.add([...head, ...sets, `GE*1*${control[1]}~`, `IEA*1*${control[0]}~`].join("\n"), "997.edi");
  await desk.app.settle(60_000);
  expect(
    desk.app
      .mailbox()
      .messages()
      .map(({ subject }) => subject),
  ).toContainEqual(`Direct Retail rejected the ship notice for PO # ${PO}`);
});

test("TD-20 labels of a second retailer that pays for them are never billed to the first one's UPS account, nor to the company's", async () => {
  const payer: Partner = { ...directRetailer, billing: "third_party" };
  const desk = await openThreadDesk({ partners: [retailer, payer] });
  await desk.add(await writeOrder(""), "b1.edi");
  const [order] = await desk.open();
  expect(order?.billed_to).toBe("Direct Retail");
  const contents = [{ line: "10", quantity: "1" }];
  const json = {
    po_number: PO,
    order_id: order?.id,
    cartons: [{ ...CARTON, contents }],
    key: crypto.randomUUID(),
  };
  const reply = await desk.browser.call(createShipment, { json });
  expect(reply.text).toContain("The retailer's UPS account is missing.");
  expect(await desk.shipCalls()).toBe(0);
});
