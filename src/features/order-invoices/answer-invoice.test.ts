import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { chooseMatch, searchMatches } from "#features/order-invoices/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import {
  downloadNotices,
  listNotices,
  sendInvoiceAgain,
  type Notice,
} from "#features/orders/notices-out/contract.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { addWebhook } from "#features/programs/webhooks/contract.ts";
import { cancelLines, createShipment, voidShipment } from "#features/shipping/contract.ts";
import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { readInvoice } from "#formats/x12/invoice.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { startReceiver } from "../../../test/support/receiver.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARTON } from "../../../test/support/shipping.ts";
import {
  billHalves,
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareSample,
  refuseLate,
  shipPieces,
} from "../../../test/support/thread.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const readCase = (name: string) =>
  readFile(new URL(`../../../test/corpus/thread/${name}`, import.meta.url), "utf8");

test("TD-04 TD-06 TD-20 a second retailer with other rules is one file: its order leaves in two shipments with lines canceled, and is billed as its examples say", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  // Names of the first retailer are matched already, and say nothing about the second one's.
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  // The simulated UPS knows the street of the sample orders.
  const known = (await readCase("b1-850-order.edi"))
    .replace("7 Sample Road", "12 Main Street")
    .replace("Macon*GA*31201", "Reno*NV*89506");
  await desk.add(known, "b1.edi");
  const order = (await desk.open()).find(({ po_number }) => po_number === "4500077");
  const ship = async (shipment_number: number, ...pieces: [string, string][]) => {
    const contents = pieces.map(([line, quantity]) => ({ line, quantity }));
    const cartons = [{ ...CARTON, contents }];
    const json = {
      order_id: order?.id,
      po_number: "4500077",
      cartons,
      key: crypto.randomUUID(),
      shipment_number,
    };
    const reply = await desk.browser.call(createShipment, { json });
    expect(reply.status, reply.text).toBe(200);
  };
  const lines = [
    { line: "20", quantity: "2" },
    { line: "30", quantity: "1" },
  ];
  for (const canceled of lines) {
    const json = { order_id: order?.id ?? "", lines: [canceled], cancel_reason: "07" };
    const reply = await desk.browser.call(cancelLines, { json });
    expect(reply.status, reply.text).toBe(200);
    desk.app.clock.advance(1_000);
  }
  await ship(1, ["10", "7"], ["20", "4"]);
  await ship(2, ["10", "5"], ["20", "2"]);
  await desk.leave();
  // Each 855 says all that is canceled so far, and the last one is the last to leave.
  const { notices: all } = (await desk.browser.call(listNotices, { query: { show: "all" } })).json() as {
    notices: Notice[];
  };
  const confirmed = await Promise.all(
    all
      .filter(({ kind }) => kind === "cancel")
      .toSorted((a, b) => (a.control_number ?? 0) - (b.control_number ?? 0))
      .map(async ({ id }) =>
        Buffer.from(await desk.browser.download(downloadNotices, { json: { ids: [id] } }))
          .toString()
          .match(/ACK\*\w+\*\d+/g),
      ),
  );
  expect(confirmed).toEqual([
    ["ACK*IA*12", "ACK*IA*6", "ACK*IR*2", "ACK*IA*1"],
    ["ACK*IA*12", "ACK*IA*6", "ACK*IR*2", "ACK*IR*1"],
  ]);
  expect((await desk.list()).questions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ partner: "direct", kind: "customer", description: "Direct Retail" }),
    ]),
  );
  await matchAll(desk);
  const orderId = order?.id ?? "";
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 2, left_out: [] });
  await desk.app.settle(120_000);
  expect((await desk.view(orderId)).retailer).toBe("Direct Retail");
  const { notices } = (await desk.browser.call(listNotices, { query: { show: "due" } })).json() as {
    notices: Notice[];
  };
  const file = await desk.browser.download(downloadNotices, { json: { ids: notices.map(({ id }) => id) } });
  const billed = readSets(Buffer.from(file)).flatMap((set) => {
    const read = readInvoice(set);
    return "document" in read ? [read.document] : [];
  });
  const example = readSets(Buffer.from(await readCase("b9-810-invoice-2.edi"))).flatMap((set) => {
    const read = readInvoice(set);
    return "document" in read ? [read.document] : [];
  })[0];
  const say = (message: (typeof billed)[number] | undefined) => [
    message?.orderNumber,
    message?.totalCents,
    message?.lines.map(({ number, quantity, unitPrice }) => [number, Number(quantity), Number(unitPrice)]),
  ];
  // The freight of the first example was typed by its supplier; the order names none.
  const largestFirst = billed.toSorted((a, b) => (b.totalCents ?? 0) - (a.totalCents ?? 0));
  expect(largestFirst.map((message) => say(message))).toEqual([
    [
      "4500077",
      3_300,
      [
        ["10", 7, 3.3334],
        ["20", 4, 2.501],
      ],
    ],
    say(example),
  ]);
});

test("TD-13 TD-15 webhooks say that an invoice is posted, and that the retailer refused or accepted its document", async () => {
  const desk = await openThreadDesk();
  const receiver = await startReceiver(desk.app);
  const events = ["invoice.posted", "order.accepted", "order.refused"];
  const added = await desk.browser.call(addWebhook, {
    query: { realm_id: ACME },
    json: { url: receiver.url(), events },
  });
  expect(added.status, added.text).toBe(200);
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  const [refused = ""] = await desk.answer810("R");
  expect((await desk.view(orderId)).invoices).toMatchObject([{ rejected_document: refused }]);
  expect((await desk.browser.call(sendInvoiceAgain, { json: { id: refused } })).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ rejected_document: null }]);
  await desk.leave();
  await desk.answer810("A");
  const named = { order_id: orderId, po_number: "80001", invoice_number: "80001" };
  expect((await receiver.gets(3)).map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { type: "invoice.posted", data: { ...named, total: "45.00" } },
    { type: "order.refused", data: { ...named, document: "810", problems: [expect.any(String)] } },
    { type: "order.accepted", data: { ...named, document: "810" } },
  ]);
});

test("TD-10 an invoice in the books is asked about for each order with its PO number, with zeros before it or not, but not for another customer's", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  const zeros = sampleOrder(2).map((segment) => segment.replace("*80002*", "*0080001*"));
  await desk.add(sampleFile({ sets: [sampleOrder(1), zeros] }));
  const direct = (await readCase("b1-850-order.edi"))
    .replace("7 Sample Road", "12 Main Street")
    .replace("Macon*GA*31201", "Reno*NV*89506")
    .replaceAll("4500077", "80001");
  await desk.add(direct, "b1.edi");
  const orders = await desk.open();
  for (const { id, po_number, lines } of orders) {
    const contents = lines.map(({ line, quantity }) => ({ line, quantity }));
    const json = { order_id: id, po_number, cartons: [{ ...CARTON, contents }], key: crypto.randomUUID() };
    const reply = await desk.browser.call(createShipment, { json });
    expect(reply.status, reply.text).toBe(200);
  }
  await desk.leave();
  await matchAll(desk);
  const params = { kind: "customer" as const };
  const found = await desk.browser.call(searchMatches, { params, query: { q: "Freeman" } });
  const [other] = (found.json() as { entries: { id: string }[] }).entries;
  const json = { partner: directRetailer.id, kind: params.kind, written: "", target_id: other?.id ?? "" };
  expect((await desk.browser.call(chooseMatch, { json })).status).toBe(200);
  const ids = orders.map(({ id }) => id);
  for (const id of ids) await confirmPrices(desk, id);
  await uploadRows(desk.browser, ACME, [invoiceLine("80001", { "Invoice Date": "2026-12-01" })]);
  await settledUploads(desk.browser, ACME);
  const reply = (await desk.post(...ids)).json() as { posting: number; left_out: { problem: string }[] };
  expect([
    reply.posting,
    ...reply.left_out.map(({ problem }) => problem.replace(/ already.*/, "")).toSorted(),
  ]).toEqual([1, "PO # 0080001: QuickBooks", "PO # 80001: QuickBooks"]);
});

test("TD-09 TD-10 TD-15 an invoice that is typed again, or renamed, under the number of a rejected one has an 810 of its own, and no other notice waits for it", async () => {
  const desk = await openThreadDesk();
  const { intuit, settle } = desk.app;
  const orderId = await prepareSample(desk);
  const findMade = async (number: string) =>
    (await intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === number);
  const post = async () => {
    await confirmPrices(desk, orderId);
    const posted = (await desk.post(orderId)).json() as { posting: number };
    await settle(120_000);
    return posted.posting;
  };
  const reject = async () => {
    await desk.leave();
    expect(await desk.answer810("R")).toHaveLength(1);
  };
  const remove = (id = "") => intuit.control(`books/${ACME}/invoice/${id}/delete`, {});
  expect(await post()).toBe(1);
  await reject();
  const { Id: first, ...typed } = (await findMade("80001")) ?? {};
  await remove(first);
  await intuit.control(`books/${ACME}/invoice`, typed);
  await desk.view(orderId);
  expect(await post()).toBe(0);
  const [asked] = (await desk.view(orderId)).invoices;
  const linked = await desk.say(asked, "link");
  expect(linked.status, linked.text).toBe(200);
  await reject();
  await remove((await findMade("80001"))?.Id);
  await desk.view(orderId);
  expect(await post()).toBe(1);
  const { Id: third = "", DocNumber: number } = (await findMade("80001-2")) ?? {};
  expect(number).toBe("80001-2");
  await intuit.control(`books/${ACME}/invoice/${third}`, { DocNumber: "80001" });
  await desk.addSamples(2);
  expect((await desk.ship("80002")).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ number: "80001", problem: "" }]);
  await desk.leave();
  expect((await desk.notices()).map(({ kind, state }) => [kind, state])).toEqual(
    expect.arrayContaining([
      ["invoice", "sent"],
      ["ship", "sent"],
    ]),
  );
  expect(await desk.answer810("A")).toHaveLength(1);
  expect((await desk.list()).threads.find(({ order_id: id }) => id === orderId)?.standing).toBe("done");
});

test("TD-10 what an invoice in QuickBooks is counts only for the one that the user saw, as it was then", async () => {
  const desk = await openThreadDesk();
  const { intuit } = desk.app;
  const orderId = await prepareSample(desk);
  const type = async (amount: number) => {
    const line = invoiceLine("80001", { "Invoice Date": "2026-12-01", Qty: 1, Rate: amount, Amount: amount });
    await uploadRows(desk.browser, ACME, [line]);
    await settledUploads(desk.browser, ACME);
    return (await intuit.invoices(ACME)).findLast(({ DocNumber }) => DocNumber === "80001")?.Id ?? "";
  };
  const ask = async () => {
    expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
    return (await desk.view(orderId)).invoices[0];
  };
  const first = await type(45);
  const seen = await ask();
  expect(seen?.theirs).toMatchObject({ id: first, total: "45.00" });
  // Another one takes its place.
  await intuit.control(`books/${ACME}/invoice/${first}/delete`, {});
  const second = await type(31);
  const other = await ask();
  expect(other?.theirs).toMatchObject({ id: second, total: "31.00" });
  for (const said of ["link", "other"] as const)
    expect(await refuseLate(desk, seen, said)).toBe("changed_since");
  // The same one is edited there.
  await intuit.control(`books/${ACME}/invoice/${second}`, { DocNumber: "80001-B" });
  expect(await refuseLate(desk, other, "link")).toBe("changed_since");
  const edited = (await desk.view(orderId)).invoices[0];
  expect(edited).toMatchObject({ state: "draft", theirs: { id: second, number: "80001-B" } });
  // One that is voided bills nothing.
  await intuit.control(`books/${ACME}/invoice/${second}/void`, {});
  expect((await desk.say(edited, "link")).status).toBe(409);
  expect((await desk.say((await desk.view(orderId)).invoices[0], "other")).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ waits: [], theirs: null }]);
});

test("TD-08 TD-10 a price is confirmed, and an earlier invoice noted as credited, only as the user saw them", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidCarton } = await billHalves(desk);
  await desk.leave();
  await voidCarton();
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.leave();
  const again = async () => (await desk.view(orderId)).invoices[1];
  expect(await again()).toMatchObject({ waits: ["credit", "price"] });
  expect((await desk.say(await again(), "credited")).status).toBe(200);
  const seen = await again();
  expect(seen).toMatchObject({ waits: ["price"] });
  const asked = seen?.lines.find(({ asks_price: asks }) => asks);
  // The rest of the first shipment's labels is voided, too: more is to be credited than the user said.
  const [first] = (await desk.history()).labels.toReversed();
  const query = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
  expect(await again()).toMatchObject({ waits: ["credit", "price"] });
  expect(await refuseLate(desk, seen, "credited")).toBe("changed_since");
  expect(await refuseLate(desk, seen, "order_price", asked?.line)).toBe("changed_since");
  expect((await desk.say(await again(), "credited")).status).toBe(200);
  await confirmPrices(desk, orderId);
  expect(await again()).toMatchObject({ waits: [] });
});
