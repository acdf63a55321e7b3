import { expect, test } from "vitest";
import { lockCompany } from "#features/companies/index.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { invoicedPerOrder } from "#features/orders/partners/fixtures/per-order-retailer.ts";
import {
  cancelLines,
  cancelOrder,
  changeCarrierSettings,
  createShipment,
  voidShipment,
} from "#features/shipping/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { decide } from "../../../test/support/orders.ts";
import { ACME, holdCalls } from "../../../test/support/intuit.ts";
import { backUpApp } from "../../../test/support/older-backup.ts";
import { CARRIER_SETTINGS, CARTON, linkUps } from "../../../test/support/shipping.ts";
import {
  billUnscanned,
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareSample,
  prepareShipped,
  shipHalves,
  shipPieces,
  type ThreadDesk,
} from "../../../test/support/thread.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

/** The days of shipment that all documents to the retailer name. */
async function readShipDays(desk: ThreadDesk): Promise<string[]> {
  const ids = (await desk.notices()).map(({ id }) => id);
  const written = Buffer.from(await desk.browser.download(downloadNotices, { json: { ids } })).toString();
  return [...written.matchAll(/DTM\*011\*(\d{4})(\d{2})(\d{2})/g)].map((day) => day.slice(1).join("-"));
}

test("TD-07 the invoice has the ship date of its ship notice and 810, also with labels of after the cutoff", async () => {
  const desk = await openThreadDesk();
  const { clock, intuit } = desk.app;
  const evening = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/Los_Angeles",
    hour: "numeric",
    hourCycle: "h23",
  });
  while (evening.format(clock.now()) !== "18") clock.advance(1_800_000);
  await desk.browser.signIn("owner@acme.example");
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  const made = (await intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80001");
  const [noticed = "", billed] = await readShipDays(desk);
  expect(noticed).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(billed).toBe(noticed);
  expect(made).toMatchObject({ ShipDate: noticed, TxnDate: noticed });
});

test("TD-06 texts of an order that a spreadsheet would take for formulas are on its invoice as the retailer wrote them", async () => {
  const desk = await openThreadDesk();
  const written = sampleOrder().map((segment) =>
    segment.replace("Kitchen faucet, chrome", "-20 F sealant;-5 F primer").replace("Jane Doe", "@Home"),
  );
  await desk.add(sampleFile({ sets: [written] }), "texts.edi");
  expect((await desk.ship("80001")).status).toBe(200);
  const orderId = await prepareShipped(desk);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "80001");
  expect(made).toMatchObject({ ShipAddr: { Line1: "@Home" } });
  expect(made?.Line[0]).toMatchObject({ Description: "-20 F sealant;-5 F primer" });
});

test("TD-10 after an older backup was put back, each shipment is asked about the invoice that has its tracking number, and nothing is posted again", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  const orderId = await prepareShipped(desk);
  const putBack = await backUpApp(desk.app);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 2 });
  await desk.app.settle(120_000);
  const made = (await desk.view(orderId)).invoices.map(({ number, tracking_numbers }) => ({
    number,
    tracking_numbers,
  }));
  const before = await desk.app.intuit.invoices(ACME);
  await putBack();
  await desk.browser.signIn("owner@acme.example");
  // The logins of the backup are used up: they were renewed since then.
  await desk.browser.connect("owner@acme.example", ACME);
  await linkUps(desk.app, desk.browser);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [
      { problem: expect.stringContaining("QuickBooks already has an invoice") },
      { problem: expect.stringContaining("QuickBooks already has an invoice") },
    ],
  });
  const asked = (await desk.view(orderId)).invoices;
  expect(asked).toMatchObject(
    made.map(({ number, tracking_numbers }) => ({
      state: "draft",
      tracking_numbers,
      theirs: { number, has_tracking_number: true },
    })),
  );
  for (const invoice of asked.toReversed()) expect((await desk.say(invoice, "link")).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject(
    made.map((invoice) => ({ ...invoice, state: "linked" })),
  );
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0, left_out: [] });
  await desk.app.settle(120_000);
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before.length);
});

test("TD-14 TD-15 an 810 that a user entered in the portal doesn't leave after an older backup was put back, and the report calls it an invoice", async () => {
  const desk = await openThreadDesk();
  const save = (vendor_number: string) =>
    desk.browser.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, vendor_number } });
  await save("");
  await desk.addSamples(2);
  expect((await desk.ship("80002")).status).toBe(200);
  desk.app.clock.advance(1_000);
  const orderId = await prepareSample(desk);
  const { threads } = await desk.list();
  const other = threads.find(({ po_number: po }) => po === "80002")?.order_id ?? "";
  await confirmPrices(desk, other);
  expect((await desk.post(orderId, other)).json()).toMatchObject({ posting: 2 });
  await desk.app.settle(120_000);
  const putBack = await backUpApp(desk.app);
  const [held] = (await desk.view(orderId)).invoices;
  expect((await desk.say(held, "portal")).status).toBe(200);
  await save("47110");
  await desk.leave();
  const report = await putBack();
  await desk.signIn();
  await desk.browser.connect("owner@acme.example", ACME);
  await save("47110");
  await desk.leave();
  const stands = Object.fromEntries(
    (await desk.notices())
      .filter(({ kind }) => kind === "invoice")
      .map(({ po_number: po, state, problems }) => [po, [state, problems]]),
  );
  expect(stands).toEqual({
    "80001": ["accepted", ["Entered in the retailer's portal."]],
    "80002": [expect.stringMatching(/sent|overdue/), []],
  });
  expect(report).toContain("PO # 80001: invoice, entered in the retailer's portal");
  expect(report).toMatch(/PO # 80002: invoice, control number \d/);
});

/** An order that left in two halves; a bookkeeper has typed an invoice with its number, dated before the order came. */
async function openTypedHalves() {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  for (const { tracking_numbers: numbers } of (await desk.history()).labels)
    for (const tracking of numbers)
      await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  const orderId = await prepareShipped(desk);
  await uploadRows(desk.browser, ACME, [invoiceLine("80001", { "Invoice Date": "2026-11-16" })]);
  await settledUploads(desk.browser, ACME);
  return { desk, orderId };
}

test("TD-10 an invoice that has only the order's PO number is asked about for each shipment, and bills one of them", async () => {
  const { desk, orderId } = await openTypedHalves();
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  const asked = (await desk.view(orderId)).invoices;
  // The Tracking Service has written the first package's number onto it. It may bill all of the order all the same.
  expect(asked).toMatchObject([
    { theirs: { number: "80001", has_tracking_number: true } },
    { theirs: { number: "80001", has_tracking_number: false } },
  ]);
  const [first, second] = asked;
  expect((await desk.say(first, "link")).status).toBe(200);
  // It bills the first one, so the second is neither asked about it any more nor linked to it.
  expect((await desk.view(orderId)).invoices).toMatchObject([
    { state: "linked", number: "80001", theirs: null },
    { state: "draft", theirs: null, waits: [] },
  ]);
  const late = await desk.say(second, "link");
  expect([late.status, late.text]).toEqual([409, expect.stringContaining("Reload the page")]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
});

test("TD-08 TD-10 an invoice that is another shipment's and not this one's is still to be credited once that one's labels are voided", async () => {
  const { desk, orderId } = await openTypedHalves();
  await desk.post(orderId);
  const [first, second] = (await desk.view(orderId)).invoices;
  expect((await desk.say(first, "other")).status).toBe(200);
  expect((await desk.say(second, "link")).status).toBe(200);
  await desk.accept();
  // It isn't what was shipped, so its 810 stays here.
  expect((await desk.say((await desk.view(orderId)).invoices[1], "portal")).status).toBe(200);
  const shipment = (await desk.history()).labels.find(({ tracking_numbers: [number] }) =>
    second?.tracking_numbers.includes(number ?? ""),
  )?.shipment;
  const query = { po_number: "80001", shipment: shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([
    { state: "draft", waits: ["credit"] },
    { state: "linked", problem: expect.stringContaining("Create a credit memo in QuickBooks") },
  ]);
});

test("TD-10 no shipment is linked to an invoice of its PO number while one with that number is being posted", async () => {
  const { desk, orderId } = await openTypedHalves();
  await desk.post(orderId);
  const [first, second] = (await desk.view(orderId)).invoices;
  expect((await desk.say(first, "other")).status).toBe(200);
  const held = await holdCalls(desk.app.intuit, { operation: "invoice.create" });
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await held.hit();
  expect((await desk.say(second, "link")).status).toBe(409);
  await held.release();
  await desk.app.settle(120_000);
  // The number of the one that a user said is another is passed over.
  expect((await desk.view(orderId)).invoices[0]).toMatchObject({ state: "posted", number: "80001-2" });
  expect((await desk.say(second, "link")).status).toBe(200);
});

test("TD-10 an invoice that was undone by a void bills nothing, and its order is billed again without a question", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const orderId = await prepareShipped(desk);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  const { uploads } = await settledUploads(desk.browser, ACME);
  const undo = { query: { realm_id: ACME }, params: { upload_id: uploads[0]?.id ?? "" } };
  const undone = await desk.browser.call(startUndo, { ...undo, json: { action: "void" } });
  expect(undone.status, undone.text).toBe(202);
  await desk.app.settle(120_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", theirs: null }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
});

test("an order that hasn't shipped is left out of a post, and the answer says so", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1, 2, 3);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const { threads } = await desk.list();
  await confirmPrices(desk, threads.find(({ po_number: po }) => po === "80001")?.order_id ?? "");
  const ids = threads.map(({ order_id: id }) => id);
  const reply = (await desk.post(...ids)).json() as { posting: number; left_out: { problem: string }[] };
  expect([reply.posting, ...reply.left_out.map(({ problem }) => problem).toSorted()]).toEqual([
    1,
    "PO # 80002: nothing of it has shipped yet.",
    "PO # 80003: nothing of it has shipped yet.",
  ]);
  await desk.app.settle(120_000);
  const again = (await desk.post(...ids)).json() as typeof reply;
  expect([again.posting, again.left_out.length]).toEqual([0, 2]);
});

test("an order's invoice that QuickBooks made but answered with 503 is posted once, also if a user clicks again meanwhile", async () => {
  const desk = await openThreadDesk();
  const { intuit, settle } = desk.app;
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const orderId = await prepareShipped(desk);
  const before = (await intuit.invoices(ACME)).length;
  const match = { operation: "invoice.create" };
  await intuit.control("faults", [{ fault: "503", match, count: 1, committed: true, hiddenS: 120 }]);
  for (const waitMs of [0, 60_000]) {
    await settle(waitMs);
    expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  }
  // It is there, and no query shows it yet.
  expect(await intuit.invoices(ACME)).toHaveLength(before + 1);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posting", number: "80001" }]);
  await settle(180_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posted", number: "80001" }]);
  expect(await intuit.invoices(ACME)).toHaveLength(before + 1);
});

const change = (desk: ThreadDesk, line: string) =>
  desk.add(
    sampleFile({
      sets: [["ST*860*0001", "BCH*04*DS*80001***20261126", line, "SE*4*0001"]],
      group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
    }),
    `860-${line}.edi`,
  );

test("TD-07 TD-14 a change that came in after all was shipped is asked about: neither the invoice nor the 810 leaves before, and a new price is billed", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const choose = (choice: "use_new" | "keep") => decide(desk.browser, orderId, choice);
  await change(desk, "POC*1*PC*2*0*EA*11.00");
  expect((await desk.list()).threads).toMatchObject([{ standing: "differs", words: "Order changed?" }]);
  const searches = await desk.searches();
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [
      {
        problem:
          "PO # 80001: the retailer changed the order, or sent a different one with its number. Open the order, and choose which one counts.",
      },
    ],
  });
  expect(await desk.searches()).toBe(searches);
  const asked = await desk.view(orderId);
  expect(asked.waiting).toMatchObject({
    differences: [{ what: "Unit cost of line 1", now: "12.50", new: "11.00" }],
    can_use_new: true,
  });
  expect(asked.invoices).toMatchObject([{ can_post: false, waits: ["order_waits"] }]);
  expect((await choose("use_new")).status).toBe(200);
  await confirmPrices(desk, orderId);
  expect(await desk.view(orderId)).toMatchObject({ waiting: null, invoices: [{ total: "42.00" }] });
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  const find810 = async () => {
    const { notices } = (await desk.browser.call(listNotices, { query: { show: "all" } })).json() as {
      notices: Notice[];
    };
    return notices.find(({ kind }) => kind === "invoice");
  };
  expect(await find810()).toMatchObject({ is_due: true, problems: [] });
  // Another change waits: the 810 does, too, until a user keeps the order.
  await change(desk, "POC*1*QI*3*0*EA*11.00");
  const held = await find810();
  expect(held).toMatchObject({
    is_due: false,
    problems: [
      "The retailer changed this order, or sent a different one with its number. Choose first which one counts.",
    ],
  });
  expect((await desk.browser.call(downloadNotices, { json: { ids: [held?.id] } })).status).toBe(409);
  expect((await desk.list()).threads).toMatchObject([{ standing: "refused" }]);
  expect((await desk.view(orderId)).waiting).toMatchObject({ can_use_new: false });
  expect((await choose("use_new")).status).toBe(409);
  // One that takes the change back ends the question as well.
  await change(desk, "POC*1*QD*2*0*EA*11.00");
  expect(await find810()).toMatchObject({ is_due: true, problems: [] });
  await change(desk, "POC*1*QI*3*0*EA*11.00");
  expect((await choose("keep")).status).toBe(200);
  const sent = await desk.browser.download(downloadNotices, { json: { ids: [(await find810())?.id] } });
  expect(Buffer.from(sent).toString()).toContain("IT1*1*2*EA*11.00*");
});

test("TD-07 an order that changes while its invoice is being posted is not billed at the price of before", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const postDuring = async (meanwhile: () => Promise<unknown>) => {
    const held = await holdCalls(desk.app.intuit, { operation: "query" });
    const posting = desk.post(orderId);
    await held.hit();
    await meanwhile();
    await held.release();
    return (await posting).json();
  };
  expect(await postDuring(() => change(desk, "POC*1*PC*2*0*EA*11.00"))).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("choose which one counts") }],
  });
  await change(desk, "POC*1*PC*2*0*EA*12.50");
  const decided = await postDuring(async () => {
    await change(desk, "POC*1*PC*2*0*EA*10.00");
    expect((await decide(desk.browser, orderId, "use_new")).status).toBe(200);
  });
  expect(decided).toMatchObject({ posting: 1, left_out: [] });
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posting", total: "40.00" }]);
});

test("TD-07 TD-14 a change of one allowance or charge replaces that, keeps the others, and can be used after all was shipped", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const use = async (segment: string) => {
    await change(desk, segment);
    const { waiting } = await desk.view(orderId);
    const { status, text } = await decide(desk.browser, orderId, "use_new");
    expect(status, text).toBe(200);
    return waiting?.differences;
  };
  const freight = "Freight (charge D240) 12.50";
  const allowance = "Defective allowance (allowance C000) 1.50";
  const what = "Allowances and charges";
  expect(await use("SAC*A*C000***150**********Defective allowance")).toEqual([
    { what, now: freight, new: `${freight}, ${allowance}` },
  ]);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ total: "43.50" }]);
  const lower = "Freight (charge D240) 10.00";
  expect(await use("SAC*C*D240***1000**********Freight")).toEqual([
    { what, now: `${freight}, ${allowance}`, new: `${lower}, ${allowance}` },
  ]);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ total: "41.00" }]);
});

test("TD-07 invoices are posted while a file of orders is being stored, which locks its company before its orders", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  const storing = desk.app.db.transaction().execute(async (tx) => {
    await lockCompany(tx, ACME);
    await stored;
  });
  try {
    expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  } finally {
    store();
    await storing;
  }
});

test("TD-02 TD-07 an order whose retailer wants no more than has shipped has nothing left to ship: no labels of nothing are bought, and it is billed", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "2"], ["2", "4"]);
  const orderId = (await desk.open())[0]?.id ?? "";
  await change(desk, "POC*2*QD*4*0*EA*.75");
  const decided = await decide(desk.browser, orderId, "use_new");
  expect(decided.status, decided.text).toBe(200);
  expect(await desk.open()).toEqual([]);
  const json = { po_number: "80001", cartons: [CARTON], key: crypto.randomUUID() };
  await desk.browser.call(createShipment, { json });
  await desk.app.settle();
  expect(await desk.shipCalls()).toBe(1);
  await prepareShipped(desk);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ waits: [], total: "40.50" }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
});

test("TD-02 an order is canceled when the retailer deletes all that wasn't canceled here", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  const order_id = (await desk.open())[0]?.id ?? "";
  const canceled = { order_id, lines: [{ line: "2", quantity: "10" }], cancel_reason: "out_of_stock" };
  expect((await desk.browser.call(cancelLines, { json: canceled })).status).toBe(200);
  await change(desk, "POC*1*DI*0*0*EA*12.50");
  const decided = await decide(desk.browser, order_id, "use_new");
  expect(decided.status, decided.text).toBe(200);
  expect(await desk.open()).toEqual([]);
  expect((await desk.list()).threads).toMatchObject([{ standing: "cancelled" }]);
});

test("TD-02 a retailer that deletes the line that was canceled here confirms it: its other lines, and new ones, stay open", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  const order_id = (await desk.open())[0]?.id ?? "";
  const json = { order_id, lines: [{ line: "2", quantity: "10" }], cancel_reason: "out_of_stock" };
  expect((await desk.browser.call(cancelLines, { json })).status).toBe(200);
  await change(desk, "POC*2*DI*0*0*EA*.75");
  await change(desk, "POC*3*AI*5*0*EA*2.00**SK*1001236*VN*W-9");
  const decided = await decide(desk.browser, order_id, "use_new");
  expect(decided.status, decided.text).toBe(200);
  expect(await desk.open()).toMatchObject([
    {
      waiting: null,
      lines: [
        { line: "1", open: "2" },
        { line: "3", open: "5" },
      ],
    },
  ]);
  // The same line again is a new one.
  await change(desk, "POC*2*AI*4*0*EA*.75**SK*1001235*VN*W-3");
  expect((await decide(desk.browser, order_id, "use_new")).status).toBe(200);
  expect((await desk.open())[0]?.lines.map(({ open }) => open)).toEqual(["2", "5", "4"]);
  expect((await desk.notices()).map(({ kind, state }) => [kind, state])).toEqual([["cancel", "withdrawn"]]);
});

test("TD-02 notices of canceled lines that have not left say what stays canceled after the retailer lessened a line", async () => {
  const desk = await openThreadDesk({
    partners: [{ ...retailer, canCancel: "quantity", notices: { cancel: "855", ship: "856" } }],
  });
  await desk.addSamples(1);
  const order_id = (await desk.open())[0]?.id ?? "";
  const cancel = async (...pieces: [line: string, quantity: string][]) => {
    const lines = pieces.map(([line, quantity]) => ({ line, quantity }));
    const json = { order_id, lines, cancel_reason: "out_of_stock" };
    expect((await desk.browser.call(cancelLines, { json })).status).toBe(200);
  };
  await cancel(["2", "1"]);
  await desk.leave();
  await cancel(["2", "2"]);
  await cancel(["1", "1"], ["2", "4"]);
  // One that left, 2 of the second notice, and 1 of the third are confirmed.
  await change(desk, "POC*2*QD*6*0*EA*.75");
  expect((await decide(desk.browser, order_id, "use_new")).status).toBe(200);
  expect((await desk.open())[0]?.lines.map(({ open }) => open)).toEqual(["1", "3"]);
  expect((await desk.notices()).filter(({ state }) => state === "withdrawn")).toHaveLength(1);
  await desk.leave();
  const ids = (await desk.notices()).filter(({ state }) => state === "sent").map(({ id }) => id);
  expect(ids).toHaveLength(1);
  const sent = Buffer.from(await desk.browser.download(downloadNotices, { json: { ids } })).toString();
  expect([...sent.matchAll(/ACK\*(I[AR])\*(\d+)/g)].map((found) => found.slice(1))).toEqual([
    ["IA", "1"],
    ["IR", "1"],
    ["IA", "3"],
    ["IR", "3"],
  ]);
});

test("TD-02 pieces that the retailer adds to a line whose rest was canceled aren't canceled with it by a notice that hasn't left", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  const order_id = (await desk.open())[0]?.id ?? "";
  const cancel = async (quantity: string) => {
    const json = { order_id, lines: [{ line: "2", quantity }], cancel_reason: "out_of_stock" };
    expect((await desk.browser.call(cancelLines, { json })).status).toBe(200);
  };
  const use = async (line: string, note = "") => {
    await change(desk, line);
    expect((await desk.view(order_id)).waiting).toMatchObject({ can_use_new: true, note });
    const decided = await decide(desk.browser, order_id, "use_new");
    expect(decided.status, decided.text).toBe(200);
    const notices = (await desk.notices()).toReversed().map(({ state }) => state);
    return [(await desk.open())[0]?.lines.map(({ open }) => open), notices];
  };
  await cancel("10");
  // Fewer of the other line say nothing about this one.
  expect(await use("POC*1*QD*1*0*EA*12.50")).toEqual([["1", "0"], ["pending"]]);
  const opens =
    "You canceled 10 of line 2, and the retailer wasn't notified yet. It accepts cancellations only of all that is left of a line, so using the new one opens these pieces again.";
  expect(await use("POC*2*QI*15*0*EA*.75", opens)).toEqual([["1", "15"], ["withdrawn"]]);
  await cancel("15");
  await desk.leave();
  // This one the retailer has: it adds to what it knows to be canceled.
  expect(await use("POC*2*QI*18*0*EA*.75")).toEqual([
    ["1", "3"],
    ["withdrawn", "sent"],
  ]);
});

test("TD-02 a line that the retailer deletes and orders again can be canceled again, and the retailer is notified each time", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  const order_id = (await desk.open())[0]?.id ?? "";
  const json = { order_id, lines: [{ line: "2", quantity: "10" }], cancel_reason: "out_of_stock" };
  const use = async (line: string) => {
    await change(desk, line);
    const decided = await decide(desk.browser, order_id, "use_new");
    expect(decided.status, decided.text).toBe(200);
  };
  for (const turn of ["A", "B", "C"]) {
    const canceled = await desk.browser.call(cancelLines, { json });
    expect(canceled.status, canceled.text).toBe(200);
    await desk.leave();
    await use("POC*2*DI*0*0*EA*.75");
    await use(`POC*2*AI*10*0*EA*.75**SK*1001235*VN*W-${turn}`);
  }
  const numbers = (await desk.notices()).map(({ control_number: number }) => number);
  expect(numbers).toEqual([1, 2, 3].map(() => expect.any(Number)));
  expect(new Set(numbers).size).toBe(3);
});

test("TD-02 an order or a change that comes in after its order was canceled is asked about, and using it reopens the order unless the retailer knows of the cancellation", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1, 2);
  const ids = Object.fromEntries((await desk.open()).map(({ id, po_number: po }) => [po, id]));
  const cancel = async (po: string) =>
    expect(
      (await desk.browser.call(cancelOrder, { query: { customer: "retailer", po_number: po } })).status,
    ).toBe(200);
  const choose = (po: string, choice: "use_new" | "keep") => decide(desk.browser, ids[po] ?? "", choice);
  const stands = async (po: string) =>
    (await desk.list()).threads.find((thread) => thread.po_number === po)?.standing;
  for (const po of ["80001", "80002"]) await cancel(po);
  await change(desk, "POC*1*QI*3*0*EA*12.50");
  expect([await stands("80001"), await stands("80002")]).toEqual(["differs", "cancelled"]);
  const asked = await desk.view(ids["80001"] ?? "");
  expect([asked.thread.words, asked.waiting]).toMatchObject([
    "Order changed?",
    { can_use_new: true, note: "This order is canceled. Using the new one reopens it." },
  ]);
  // Its cancellation has not left.
  expect((await choose("80001", "use_new")).status).toBe(200);
  expect(await desk.open()).toMatchObject([
    { po_number: "80001", lines: [{ open: "3" }, { open: "10" }], waiting: null },
  ]);
  expect([await stands("80001"), (await desk.view(ids["80001"] ?? "")).waiting]).toEqual(["to_ship", null]);
  // The other one's leaves, and its retailer orders it again, with other pieces.
  await desk.leave();
  const again = sampleOrder(2).map((segment) =>
    segment.replace(/^PO1\*1\*2\*/, "PO1*1*4*").replace("CTT*2*12", "CTT*2*14"),
  );
  const { documents } = await desk.add(sampleFile({ sets: [again] }), "again.edi");
  expect([documents, await stands("80002")]).toMatchObject([[{ result: "waiting" }], "differs"]);
  const late = (await desk.view(ids["80002"] ?? "")).waiting;
  expect(late).toMatchObject({
    can_use_new: false,
    note: expect.stringContaining("ask for an order with another PO number"),
  });
  const refused = await choose("80002", "use_new");
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("was notified that PO # 80002 is canceled"),
  ]);
  expect(await stands("80002")).toBe("differs");
  // The retailer rejects the cancellation: the order can take the new one's place after all.
  const [sent] = (await desk.notices()).flatMap(({ control_number: number }) => number ?? []);
  await desk.answer(sent ?? 0, "SH", "AK2*856*0001", "AK5*R*5", "AK9*R*1*1*0");
  expect((await desk.view(ids["80002"] ?? "")).waiting).toMatchObject({ can_use_new: true });
  expect((await choose("80002", "use_new")).status).toBe(200);
  expect((await desk.open()).find(({ po_number: po }) => po === "80002")).toMatchObject({
    lines: [{ open: "4" }, {}],
    waiting: null,
  });
  // Kept as it is, an order stays canceled.
  await cancel("80001");
  await change(desk, "POC*1*QI*5*0*EA*12.50");
  expect((await choose("80001", "keep")).status).toBe(200);
  expect(await stands("80001")).toBe("cancelled");
});

test("TD-02 TD-07 pieces that a retailer of one invoice an order adds after it has that invoice are refused, since none would bill them; fewer are not", async () => {
  const desk = await openThreadDesk({ partners: [invoicedPerOrder] });
  const { orderId, voidLabels } = await billUnscanned(desk);
  const use = async () => {
    const { status, text } = await decide(desk.browser, orderId, "use_new");
    return [status, text];
  };
  await desk.leave();
  await voidLabels();
  const note =
    "The retailer has this order's one invoice. Keep the order, and ask for another PO number for the rest.";
  for (const more of ["POC*1*QI*3*0*EA*12.50", "POC*3*AI*1*0*EA*9.00**SK*1001236"]) {
    await change(desk, more);
    expect((await desk.view(orderId)).waiting).toMatchObject({ can_use_new: false, note });
    expect(await use()).toEqual([409, expect.stringContaining(note)]);
    expect((await decide(desk.browser, orderId, "keep")).status).toBe(200);
  }
  await change(desk, "POC*1*QD*1*0*EA*12.50");
  expect((await desk.view(orderId)).waiting).toMatchObject({ can_use_new: true, note: "" });
  expect((await use())[0]).toBe(200);
});
