import { sql } from "kysely";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { saveFolder } from "#features/orders/folders/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { cancelOrder, changeCarrierSettings } from "#features/shipping/contract.ts";
import { decide } from "../../../test/support/orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { makeFolder } from "../../../test/support/places.ts";
import { CARRIER_SETTINGS } from "../../../test/support/shipping.ts";
import { executeSystemRun } from "../../../test/support/system-runs.ts";
import {
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareSample,
  say810s,
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
  expect((await desk.say(draft, "link")).status).toBe(200);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "linked", number: "80001" }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  await desk.app.settle(120_000);
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before);
});

test("TD-07 the terms of a sheet of orders are its invoices', by days and discount or by their name in QuickBooks, and a name that it doesn't have is asked about once", async () => {
  const desk = await openThreadDesk();
  const row = (po: string, terms: string) =>
    `${po},Jane Doe,12 Main Street,Reno,NV,89506,1001234,2,12.50,"${terms}"`;
  const sheet = [
    "PO Number,Name,Address 1,City,State,ZIP,SKU,Quantity,Unit Cost,Payment Terms",
    row("7001", "2/10, n/30"),
    row("7002", "End of Month"),
    row("7003", "Net 45"),
    row("7004", "as agreed"),
    row("7005", "as agreed"),
    row("7006", ""),
    row("7007", "1/10, n/30"),
  ];
  const orders = ["7001", "7002", "7003", "7004", "7005", "7006", "7007"];
  const { documents } = await desk.add(`${sheet.join("\n")}\n`, "orders.csv");
  expect(documents.map(({ result }) => result)).toEqual(orders.map(() => "added"));
  for (const po of orders) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  const isTerm = ({ kind }: { kind: string }) => kind === "term";
  await matchAll(desk, (question) => !isTerm(question));
  const readTerms = async () => {
    const terms: Record<string, unknown> = {};
    for (const { order_id: id, po_number: po } of (await desk.list()).threads) {
      await confirmPrices(desk, id);
      const [invoice] = (await desk.view(id)).invoices;
      terms[po] = [invoice?.terms, ...(invoice?.waits ?? [])];
    }
    return terms;
  };
  const others = {
    "7001": ["2% 10 Net 30"],
    "7002": ["End of month"],
    "7003": [null],
    "7006": [null],
    // The books' own terms of 30 days with a discount have another percent.
    "7007": [null],
  };
  expect(await readTerms()).toEqual({ ...others, "7004": [null, "terms"], "7005": [null, "terms"] });
  const { questions, threads } = await desk.list();
  expect(questions).toMatchObject([{ kind: "term", written: "as agreed", orders: 2, amount: "50.00" }]);
  const ids = threads.filter(({ words }) => words === "Terms to match").map(({ order_id: id }) => id);
  expect((await desk.post(...ids)).json()).toMatchObject({
    posting: 0,
    left_out: ids.map(() => ({ problem: expect.stringContaining("Match it to terms there first") })),
  });
  const params = { kind: "term" as const };
  const found = await desk.browser.call(contract.searchMatches, { params, query: { q: "Net 30" } });
  const { entries } = found.json() as { entries: { id: string; name: string }[] };
  const target_id = entries.find(({ name }) => name === "Net 30")?.id ?? "";
  const json = { partner: questions[0]?.partner ?? "", kind: params.kind, written: "as agreed", target_id };
  expect((await desk.browser.call(contract.chooseMatch, { json })).status).toBe(200);
  expect(await readTerms()).toEqual({ ...others, "7004": ["Net 30"], "7005": ["Net 30"] });
  expect((await desk.list()).questions).toEqual([]);
  expect((await desk.post(...ids)).json()).toMatchObject({ posting: 2, left_out: [] });
  await desk.app.settle(120_000);
  const made = (await desk.app.intuit.invoices(ACME)).filter(({ DocNumber }) =>
    /^700[45]$/.test(`${DocNumber}`),
  );
  expect(made).toMatchObject([1, 2].map(() => ({ SalesTermRef: { value: target_id } })));
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
  await desk.app.settle(180_000);
  // Nothing is billed before its ship notice has left, nor is QuickBooks, which meters that, read for it.
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before);
  expect(await desk.searches()).toBe(searches);
  await desk.leave();
  await desk.app.settle(180_000);
  const made = (await desk.app.intuit.invoices(ACME)).slice(before);
  expect(made.map(({ DocNumber }) => DocNumber)).toEqual(["80001"]);
  expect(await desk.searches()).toBeGreaterThan(searches);
  expect(
    Object.fromEntries((await desk.list()).threads.map(({ po_number, words }) => [po_number, words])),
  ).toMatchObject({ "80002": "Price differs", "80003": "SKU to match" });
  await desk.app.settle(600_000);
  expect(await desk.app.intuit.invoices(ACME)).toHaveLength(before + 1);
});

test("TD-12 TD-14 TD-16 an order that its retailer cancels after it was labeled isn't billed, nor does its 810 leave, until a user confirms that it shipped; what a folder's file cancels is mailed", async () => {
  const base = await makeFolder();
  const desk = await openThreadDesk({ env: { ORDER_FOLDERS: base }, mail: true });
  const { app, browser } = desk;
  await desk.addSamples(1, 2, 3);
  for (const po of ["80001", "80002", "80003"]) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await desk.accept();
  await matchAll(desk);
  const ids = Object.fromEntries(
    (await desk.list()).threads.map(({ order_id, po_number: po }) => [po, order_id]),
  );
  const [first = "", second = "", third = ""] = ["80001", "80002", "80003"].map((po) => ids[po]);
  for (const id of [first, second, third]) await confirmPrices(desk, id);
  expect((await desk.post(second)).json()).toMatchObject({ posting: 1, left_out: [] });
  await app.settle(120_000);
  const cancel = (number: number) =>
    sampleFile({ sets: [sampleOrder(number).map((segment) => segment.replace("BEG*00", "BEG*01"))] });
  await desk.add(cancel(2), "cancel.edi");
  const query = { realm_id: ACME };
  expect((await browser.call(saveFolder, { query, json: { kind: "local" } })).status).toBe(200);
  for (const name of ["first.edi", "again.edi"]) {
    await writeFile(join(base, ACME, "in", name), cancel(1));
    await app.settle(180_000);
  }
  const { rows } = await sql<{ params: object }>`select params from notice_mail
    where kind = 'retailer_message'`.execute(app.db);
  const sentences = [expect.stringContaining("void its labels, or confirm that it shipped")];
  expect(rows).toMatchObject([{ params: { po: "80001", sentences } }]);
  const json = { posts_when_shipped: true };
  expect((await browser.call(contract.changeOrderInvoiceSettings, { json })).status).toBe(200);
  await app.settle(180_000);
  const made = async () =>
    (await app.intuit.invoices(ACME)).flatMap(({ DocNumber: number = "" }) =>
      number.startsWith("8000") ? [number] : [],
    );
  expect(await made()).toEqual(["80002", "80003"]);
  const stands = async () =>
    Object.fromEntries((await desk.list()).threads.map(({ po_number: po, words }) => [po, words]));
  expect(await stands()).toMatchObject({ "80001": "Canceled by retailer", "80002": "Canceled by retailer" });
  expect((await desk.post(first)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("void its labels, or confirm that it shipped") }],
  });
  expect(await desk.view(first)).toMatchObject({
    asks_shipped: true,
    invoices: [{ can_post: false, waits: ["canceled"] }],
  });
  await desk.leave();
  const problem =
    "The retailer canceled this order after its labels were made: void its labels, or confirm that it shipped.";
  expect(await say810s(desk)).toEqual([
    ["pending", [problem]],
    ["overdue", []],
  ]);
  const confirm = async (id: string) => (await decide(browser, id, "shipped")).status;
  expect([await confirm(first), await confirm(second)]).toEqual([200, 200]);
  expect([await confirm(first), await confirm(third)]).toEqual([409, 409]);
  await app.settle(180_000);
  expect(await made()).toEqual(["80002", "80003", "80001"]);
  expect((await say810s(desk)).map(([state]) => state)).toEqual(["sent", "overdue", "sent"]);
  expect((await desk.view(first)).asks_shipped).toBe(false);
});

/** Makes 100 more orders like the first one, each with its labels, its ship notice and its 810. */
async function repeatOrder({ db }: ThreadDesk["app"]): Promise<void> {
  await sql`insert into retail_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
      'po_number', 'copy ' || n, 'slip_file', 'copy ' || n))).* from retail_order o cross join generate_series(1, 100) n`.execute(
    db,
  );
  await sql`insert into order_shipment select (jsonb_populate_record(s, jsonb_build_object('shipment_id', o.id,
      'order_id', o.id))).* from order_shipment s cross join retail_order o where o.po_number like 'copy %'`.execute(
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
    await executeSystemRun(app, "orders.poll-folders");
    // The worker's own pass may have begun before.
    await app.settle(0);
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

test("TD-16 an undo takes back no invoice of an upload that a user linked to an order once its 810 left, and before, the 810 stays here", async () => {
  const desk = await openThreadDesk();
  const numbers = ["80001", "80002", "80003"];
  await desk.addSamples(1, 2, 3);
  for (const po of numbers) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const { threads } = await desk.list();
  const ids = numbers.map((po) => threads.find(({ po_number }) => po_number === po)?.order_id ?? "");
  for (const id of ids) await confirmPrices(desk, id);
  const items = async (id: string) =>
    (await desk.view(id)).invoices.flatMap(({ lines }) => lines.map(({ item }) => item ?? ""));
  const [first = "", second = ""] = await items(ids[0] ?? "");
  // A user typed all of them, without the freight, and links two.
  const type = (po: string) => {
    const common = { "Invoice Date": "2026-11-27", Customer: "Cool Cars" };
    return [
      invoiceLine(po, { ...common, Item: first, Qty: 2, Rate: 12.5, Amount: 25 }),
      invoiceLine(po, { ...common, Item: second, Qty: 10, Rate: 0.75, Amount: 7.5 }),
    ];
  };
  for (const po of numbers) {
    expect((await uploadRows(desk.browser, ACME, type(po))).status).toBe(202);
    await settledUploads(desk.browser, ACME);
  }
  const uploads = (await settledUploads(desk.browser, ACME)).uploads.toReversed();
  const undo = (at: number) =>
    desk.browser.call(startUndo, {
      query: { realm_id: ACME },
      params: { upload_id: uploads[at]?.id ?? "" },
      json: { action: "void" },
    });
  const link = async (at: number) => {
    expect((await desk.post(ids[at] ?? "")).json()).toMatchObject({ posting: 0 });
    const [draft] = (await desk.view(ids[at] ?? "")).invoices;
    expect((await desk.say(draft, "link")).status).toBe(200);
  };
  for (const at of [0, 1]) await link(at);
  await desk.accept();
  const state810 = async (po: string) =>
    (await desk.notices()).find(({ kind, po_number }) => kind === "invoice" && po_number === po)?.state;
  await desk.leave(({ po_number }) => po_number === "80001");
  expect(await Promise.all(numbers.map(state810))).toEqual(["sent", "pending", undefined]);
  const refused = await undo(0);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("The retailer already has invoice 80001 of PO # 80001"),
  ]);
  // From the request on. It keeps what the Tracking Service wrote to since, and so the 810 is planned again.
  expect((await undo(1)).status).toBe(202);
  expect(await state810("80002")).toBe("withdrawn");
  await desk.app.settle(120_000);
  const standing = async (id: string) => (await desk.view(id)).invoices.map(({ state }) => state);
  expect(await Promise.all(ids.map(standing))).toEqual([["linked"], ["linked"], ["draft"]]);
  const documents = (await desk.notices()).filter(({ kind }) => kind === "invoice");
  expect(documents.map(({ po_number, state }) => `${po_number} ${state}`).toSorted()).toEqual([
    "80001 sent",
    "80002 pending",
    "80002 withdrawn",
  ]);
  expect((await undo(2)).status).toBe(202);
});
