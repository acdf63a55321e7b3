import { sql } from "kysely";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { saveFolder } from "#features/orders/folders/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import {
  cancelOrder,
  changeCarrierSettings,
  createShipment,
  voidShipment,
} from "#features/shipping/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { holdLock } from "../../../test/support/hold-lock.ts";
import { makeFolder } from "../../../test/support/places.ts";
import { CARRIER_SETTINGS, CARTON } from "../../../test/support/shipping.ts";
import { doSystemRun } from "../../../test/support/system-runs.ts";
import {
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareSample,
  prepareShipped,
  shipPieces,
  type ThreadDesk,
} from "../../../test/support/thread.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

test("TD-06 TD-07 an order that shipped is billed once at its own price, with its PO number and its shipment, after its names were matched once", async () => {
  const desk = await openThreadDesk();
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
  expect(invoices).toMatchObject([
    {
      state: "posted",
      number: "80001",
      total: draft?.total,
      freight: "12.50",
      ordered_freight: "12.50",
      ordered_allowance: "0.00",
      ordered_total: draft?.total,
    },
  ]);
});

test("TD-08 TD-09 TD-16 an order that left in two parts is billed part by part under numbers of their own, and what the retailer has is not undone", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  await shipPieces(desk, ["1", "1"], ["2", "6"]);
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
    expect.stringContaining("Create a credit memo in QuickBooks"),
  ]);
});

test("TD-08 the freight of an order is billed once, also when a shipment that waited before a posted one is voided", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  const [first] = (await desk.history()).labels;
  await shipPieces(desk, ["1", "1"], ["2", "6"]);
  // Only the second shipment leaves.
  const stays = { tracking: first?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  await desk.leave(({ id }) => id !== first?.notice?.id);
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  const voided = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query: voided })).status).toBe(200);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  const { invoices } = await desk.view(orderId);
  expect(invoices.map(({ state }) => state)).toEqual(["posted", "posted"]);
  // 2 at 12.50, 10 at 0.75, and the freight that the order names.
  const made = (await desk.app.intuit.invoices(ACME)).filter(({ DocNumber }) =>
    invoices.some(({ number }) => number === DocNumber),
  );
  expect(made.reduce((sum, { TotalAmt: total }) => sum + Number(total), 0)).toBe(45);
});

/** Bills the first sample order, whose package UPS never scans. @returns where its labels are voided, and its upload is undone */
async function billUnscanned(desk: ThreadDesk) {
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  const [label] = (await desk.history()).labels;
  const stays = { tracking: label?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  const orderId = await prepareShipped(desk);
  await desk.accept();
  const { upload_id } = (await desk.post(orderId)).json() as { upload_id: string };
  await desk.app.settle(120_000);
  const query = { po_number: "80001", shipment: label?.shipment ?? "" };
  return {
    orderId,
    voidLabels: async (status = 200) =>
      expect((await desk.browser.call(voidShipment, { query })).status, "void").toBe(status),
    undo: () =>
      desk.browser.call(startUndo, {
        query: { realm_id: ACME },
        params: { upload_id },
        json: { action: "void" },
      }),
  };
}

const sumInBooks = async (desk: ThreadDesk) =>
  (await desk.app.intuit.invoices(ACME))
    .filter(({ DocNumber: number }) => number?.startsWith("80001"))
    .reduce((sum, { TotalAmt: total }) => sum + Number(total), 0);

test("TD-08 pieces whose labels were voided after they were billed are billed again only once the earlier invoice is undone", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels, undo } = await billUnscanned(desk);
  await voidLabels();
  expect((await desk.view(orderId)).invoices).toMatchObject([
    {
      state: "posted",
      problem: "The labels of this invoice were voided. Void it in QuickBooks, or undo its upload.",
    },
  ]);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  await desk.leave(({ kind }) => kind === "ship");
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("an earlier invoice bills labels that were voided") }],
  });
  const [, again] = (await desk.view(orderId)).invoices;
  expect(again).toMatchObject({ state: "draft", can_post: false, waits: ["voided"], freight: "12.50" });
  expect((await desk.list()).threads).toMatchObject([
    { words: "Invoice can't be sent", standing: "refused" },
  ]);
  const credited = { id: again?.id ?? "", answer: "credited" as const };
  const early = await desk.browser.call(contract.answerOrderInvoice, { json: credited });
  expect([early.status, early.text]).toEqual([409, expect.stringContaining("Reload the page")]);
  const undone = await undo();
  expect(undone.status, undone.text).toBe(202);
  await desk.app.settle(120_000);
  // No one has opened the order since.
  expect((await desk.list()).threads).toMatchObject([{ words: "Ready to bill" }]);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ id: again?.id, state: "draft", waits: [] }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(45);
});

test("TD-08 TD-16 pieces whose labels were voided after the retailer had their 810 are billed again only once a user says that it is credited", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels, undo } = await billUnscanned(desk);
  await desk.leave();
  await voidLabels();
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  expect((await undo()).status).toBe(409);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("Create a credit memo in QuickBooks") }],
  });
  const [earlier, again] = (await desk.view(orderId)).invoices;
  expect(earlier).toMatchObject({ problem: expect.stringContaining("Create a credit memo in QuickBooks") });
  expect(again).toMatchObject({ state: "draft", can_post: false, waits: ["credit"] });
  const credited = { id: again?.id ?? "", answer: "credited" as const };
  expect((await desk.browser.call(contract.answerOrderInvoice, { json: credited })).status).toBe(200);
  expect((await desk.view(orderId)).invoices[1]).toMatchObject({ waits: [], can_post: true });
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(90);
  await desk.accept();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["overdue", []],
    ["sent", []],
  ]);
});

const say810s = async (desk: ThreadDesk) =>
  (await desk.notices())
    .filter(({ kind }) => kind === "invoice")
    .map(({ state, problems }) => [state, problems])
    .toReversed();

/** Bills the first sample order, which left in two cartons of equal contents, the second of which can be voided. */
async function billHalves(desk: ThreadDesk) {
  await desk.addSamples(1);
  const half = {
    ...CARTON,
    contents: [
      { line: "1", quantity: "1" },
      { line: "2", quantity: "5" },
    ],
  };
  const json = { po_number: "80001", cartons: [half, half], key: crypto.randomUUID() };
  expect((await desk.browser.call(createShipment, { json })).status).toBe(200);
  const [label] = (await desk.history()).labels;
  for (const tracking of label?.tracking_numbers ?? [])
    await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  const orderId = await prepareShipped(desk);
  await desk.accept();
  await desk.post(orderId);
  await desk.app.settle(120_000);
  const [kept = "", voided = ""] = label?.tracking_numbers ?? [];
  const query = { po_number: "80001", shipment: label?.shipment ?? "", tracking_number: voided };
  return {
    orderId,
    kept,
    voidCarton: async () => expect((await desk.browser.call(voidShipment, { query })).status).toBe(200),
  };
}

test("TD-08 TD-16 after one carton of a billed shipment was voided, its pieces are billed again, and the freight is not; both 810s leave", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidCarton } = await billHalves(desk);
  await desk.leave();
  await voidCarton();
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  const [, again] = (await desk.view(orderId)).invoices;
  expect(again).toMatchObject({ waits: ["credit"], freight: "0.00", total: "16.25" });
  const answer = { id: again?.id ?? "", answer: "credited" as const };
  expect((await desk.browser.call(contract.answerOrderInvoice, { json: answer })).status).toBe(200);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(61.25);
  await desk.accept();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["overdue", []],
    ["sent", []],
  ]);
});

const VOIDED =
  "Invoice 80001: its labels were voided. Void it in QuickBooks, or undo its upload. If the goods were shipped in another way, enter this invoice in the retailer's portal.";

test("TD-14 TD-16 the 810 of an invoice whose labels are voided after their ship notice stays here, from the void on, until the invoice is undone and billed again", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels, undo } = await billUnscanned(desk);
  const due = async () => (await desk.notices("due")).map(({ kind }) => kind);
  expect(await due()).toEqual(["invoice"]);
  const refusal = { fault: "refusal", operation: "void", times: 1, code: "190102" };
  await desk.app.ups.control("faults", refusal);
  await voidLabels(409);
  expect(await due()).toEqual(["invoice"]);
  // UPS's answer is lost: which labels are good isn't known.
  await desk.app.ups.control("faults", { fault: "drop", operation: "void", times: 1 });
  await voidLabels(503);
  expect(await due()).toEqual([]);
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  expect((await desk.browser.call(downloadNotices, { json: { ids } })).status).toBe(409);
  await desk.app.settle(180_000);
  await desk.leave();
  expect(await say810s(desk)).toEqual([["pending", [VOIDED]]]);
  expect((await desk.list()).threads).toMatchObject([{ words: "Invoice can't be sent" }]);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  await desk.leave();
  await desk.accept();
  expect((await undo()).status).toBe(202);
  await desk.app.settle(120_000);
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  await desk.leave();
  expect((await say810s(desk)).map(([state]) => state)).toEqual(["withdrawn", "sent"]);
  expect(await sumInBooks(desk)).toBe(45);
});

test("TD-14 the 810 of an invoice of two cartons, one of which is voided after its ship notice, leaves with its tracking number once the invoice is corrected", async () => {
  const desk = await openThreadDesk();
  const { orderId, kept, voidCarton } = await billHalves(desk);
  await voidCarton();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    [
      "pending",
      [
        "Invoice 80001: line 1 bills 2, but 1 was shipped. Correct the invoice in QuickBooks.",
        "Invoice 80001: line 2 bills 10, but 5 were shipped. Correct the invoice in QuickBooks.",
      ],
    ],
  ]);
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80001");
  const inBooks = `books/${ACME}/invoice/${made?.Id}`;
  type Line = { Amount: number; SalesItemLineDetail?: { Qty?: number } };
  const { Line: lines } = await desk.app.intuit.control<{ Line: Line[] }>(inBooks);
  const halve = ({ Amount: amount, SalesItemLineDetail: detail, ...line }: Line) => ({
    ...line,
    Amount: amount / 2,
    SalesItemLineDetail: { ...detail, Qty: (detail?.Qty ?? 0) / 2 },
  });
  const corrected = lines.map((line) => (line.SalesItemLineDetail?.Qty ? halve(line) : line));
  await desk.app.intuit.control(inBooks, { Line: corrected });
  await desk.view(orderId);
  await desk.leave();
  expect(await say810s(desk)).toEqual([["sent", []]]);
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  const document = Buffer.from(await desk.browser.download(downloadNotices, { json: { ids } })).toString();
  expect(document).toContain(`*CN*${kept}~`);
});

test("TD-16 an undo that is requested while the 810 is being written is refused", async () => {
  const desk = await openThreadDesk();
  const { undo } = await billUnscanned(desk);
  const { app, browser } = desk;
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  const release = await holdLock(app, (tx) => sql`lock table order_notice_counter`.execute(tx));
  const written = browser.call(downloadNotices, { json: { ids } });
  await app.settle(0);
  const undone = undo();
  await app.settle(0);
  await release();
  expect([(await written).status, (await undone).status]).toEqual([200, 409]);
  await app.settle(120_000);
  expect(await say810s(desk)).toEqual([["sent", []]]);
  expect(await sumInBooks(desk)).toBe(45);
});

test("TD-10 an invoice with the order's PO number that is in the books already is asked about and linked, never doubled", async () => {
  const desk = await openThreadDesk();
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
    left_out: [
      {
        problem: expect.stringContaining(
          "QuickBooks already has an invoice with this PO number or tracking number",
        ),
      },
    ],
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

test("TD-07 the terms of a sheet of orders are its invoices', by days and discount or by their name in QuickBooks", async () => {
  const desk = await openThreadDesk();
  const row = (po: string, terms: string) =>
    `${po},Jane Doe,12 Main Street,Reno,NV,89506,1001234,2,12.50,"${terms}"`;
  const sheet = [
    "PO Number,Name,Address 1,City,State,ZIP,SKU,Quantity,Unit Cost,Payment Terms",
    row("7001", "2/10, n/30"),
    row("7002", "End of Month"),
    row("7003", "Net 45"),
    row("7004", "as agreed"),
  ];
  const orders = ["7001", "7002", "7003", "7004"];
  const { documents } = await desk.add(`${sheet.join("\n")}\n`, "orders.csv");
  expect(documents.map(({ result }) => result)).toEqual(orders.map(() => "added"));
  for (const po of orders) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const terms: Record<string, string | null> = {};
  for (const { order_id: id, po_number: po } of (await desk.list()).threads)
    terms[po] = (await desk.view(id)).invoices[0]?.terms ?? null;
  expect(terms).toEqual({ "7001": "2% 10 Net 30", "7002": "End of month", "7003": null, "7004": null });
});

test("TD-14 an invoice whose vendor number is missing isn't sent, by name, and leaves once the number is entered in Settings", async () => {
  const desk = await openThreadDesk();
  const save = (vendor_number: string) =>
    desk.browser.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, vendor_number } });
  expect((await save("")).status).toBe(200);
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(60_000);
  const readAccepted = async () =>
    (await desk.view(orderId)).steps.find(({ name }) => name === "Accepted")?.facts.map(({ text }) => text);
  expect(await readAccepted()).toEqual([
    "810 not sent",
    expect.stringContaining("the vendor number is missing. Enter it in the UPS label settings"),
  ]);
  expect((await desk.list()).threads).toMatchObject([{ words: "Invoice can't be sent" }]);
  expect((await save("47110")).status).toBe(200);
  await desk.leave();
  expect(await readAccepted()).toEqual(["810 sent"]);
});

test("TD-12 with post when shipped on, an order is billed without a click once its ship notice has left, and one with a difference waits", async () => {
  const desk = await openThreadDesk();
  // Its second order pays less than the books ask, its third has a SKU that no one has matched.
  const [dear, cheap, unknown] = [1, 2, 3].map((number) => sampleOrder(number));
  const priced = (set: string[], price: string) =>
    set.map((each) => each.replace(/EA\*(12\.50|\.75)/, `EA*${price}`));
  await desk.add(
    sampleFile({
      sets: [
        priced(dear!, "9000"),
        cheap!,
        priced(unknown!, "9000").map((each) => each.replace("1001235*VN*W-3", "1009999*VN*Q-1")),
      ],
    }),
  );
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  await desk.app.settle(60_000);
  await matchAll(desk);
  expect((await desk.ship("80003")).status).toBe(200);
  const set = await desk.browser.call(contract.changeOrderInvoiceSettings, {
    json: { posts_when_shipped: true },
  });
  expect(set.status).toBe(200);
  const before = (await desk.app.intuit.invoices(ACME)).length;
  await desk.app.settle(60_000);
  const searches = await desk.searches();
  expect(searches).toBeGreaterThan(0);
  await desk.app.settle(180_000);
  // Nothing is billed before its ship notice has left, nor is QuickBooks, which meters that, read for it.
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before);
  expect(await desk.searches()).toBe(searches);
  await desk.leave();
  await desk.app.settle(180_000);
  const made = (await desk.app.intuit.invoices(ACME)).slice(before);
  expect(made.map(({ DocNumber }) => DocNumber)).toEqual(["80001"]);
  expect(
    Object.fromEntries((await desk.list()).threads.map(({ po_number, words }) => [po_number, words])),
  ).toMatchObject({ "80002": "Price differs", "80003": "SKU to match" });
  await desk.app.settle(600_000);
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before + 1);
});

/** Makes 100 more orders like the first one, each with its ship notice and its 810. */
async function repeatOrder({ db }: ThreadDesk["app"]): Promise<void> {
  await sql`insert into retail_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
      'po_number', 'copy ' || n, 'slip_file', 'copy ' || n))).* from retail_order o cross join generate_series(1, 100) n`.execute(
    db,
  );
  await sql`insert into order_notice select (jsonb_populate_record(n, jsonb_build_object('id', gen_random_uuid(),
      'order_id', o.id, 'shipment_id', case when n.shipment_id is not null then o.id end, 'po_number', o.po_number,
      'control_number', null, 'content', null, 'facts', case when n.kind = 'ship' then n.facts
        else jsonb_set(n.facts, '{invoice}', n.facts -> 'invoice' || jsonb_build_object('id', o.po_number, 'number', o.po_number)) end))).*
    from order_notice n cross join retail_order o where o.po_number like 'copy %'`.execute(db);
}

/** Posts the sample order's invoice. @returns also where its simulated QuickBooks is edited by a user */
async function postSample(desk: ThreadDesk): Promise<{ orderId: string; inBooks: string }> {
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(60_000);
  const [posted] = (await desk.view(orderId)).invoices;
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === posted?.number);
  return { orderId, inBooks: `books/${ACME}/invoice/${made?.Id}` };
}

test("TD-16 the 810 of an invoice that was voided in QuickBooks doesn't leave, nor does any while QuickBooks can't be read", async () => {
  const desk = await openThreadDesk();
  const { orderId, inBooks } = await postSample(desk);
  const accepted = async () =>
    (await desk.view(orderId)).steps
      .find(({ name }) => name === "Accepted")
      ?.facts.map(({ text }) => text.replace(/ \d.*/, ""));
  await desk.app.intuit.control("faults", { fault: "gateway", status: 503, match: { operation: "query" } });
  await desk.leave();
  expect(await accepted()).toEqual(["810 goes out"]);
  await desk.app.intuit.control("faults", undefined, "DELETE");
  await desk.app.intuit.control(`${inBooks}/void`, {});
  await desk.leave();
  // Seen when it was about to leave, by no one who opened the order.
  expect((await desk.list()).threads).toMatchObject([{ standing: "differs", words: "Not posted" }]);
  expect(await accepted()).toEqual([]);
  const problem =
    "Its invoice was voided or deleted in QuickBooks. Post it again if you still want to bill it.";
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", can_post: true, problem }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
});

test("TD-16 a folder gets its other notices while QuickBooks can't be read, however many 810s wait, and these once it can", async () => {
  const base = await makeFolder();
  const desk = await openThreadDesk({ env: { ORDER_FOLDERS: base } });
  const { app, browser } = desk;
  await postSample(desk);
  await repeatOrder(app);
  await desk.addSamples(2);
  const order = { customer: "retailer", po_number: "80002" };
  expect((await browser.call(cancelOrder, { query: order })).status).toBe(200);
  const query = { realm_id: ACME };
  expect((await browser.call(saveFolder, { query, json: { kind: "local" } })).status).toBe(200);
  const fault = { fault: "gateway", status: 503, match: { operation: "query" } };
  await app.intuit.control("faults", fault);
  app.clock.advance(24 * 3_600_000);
  const sent = async () => {
    await doSystemRun(app, "orders.poll-folders");
    const names = await readdir(join(base, ACME, "out"));
    return names.map((name) => name.replace(/(-copy-\d+)?-[0-9a-f]{8}\.edi$/, "")).toSorted();
  };
  expect(await sent()).toEqual(["cancellation-80002"]);
  await app.intuit.control("faults", undefined, "DELETE");
  app.clock.advance(600_000);
  await sent();
  app.clock.advance(600_000);
  const copies = Array.from({ length: 100 }, () => "invoice");
  expect(await sent()).toEqual(["cancellation-80002", ...copies, "invoice-80001"]);
});

test("TD-16 an edit or a void in QuickBooks before the 810 is sent changes or withdraws it; after that the order says what to do, as an undo does", async () => {
  const desk = await openThreadDesk();
  const { orderId, inBooks } = await postSample(desk);
  const edit = (fields: object) => desk.app.intuit.control(inBooks, fields);
  await edit({ DocNumber: "80001-A" });
  expect((await desk.view(orderId)).invoices).toMatchObject([
    { number: "80001-A", total: "45.00", problem: "" },
  ]);
  // Seen by no one before it leaves, with the number and total that were seen.
  await edit({ TxnDate: "2026-12-24" });
  await desk.leave();
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  const document = await desk.browser.download(downloadNotices, { json: { ids } });
  expect(Buffer.from(document).toString()).toContain("BIG*20261224*80001-A*");
  const sent = (await desk.view(orderId)).steps.find(({ name }) => name === "Accepted");
  expect(sent?.facts.map(({ text }) => text)).toEqual(["810 sent"]);
  await edit({ DocNumber: "80001-B" });
  const say = async () => (await desk.view(orderId)).invoices.map(({ problem }) => problem);
  const changed =
    /^The retailer already has invoice 80001-A for \$45\.00.*changed to invoice 80001-B for \$45\.00.*Create a credit memo in QuickBooks/;
  expect(await say()).toEqual([expect.stringMatching(changed)]);
  await desk.app.intuit.control(`${inBooks}/void`, {});
  expect(await say()).toEqual([
    expect.stringMatching(/voided or deleted.*Create a credit memo in QuickBooks/),
  ]);
});
