import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { readFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import {
  answerShipment,
  cancelLines,
  cancelOrder,
  changeCarrierSettings,
  createShipment,
  createShipments,
  downloadLabelFile,
  listShipments,
  printShipments,
  voidShipment,
  type LabelHistory,
} from "#features/shipping/contract.ts";
import { correctAddress, decideOrder, restoreOrder } from "#features/orders/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { decide } from "../../../test/support/orders.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { BAY } from "../../../test/support/intuit.ts";
import { grantTracking } from "../../../test/support/members.ts";
import {
  CARRIER_SETTINGS,
  CARTON,
  openShippingDesk,
  SHIP_TO,
  type ShippingDesk,
} from "../../../test/support/shipping.ts";

const PO = "80001";
/** When UPS is searched after a lost answer. */
const SOON = { SHIP_WAITS_MS: "300,1000,2000,4000" };
const pagesIn = (pdf: string) => pdf.match(/\/Type\s*\/Page\b/g)?.length;
const detail = (reply: { json(): unknown }) => (reply.json() as { detail: string }).detail;
const voidLabels = (browser: Browser, shipment: string, po_number = PO) =>
  browser.call(voidShipment, { json: { po_number, shipment } });

/** Lets all searches of `SOON` pass. */
const untilState = async (desk: ShippingDesk, state: string) => {
  await desk.app.settle(10_000);
  expect((await desk.open())[0]?.labels).toMatchObject({ state });
};

test("GEN-06 (its UPS labels, cancelled orders, voids and history) CR-11 CR-12 CR-18 CR-19 AP-24 AP-25 AP-27 AP-40 HI-11 HI-12 labels are made for an order, voided, and made again", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2, 3);
  const made = await desk.ship(PO, [CARTON, { length: "24", width: "18", height: "12", weight: "14.5" }]);
  expect([made.status, made.headers.get("content-type"), made.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    "attachment; filename=\"labels.pdf\"; filename*=UTF-8''80001-labels.pdf",
  ]);
  expect(pagesIn(made.text)).toBe(2);
  expect(made.headers.get(DOCUMENT_OF_HEADER)).toBe((await desk.history()).labels[0]?.id);
  expect((await desk.open()).map(({ po_number }) => po_number)).toEqual(["80002", "80003"]);
  const { labels, counts } = await desk.history();
  expect(counts).toEqual({ all: 1, unscanned: 1, voided: 0 });
  expect(labels).toMatchObject([
    {
      po_number: PO,
      customer_name: "Jane Doe",
      packing_slip_file: "80001-packing-slip.pdf",
      label_file: "80001-labels.pdf",
      carton_count: 2,
      cost: "",
      billed_to: expect.stringMatching(/./),
      state: "live",
      can_void: true,
    },
  ]);
  const [first] = labels;
  expect(first?.shipment).toBe(first?.tracking_numbers[0]);
  const cancelled = await desk.browser.call(cancelOrder, { query: { customer: "retailer", po_number: PO } });
  expect([cancelled.status, detail(cancelled)]).toEqual([
    409,
    "PO # 80001 has labels. Void them in History first.",
  ]);
  for (let time = 1; time <= 5; time += 1) {
    const reply = await voidLabels(desk.browser, first?.shipment ?? "");
    expect([reply.status, reply.json()]).toEqual([200, { kept: [] }]);
  }
  expect((await desk.open()).map(({ po_number, labels: none }) => [po_number, none])).toEqual([
    [PO, null],
    ["80002", null],
    ["80003", null],
  ]);
  expect((await desk.history()).labels).toMatchObject([{ new_shipment: null, is_order_open: true }]);
  const again = await desk.ship(PO);
  expect([again.status, pagesIn(again.text)]).toEqual([200, 1]);
  const [renewed, voided] = (await desk.history()).labels;
  expect([renewed, voided].map((each) => [each?.label_file, each?.state])).toEqual([
    ["80001-labels-2.pdf", "live"],
    ["80001-labels.pdf", "voided"],
  ]);
  expect(voided).toMatchObject({ new_shipment: renewed?.shipment, is_order_open: false });
  expect(renewed?.new_shipment).toBeNull();
  expect(await desk.shipCalls()).toBe(2);
  const download = (filename: string) => desk.browser.call(downloadLabelFile, { params: { filename } });
  expect(pagesIn((await download("80001-labels-2.pdf")).text)).toBe(1);
  expect((await download("80001-labels.pdf")).status).toBe(409);
});

test("AP-37 HI-14 HI-15 the history is read a page at a time, newest first, and searched by part of a PO, a customer or a shipment number", async () => {
  const desk = await openShippingDesk();
  const sets = [
    sampleOrder(1),
    sampleOrder(2),
    sampleOrder(3).map((text) => text.replace("Jane Doe", "Ann_Lee")),
  ];
  await desk.add(sampleFile({ sets }));
  for (const po of [PO, "80002", "80003"]) expect((await desk.ship(po)).status).toBe(200);
  const numbers = ({ labels }: LabelHistory) => labels.map(({ po_number }) => po_number);
  const all = await desk.history();
  expect([numbers(all), all.next]).toEqual([["80003", "80002", PO], null]);
  const first = await desk.history({ limit: "2" });
  expect(numbers(first)).toEqual(["80003", "80002"]);
  const second = await desk.history({ limit: "2", before: first.next ?? "" });
  expect([numbers(second), second.next]).toEqual([[PO], null]);
  expect(numbers(await desk.history({ q: "0002" }))).toEqual(["80002"]);
  expect(numbers(await desk.history({ q: "ann_" }))).toEqual(["80003"]);
  const [{ shipment } = { shipment: "" }] = second.labels;
  expect(numbers(await desk.history({ q: shipment.slice(8) }))).toEqual([PO]);
  expect(numbers(await desk.history({ q: "%" }))).toEqual([]);
  expect(second.labels[0]).toEqual(all.labels[2]);
  const nowhere = await desk.browser.call(listShipments, { query: { before: "yesterday" } });
  expect([nowhere.status, detail(nowhere)]).toEqual([400, "This page doesn't exist. Reload."]);
});

test("CR-20 a double click, two tabs and a repeat with the same key buy once; different cartons are refused", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const key = crypto.randomUUID();
  const replies = await Promise.all([
    desk.ship(PO, [CARTON], { key }),
    desk.ship(PO),
    desk.ship(PO, [CARTON], { key }),
    desk.ship(PO),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await desk.shipCalls()).toBe(1);
  const other = await desk.ship(PO, [{ ...CARTON, weight: 3 }]);
  expect([other.status, detail(other)]).toEqual([
    409,
    "Labels of PO # 80001 were made with other cartons. They are in History.",
  ]);
  expect((await desk.history()).labels).toHaveLength(1);
});

test("CR-20 a key that is sent again gets the labels that it bought, or why it bought none, also when later parts were bought or failed", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  const buy = async (key: string, po = PO) => {
    const contents = [
      { line: "1", quantity: "0.5" },
      { line: "2", quantity: "2" },
    ];
    const reply = await desk.ship(po, [{ ...CARTON, contents }], { key });
    return [reply.status, reply.headers.get(DOCUMENT_OF_HEADER) ?? detail(reply)];
  };
  const keys = Array.from({ length: 4 }, () => crypto.randomUUID());
  const [first = "", second = "", failing = ""] = keys;
  const [a, b] = [await buy(first), await buy(second)];
  expect([a[0], b[0], a[1] === b[1]]).toEqual([200, 200, false]);
  expect([await buy(first), await buy(second)]).toEqual([a, b]);
  await desk.app.ups.control("faults", { fault: "bare_refusal", operation: "ship", times: 1 });
  await desk.browser.call(changeCarrierSettings, {
    json: { ...CARRIER_SETTINGS, billing_account: "ZZZZZZ" },
  });
  const refused = [409, expect.stringMatching(/\(120\d{3}\)/)];
  expect(await buy(failing)).toEqual(refused);
  expect([await buy(first), await buy(failing), await buy(second)]).toEqual([a, refused, b]);
  await desk.browser.call(changeCarrierSettings, { json: CARRIER_SETTINGS });
  const third = await buy(keys[3] ?? "");
  expect([third[0], await buy(failing), await buy(first)]).toEqual([200, refused, a]);
  expect(await buy(first, "80002")).toEqual([409, "This key was used for PO # 80001. Use a new one."]);
  expect((await desk.history()).labels).toHaveLength(3);
});

test("CR-20 the key of one part of an order is refused for another part, and still gets the labels that it bought", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const key = crypto.randomUUID();
  const contents = [{ line: "1", quantity: "1" }];
  const first = () => desk.ship(PO, [{ ...CARTON, contents }], { key, shipment_number: 1 });
  const made = await first();
  expect(made.status).toBe(200);
  const changed =
    "Other labels of PO # 80001 were made in the meantime. Reload the page to see what is left to ship.";
  const rest = await desk.ship(PO, [CARTON], { key, shipment_number: 2 });
  expect([rest.status, detail(rest)]).toEqual([409, changed]);
  const [order] = await desk.open();
  const json = { orders: [{ order_id: order?.id, cartons: [CARTON], key, shipment_number: 2 }] };
  const several = await desk.browser.call(createShipments, { json });
  expect(several.json()).toMatchObject({ orders: [{ id: null, problem: changed }] });
  const repeated = await first();
  expect([repeated.status, repeated.headers.get(DOCUMENT_OF_HEADER)]).toEqual([
    200,
    made.headers.get(DOCUMENT_OF_HEADER),
  ]);
  expect(await desk.shipCalls()).toBe(1);
  const own = { key: crypto.randomUUID(), shipment_number: 2 };
  expect((await desk.ship(PO, [CARTON], own)).status).toBe(200);
  expect((await desk.history()).labels).toHaveLength(2);
  // Also once all has shipped.
  expect((await desk.ship(PO, [CARTON], { key, shipment_number: 2 })).status).toBe(409);
  expect(await desk.shipCalls()).toBe(2);
});

test("CR-20 a key buys once: sent again after its labels were voided, it makes none", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const key = crypto.randomUUID();
  expect((await desk.ship(PO, [CARTON], { key })).status).toBe(200);
  const [label] = (await desk.history()).labels;
  expect((await voidLabels(desk.browser, label?.shipment ?? "")).status).toBe(200);
  const voided = [409, "The labels of PO # 80001 are voided: UPS won't accept them. Make new ones."];
  const reply = await desk.ship(PO, [CARTON], { key });
  expect([reply.status, detail(reply)]).toEqual(voided);
  const [order] = await desk.open();
  const json = { orders: [{ order_id: order?.id, cartons: [CARTON], key }] };
  const several = await desk.browser.call(createShipments, { json });
  expect(several.json()).toMatchObject({ orders: [{ id: null, problem: voided[1] }] });
  expect(await desk.shipCalls()).toBe(1);
  expect((await desk.ship(PO)).status).toBe(200);
  expect(await desk.shipCalls()).toBe(2);
});

test("OI-04 while a different order with its number waits, no labels are made of an order; with labels, only the order here can be kept", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  const other = (number: number) =>
    sampleOrder(number).map((segment) =>
      segment.replace("PO1*1*2*", "PO1*1*4*").replace("CTT*2*12", "CTT*2*14"),
    );
  await desk.add(sampleFile({ sets: [other(1)] }));
  const refused = await desk.ship(PO);
  expect(refused.status).toBe(409);
  expect(detail(refused)).toBe("A different order came in as PO # 80001. Choose one of them first.");
  expect(await desk.shipCalls()).toBe(0);
  expect((await desk.ship("80002")).status).toBe(200);
  await desk.add(sampleFile({ sets: [other(2)] }));
  const order_id = (await desk.history()).labels[0]?.order_id ?? "";
  const choose = (choice: "use_new" | "keep") => decide(desk.browser, order_id, choice);
  const replaced = await choose("use_new");
  expect([replaced.status, detail(replaced)]).toEqual([
    409,
    "PO # 80002 already has labels. They are in History.",
  ]);
  expect((await choose("keep")).status).toBe(200);
});

test("TD-20 the list says of each retailer's orders who pays UPS for their labels", async () => {
  const desk = await openShippingDesk({ partners: [retailer, directRetailer] });
  await desk.addSamples(1);
  const file = new URL("../../../test/corpus/thread/b1-850-order.edi", import.meta.url);
  await desk.add(await readFile(file, "utf8"), "other.edi");
  const payers = async () =>
    Object.fromEntries((await desk.open()).map(({ po_number, billed_to }) => [po_number, billed_to]));
  expect(await payers()).toEqual({ [PO]: "Home Improvement", "4500077": null });
  await desk.browser.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, billing: "shipper" } });
  expect(await payers()).toEqual({ [PO]: null, "4500077": null });
});

test("SR-02 SR-03 labels and packing slips print as one file in packing order, each on its own paper, but not with ZPL labels", async () => {
  const desk = await openShippingDesk();
  const save = (changed: object) =>
    desk.browser.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, ...changed } });
  await desk.addSamples(1, 2, 3);
  const [first, second, third] = await desk.open();
  expect((await desk.ship(second?.po_number ?? "", [CARTON, CARTON])).status).toBe(200);
  expect((await desk.ship(first?.po_number ?? "")).status).toBe(200);
  const findId = async (po: string | undefined) =>
    (await desk.history()).labels.find(({ po_number }) => po_number === po)?.id;
  const ids = [await findId(second?.po_number), await findId(first?.po_number)];
  const printPapers = async () =>
    readPapers(await desk.browser.download(printShipments, { json: { ids, slips: true } }));
  const LABEL = [288, 432];
  const LETTER = [612, 792];
  // A slip for each carton, after the labels of its order.
  expect(await printPapers()).toEqual([LABEL, LABEL, LETTER, LETTER, LABEL, LETTER]);
  expect((await save({ slip_paper: "label" })).status).toBe(200);
  expect(await printPapers()).toEqual([LABEL, LABEL, LABEL, LABEL, LABEL, LABEL]);

  expect((await save({ label_format: "zpl" })).status).toBe(200);
  expect((await desk.ship(third?.po_number ?? "")).status).toBe(200);
  const mixed = { ids: [ids[0], await findId(third?.po_number)], slips: true };
  const refused = await desk.browser.call(printShipments, { json: mixed });
  expect([refused.status, detail(refused)]).toEqual([
    409,
    "Labels in ZPL and packing slips can't be one file. Print the labels, then download the packing slips.",
  ]);
  expect((await desk.history()).labels.map(({ prints }) => prints)).toEqual([1, 3, 3]);
});

test("SR-04 an order of the same items in the same quantities is offered the cartons of the last one", async () => {
  const desk = await openShippingDesk();
  const more = sampleOrder(3).map((segment) => segment.replace("SK*1001234", "SK*1009999"));
  await desk.add(sampleFile({ sets: [sampleOrder(1), sampleOrder(2), more] }));
  const [first] = await desk.open();
  expect(first?.last_cartons).toBeNull();
  const cartons = [{ length: 20, width: 12, height: 8, weight: 6.5 }, CARTON];
  expect((await desk.ship(first?.po_number ?? "", cartons)).status).toBe(200);
  expect((await desk.open()).map(({ last_cartons: last }) => last)).toEqual([cartons, null]);
});

test("SR-04 the cartons of a part of an order, or of what a cancellation left of it, are offered to no other order", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2, 3);
  const offered = async () => (await desk.open()).map(({ last_cartons: last }) => last);
  const contents = [
    { line: "1", quantity: "2" },
    { line: "2", quantity: "7" },
  ];
  expect((await desk.ship(PO, [{ ...CARTON, contents }], { key: crypto.randomUUID() })).status).toBe(200);
  expect(await offered()).toEqual([null, null, null]);
  expect((await desk.ship(PO, [CARTON], { key: crypto.randomUUID() })).status).toBe(200);
  expect(await offered()).toEqual([null, null]);
  const order_id = (await desk.open())[0]?.id;
  const lines = [{ line: "1", quantity: "2" }];
  const reason = { cancel_reason: "out_of_stock" };
  expect((await desk.browser.call(cancelLines, { json: { order_id, lines, ...reason } })).status).toBe(200);
  expect((await desk.ship("80002")).status).toBe(200);
  expect(await offered()).toEqual([null]);
});

/** Width and height of each page, in points. */
const readPapers = async (bytes: Uint8Array) => {
  const file = await PDFDocument.load(bytes);
  return file.getPages().map((page) => [page.getWidth(), page.getHeight()].map(Math.round));
};

test.each(["drop_after", "server_error_after", "html_page_after", "json_refusal_after", "half_body"])(
  "labels that UPS made although its answer was lost (%s) are found, adopted, and not bought again",
  async (fault) => {
    const desk = await openShippingDesk({ env: SOON });
    await desk.addSamples(1, 2, 3);
    await desk.app.ups.control("settings", { recoveryDelayMs: 1_500 }, "PATCH");
    await desk.app.ups.control("faults", { fault, operation: "ship", times: 1, status: 403 });
    const reply = await desk.ship(PO);
    expect(reply.status).toBe(202);
    await desk.app.settle();
    expect((await desk.history()).labels).toHaveLength(1);
    const [label] = (await desk.history()).labels;
    expect(label).toMatchObject({ po_number: PO, carton_count: 1, state: "live" });
    expect(await desk.shipCalls()).toBe(1);
    const { shipments } = await desk.app.ups.control<{ shipments: unknown[] }>("shipments");
    expect(shipments).toHaveLength(1);
    expect(pagesIn((await desk.ship(PO)).text)).toBe(1);
    expect(await desk.shipCalls()).toBe(1);
  },
);

test.each(["drop", "server_error", "html_page"])(
  "when UPS shows no labels after a call that got no answer (%s), a user is asked once, and nothing is bought meanwhile",
  async (fault) => {
    // The last search waits until this test lets it, however busy the machine is.
    const clock = steppedClock();
    const desk = await openShippingDesk({ clock, env: { SHIP_WAITS_MS: "300,1000,2000,600000" } });
    await desk.addSamples(1);
    await desk.app.ups.control("faults", { fault, operation: "ship", times: 1, status: 502 });
    expect((await desk.ship(PO)).status).toBe(202);
    await untilState(desk, "checking");
    expect((await desk.open())[0]?.labels).toMatchObject({ next_check_at: expect.any(String) });
    expect((await desk.ship(PO)).status).toBe(202);
    clock.advance(600_000);
    await untilState(desk, "asked");
    expect(await desk.shipCalls()).toBe(1);
    const [order] = await desk.open();
    expect(order?.labels?.error).toMatch(/^UPS didn't answer, and has no label/);
    const answer = (json: object) =>
      desk.browser.call(answerShipment, { json: { id: order?.labels?.id, ...json } });
    const wrong = await answer({ answer: "tracking_number", tracking_number: "1Z999AA10123456784" });
    expect(wrong.status).toBe(400);
    // Answers to a question about a shipment that UPS shows, and a print of labels that aren't there.
    for (const other of ["not_ours", "void_theirs"])
      expect((await answer({ answer: other })).json()).toMatchObject({ status: 409, code: "labels_settled" });
    const print = await desk.browser.call(printShipments, { json: { ids: [order?.labels?.id] } });
    expect(print.json()).toMatchObject({ status: 409, code: "no_labels" });
    expect(await desk.shipCalls()).toBe(1);
    expect((await answer({ answer: "create_again" })).status).toBe(200);
    expect((await answer({ answer: "create_again" })).status).toBe(409);
    expect((await desk.ship(PO)).status).toBe(200);
    expect(await desk.shipCalls()).toBe(2);
  },
);

test("a tracking number whose label has another consignee is asked about before its labels are used, also after another number was entered", async () => {
  const desk = await openShippingDesk({ env: SOON });
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "drop", operation: "ship", times: 1 });
  expect((await desk.ship(PO)).status).toBe(202);
  await untilState(desk, "asked");
  const add = async (name: string) => {
    const to = { name, lines: ["12 Main Street", "Apartment 4"], city: "Reno", postal: "89506" };
    const pkg = { scenario: "never_scanned", reference: "OTHER", to, weightLb: 2 };
    return (await desk.app.ups.control<{ tracking: string[] }>("packages", pkg)).tracking[0] ?? "";
  };
  const [tom, ann] = [await add("Tom Reed"), await add("Ann Lee")];
  const enter = async (tracking_number: string) => {
    const id = (await desk.open())[0]?.labels?.id;
    const json = { id, answer: "tracking_number", tracking_number };
    return desk.browser.call(answerShipment, { json });
  };
  const shown = async () => (await desk.open())[0]?.labels;
  for (const [number, to] of [
    [tom, "TOM REED"],
    [ann, "ANN LEE"],
    [tom, "TOM REED"],
  ] as const) {
    expect((await enter(number)).json()).toMatchObject({
      status: 409,
      code: "other_consignee",
      detail: `UPS has ${number} for ${to}, 12 MAIN STREET, APARTMENT 4, RENO NV 89506. Compare it with PO # 80001, then choose an answer.`,
    });
    expect(await shown()).toMatchObject({
      state: "asked",
      error: expect.stringContaining(number),
      theirs: { number, ship_to: [to, "12 MAIN STREET", "APARTMENT 4", "RENO NV 89506"] },
    });
    expect((await shown())?.theirs?.differs).toContain("consignee");
  }
  expect((await desk.history()).labels).toEqual([]);
  // The user has seen it now.
  expect((await enter(tom)).status).toBe(200);
  expect((await desk.history()).labels).toMatchObject([{ shipment: tom }]);
  expect(await desk.shipCalls()).toBe(1);
});

test("labels of a tracking number that a user enters come in the format that the company prints", async () => {
  const desk = await openShippingDesk({ env: SOON }, { label_format: "zpl" });
  await desk.addSamples(1);
  await desk.app.ups.control("settings", { recoveryDelayMs: 100_000_000 }, "PATCH");
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  expect((await desk.ship(PO)).status).toBe(202);
  await untilState(desk, "asked");
  await desk.app.ups.control("settings", { recoveryDelayMs: 0 }, "PATCH");
  const { shipments } = await desk.app.ups.control<{ shipments: { id: string }[] }>("shipments");
  const id = (await desk.open())[0]?.labels?.id;
  const json = { id, answer: "tracking_number", tracking_number: shipments[0]?.id };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  const file = await desk.ship(PO);
  expect(file.text).toContain("^XA");
  expect(await desk.shipCalls()).toBe(1);
});

test("labels that a restored database has forgotten are found before new ones are bought", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  expect((await desk.ship(PO)).status).toBe(200);
  const [label] = (await desk.history()).labels;
  // As after restoring an older backup: the purchase is unknown, the order is open.
  await desk.app.db.deleteFrom("shipment" as never).execute();
  await desk.app.db.deleteFrom("write" as never).execute();
  await desk.app.db
    .updateTable("retail_order" as never)
    .set({ state: "open" } as never)
    .execute();
  expect((await desk.ship(PO)).status).toBe(200);
  expect((await desk.history()).labels.map(({ shipment }) => shipment)).toEqual([label?.shipment]);
  expect(await desk.shipCalls()).toBe(1);
});

test("ER-08 HI-18 a label that UPS scanned is not voided, and a void whose answer was lost can be repeated", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  await desk.ship(PO);
  await desk.ship("80002");
  const [second, first] = (await desk.history()).labels;
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "void", times: 1 });
  const lost = await voidLabels(desk.browser, first?.shipment ?? "");
  expect([lost.status, detail(lost)]).toEqual([
    503,
    "UPS didn't answer. We'll find out whether it voided the labels, and ask again if it didn't. History shows the outcome.",
  ]);
  expect((await voidLabels(desk.browser, first?.shipment ?? "")).json()).toEqual({ kept: [] });
  const tracking = second?.tracking_numbers[0];
  for (let event = 0; event < 3; event += 1) await desk.app.ups.control("packages/advance", { tracking });
  const late = await voidLabels(desk.browser, second?.shipment ?? "", "80002");
  expect(late.status).toBe(409);
  expect(detail(late)).toMatch(/^UPS says: .*\(190102\)\. It was scanned: UPS has the package\.$/);
  expect((await desk.history()).labels[0]).toMatchObject({ po_number: "80002", state: "live" });
});

test("CR-21 CR-32 anything that UPS would refuse is reported before anything is bought", async () => {
  const desk = await openShippingDesk();
  const long = sampleOrder(1).map((segment) =>
    segment.replace("Jane Doe", "Jane Alexandra Whitfield-Montgomery of Reno"),
  );
  await desk.add(sampleFile({ sets: [long, sampleOrder(2), sampleOrder(3)] }));
  const name = await desk.ship(PO);
  expect([name.status, detail(name)]).toEqual([
    400,
    'The ship-to name is "Jane Alexandra Whitfield-Montgomery of Reno". UPS accepts at most 35 characters.',
  ]);
  const girth = await desk.ship("80002", [CARTON, { length: 60, width: 40, height: 30, weight: 20 }]);
  expect(detail(girth)).toBe("Length plus girth of carton 2 is 200. UPS accepts at most 165.");
  for (const wrong of [{ weight: 0 }, { length: 109 }, { weight: "heavy" }, { height: 1.234 }])
    expect((await desk.ship("80002", [{ ...CARTON, ...wrong }])).status).toBe(400);
  expect(await desk.shipCalls()).toBe(0);
  expect((await desk.open()).map(({ labels }) => labels)).toEqual([null, null, null]);
});

test("CR-21 UPS's refusal without its envelope is shown in UPS's words, and the order can be shipped again at once", async () => {
  const desk = await openShippingDesk({}, { billing_account: "ZZZZZZ" });
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "bare_refusal", operation: "ship", times: 1 });
  const refused = await desk.ship(PO);
  expect([refused.status, detail(refused)]).toEqual([409, expect.stringMatching(/\(120\d{3}\)/)]);
  await desk.browser.call(changeCarrierSettings, { json: CARRIER_SETTINGS });
  expect((await desk.ship(PO)).status).toBe(200);
});

test("OI-08 an order that its retailer cancels while it has labels is flagged, and canceled once they are voided", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2, 3);
  await desk.ship(PO);
  const cancellation = sampleOrder(1).map((segment) => segment.replace("BEG*00", "BEG*01"));
  const { documents } = await desk.add(sampleFile({ sets: [cancellation] }));
  expect(documents).toEqual([{ po_number: PO, result: "void_first", problems: [] }]);
  const [label] = (await desk.history()).labels;
  expect(label).toMatchObject({ po_number: PO, cancellation_asked_at: expect.any(String) });
  expect((await voidLabels(desk.browser, label?.shipment ?? "")).status).toBe(200);
  const { open, cancelled } = await desk.orders();
  expect(open.map(({ po_number }) => po_number)).toEqual(["80002", "80003"]);
  expect(cancelled).toMatchObject([{ po_number: PO, cancelled_by: "retailer" }]);
});

test("OI-08 HI-13 a void reopens no order that its retailer canceled, also after a user confirmed that it shipped", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  await desk.ship(PO);
  await desk.ship("80002");
  const cancellation = sampleOrder(1).map((segment) => segment.replace("BEG*00", "BEG*01"));
  await desk.add(sampleFile({ sets: [cancellation] }));
  const reopens = async () =>
    Object.fromEntries((await desk.history()).labels.map((each) => [each.po_number, each.reopens]));
  expect(await reopens()).toEqual({ [PO]: false, "80002": true });
  const label = (await desk.history()).labels.find(({ po_number: po }) => po === PO);
  expect((await decide(desk.browser, label?.order_id ?? "", "shipped")).status).toBe(200);
  expect(await reopens()).toEqual({ [PO]: false, "80002": true });
  expect((await voidLabels(desk.browser, label?.shipment ?? "")).status).toBe(200);
  expect((await desk.orders()).cancelled).toMatchObject([{ po_number: PO, cancelled_by: "retailer" }]);
});

test("another company's orders and labels can't be reached by id, number or file name", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  await desk.ship(PO);
  const [label] = (await desk.history()).labels;
  const [order] = await desk.open();
  const stranger = await desk.app.owner(BAY, "platform@dockside.example");
  await grantTracking(desk.app.db, BAY);
  const query = { realm_id: BAY };
  const statuses = [
    await stranger.call(restoreOrder, { query, json: { order_id: order?.id } }),
    await stranger.call(correctAddress, { query, json: { order_id: order?.id, ship_to: SHIP_TO } }),
    await stranger.call(decideOrder, { query, json: { order_id: order?.id, choice: "keep" } }),
    await stranger.call(printShipments, { query, json: { ids: [label?.id] } }),
    await stranger.call(answerShipment, { query, json: { id: label?.id, answer: "create_again" } }),
    await stranger.call(createShipment, { query, json: { po_number: "80002", cartons: [CARTON] } }),
    await stranger.call(voidShipment, {
      query: { ...query, po_number: PO, shipment: label?.shipment ?? "" },
    }),
    await stranger.call(downloadLabelFile, { query, params: { filename: label?.label_file ?? "" } }),
    // Without a reason: the retailer's first one is taken.
    await stranger.call(cancelLines, {
      query,
      json: { order_id: order?.id, lines: [{ line: "1", quantity: "1" }] },
    }),
  ].map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 9 }, () => 404));
  expect((await stranger.call(listShipments, { query })).json()).toMatchObject({ labels: [] });
});

test("a user is asked about an address that UPS doesn't know before labels are bought; it is used once they confirm it", async () => {
  const desk = await openShippingDesk({}, { billing: "shipper" });
  const at = (number: number, street: string, place: string) =>
    sampleOrder(number).map((segment) =>
      segment.replace("12 Main Street*Apartment 4", street).replace("Reno*NV*89506", place),
    );
  const sets = [
    at(1, "14 Elm Strt", "Mountain View*CA*94043"),
    at(2, "14 Nowhere Lane", "Reno*NV*89506"),
    at(3, "12 Broadway", "New York*NY*10001"),
    sampleOrder(4),
  ];
  await desk.add(sampleFile({ sets }));
  const tail = "Nothing was bought: correct the address, or keep this one.";
  const near = await desk.ship(PO);
  expect(near.status).toBe(409);
  expect(detail(near)).toMatch(
    /^UPS doesn't recognize 14 Elm Strt, Mountain View, CA 94043\. It may be 14 ELM ST, .* 94043/,
  );
  const [first] = await desk.open();
  expect(first?.labels?.meant).toMatchObject({ lines: ["14 ELM ST"], state: "CA" });
  const none = await desk.ship("80002");
  expect(detail(none)).toBe(`UPS doesn't recognize 14 Nowhere Lane, Reno, NV 89506. ${tail}`);
  expect(await desk.shipCalls()).toBe(0);
  const order = (await desk.open()).find(({ po_number }) => po_number === "80002");
  expect(order?.labels).toMatchObject({ state: "failed", correct: "address", meant: null });
  const { attention, ...ship_to } = order?.ship_to ?? { attention: "" };
  expect(attention).toBe("");
  expect((await desk.browser.call(correctAddress, { json: { order_id: order?.id, ship_to } })).status).toBe(
    200,
  );
  expect((await desk.ship("80002")).status).toBe(200);
  expect((await desk.ship("80003")).status).toBe(200);
  await desk.app.ups.control("faults", {
    fault: "html_page",
    operation: "address_validation",
    times: 1,
    status: 502,
  });
  expect((await desk.ship("80004")).status).toBe(200);
  const costs = (await desk.history()).labels.map(({ po_number, cost }) => [po_number, cost]);
  expect(costs.map(([po]) => po)).toEqual(["80004", "80003", "80002"]);
  // UPS charges more for a home delivery than for an office.
  expect(costs[0]?.[1]).not.toBe(costs[1]?.[1]);
});

test("TD-20 CR-21 labels are made with the signature that the retailer requires, and with a service that the user chooses for one that isn't known", async () => {
  const desk = await openShippingDesk();
  const file = new URL("../../../test/corpus/thread/h32-signature-required.xml", import.meta.url);
  const xml = await readFile(file, "utf8");
  await desk.add(xml.replaceAll("UPSN_CG", "FDXG_CG"), "orders.xml");
  expect(await desk.open()).toMatchObject([
    { service: '"FDXG_CG", signature required', unknown_service: "FDXG_CG" },
  ]);
  const refused = await desk.ship("H3201");
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Choose one.")]);
  const other = await desk.ship("H3201", [CARTON], { service: "99" });
  expect([other.status, other.text]).toEqual([400, expect.stringContaining("Choose one.")]);
  expect((await desk.ship("H3201", [CARTON], { service: "12" })).status).toBe(200);
  type UpsShipments = { shipments: { service: string; packages: { signature?: string }[] }[] };
  const { shipments } = await desk.app.ups.control<UpsShipments>("shipments");
  expect(shipments).toMatchObject([{ service: "12", packages: [{ signature: "2" }] }]);
});

test.each(["invalid_credentials", "refusal"])(
  "TR-27 labels that wait because UPS refuses the account's login (%s) say so on their order, and are made once it is accepted",
  async (fault) => {
    const desk = await openShippingDesk();
    await desk.addSamples(1);
    await desk.app.ups.control("tokens/expire", {});
    await desk.app.ups.control("faults", { fault, operation: "refresh" });
    expect((await desk.ship("80001")).status).toBe(202);
    await desk.app.settle(180_000);
    expect((await desk.open())[0]?.labels).toMatchObject({
      state: "making",
      error: expect.stringContaining(
        "UPS isn't accepting the login of your UPS account, so these labels are waiting.",
      ),
      correct: "account",
    });
    await desk.app.ups.control("faults", undefined, "DELETE");
    await desk.app.settle(120_000);
    expect((await desk.history()).labels).toMatchObject([{ po_number: "80001", state: "live" }]);
    expect(await desk.shipCalls()).toBe(1);
  },
);
