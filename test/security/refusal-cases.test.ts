import { sql } from "kysely";
import { expect, test } from "vitest";
import { GROUPS } from "#contract/endpoint.ts";
import * as admin from "#features/admin/contract.ts";
import * as billing from "#features/billing/contract.ts";
import * as carrier from "#features/carrier/contract.ts";
import * as invoices from "#features/order-invoices/contract.ts";
import type { OrderInvoice, ThreadList, ThreadView } from "#features/order-invoices/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import * as notices from "#features/orders/notices-out/contract.ts";
import * as shipping from "#features/shipping/contract.ts";
import * as tracking from "#features/tracking/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { decide } from "../support/orders.ts";
import type { Reply } from "../support/browser.ts";
import { ACME } from "../support/intuit.ts";
import { grantTracking, removeMember, setGroups } from "../support/members.ts";
import { CARRIER_SETTINGS, CARTON, openShippingDesk, type ShippingDesk } from "../support/shipping.ts";
import { startApp } from "../support/start-app.ts";
import { steppedClock } from "../support/stepped-clock.ts";

/**
 * Refusals of orders, shipping, tracking and billing that no test of their own feature has: `test/refusals.json` names the
 * case of each guard.
 */
const NOBODY = "00000000-0000-4000-8000-000000000001";
const PO = "80001";

/** The status of an answer, and its code. */
const say = ({ status, text }: Reply): string =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`;

const findOrder = async (desk: ShippingDesk, po: string) =>
  (await desk.open()).find(({ po_number }) => po_number === po);

test("UO-15 settings of UPS labels with a wrong account, ZIP code or reason are refused", async () => {
  const { browser } = await openShippingDesk({ worker: false });
  const change = async (changes: object) =>
    say(await browser.call(shipping.changeCarrierSettings, { json: { ...CARRIER_SETTINGS, ...changes } }));
  expect([
    await change({ billing_account: "R9H7" }),
    await change({ billing_zip: "3033" }),
    await change({ cancel_reason: "no_reason" }),
    await change({ billing: "own", billing_account: "", billing_zip: "" }),
  ]).toEqual([
    "400 invalid_billing_account",
    "400 invalid_billing_zip",
    "400 reason_unknown",
    "400 invalid_request",
  ]);
});

test("UO-15 nothing is bought or voided while no UPS account is connected, and another account than the one shown isn't disconnected", async () => {
  const desk = await openShippingDesk();
  const { browser } = desk;
  await desk.addSamples(1, 2);
  expect((await desk.ship(PO)).status).toBe(200);
  const end = async (ups_account: string) =>
    say(await browser.call(carrier.endLink, { query: { realm_id: ACME, ups_account } }));
  expect([await end("9Z8Y7X"), await end("1A2B3C")]).toEqual(["409 ups_account_changed", "200"]);
  expect(say(await desk.ship("80002"))).toBe("409 ups_not_connected");
  const [label] = (await desk.history()).labels;
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect(say(await browser.call(shipping.voidShipment, { query }))).toBe("409 ups_not_connected");
  expect((await desk.history()).labels).toMatchObject([{ state: "live" }]);
});

test("UO-15 a stored UPS token that no key opens calls nothing", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  expect((await desk.ship(PO)).status).toBe(200);
  const [label] = (await desk.history()).labels;
  await sql`update carrier_link set access_token_sealed = overlay(access_token_sealed placing 'AAAA' from 30),
    refresh_token_sealed = overlay(refresh_token_sealed placing 'AAAA' from 30)`.execute(desk.app.db);
  const calls = async () => (await desk.app.ups.control<{ entries: unknown[] }>("journal")).entries.length;
  const before = await calls();
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect(say(await desk.browser.call(shipping.voidShipment, { query }))).toBe("409 ups_not_connected");
  expect(await calls()).toBe(before);
});

test("UO-15 an order whose labels are being voided buys no others", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  expect((await desk.ship(PO)).status).toBe(200);
  const [label] = (await desk.history()).labels;
  await desk.app.ups.control("faults", { fault: "drop", operation: "void", times: 10 });
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect(say(await desk.browser.call(shipping.voidShipment, { query }))).toBe("503 ups_unavailable");
  expect(say(await desk.ship(PO, [CARTON], { key: crypto.randomUUID() }))).toBe("409 labels_being_voided");
  expect(await desk.shipCalls()).toBe(1);
});

test("UO-15 labels in ZPL and labels that are pictures don't become one file", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  expect((await desk.ship(PO)).status).toBe(200);
  const json = { ...CARRIER_SETTINGS, label_format: "zpl" as const };
  expect((await desk.browser.call(shipping.changeCarrierSettings, { json })).status).toBe(200);
  expect((await desk.ship("80002")).status).toBe(200);
  const ids = (await desk.history()).labels.map(({ id }) => id);
  const print = async (slips: boolean) =>
    say(await desk.browser.call(shipping.printShipments, { json: { ids, slips } }));
  expect([await print(false), await print(true)]).toEqual(["409 mixed_formats", "409 mixed_formats"]);
});

test("UO-15 an answer about labels in doubt is refused with an invalid number, one that UPS doesn't know, and when UPS keeps what is to be voided", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2, 3);
  const to = { name: "Tom Reed", lines: ["1 Far Road"], city: "Reno", postal: "89506" };
  const addPackages = async (reference: string, more: object = {}) => {
    const shipment = { scenario: "never_scanned", reference, to, weightLb: 2, ...more };
    return (await desk.app.ups.control<{ tracking: string[] }>("packages", shipment)).tracking;
  };
  await addPackages(PO);
  await addPackages("80002", { ageHours: 30, scenario: undefined });
  for (const po of [PO, "80002"]) expect((await desk.ship(po)).status).toBe(202);
  const answer = async (po: string, json: object) => {
    const id = (await findOrder(desk, po))?.labels?.id;
    return say(await desk.browser.call(shipping.answerShipment, { json: { id, ...json } }));
  };
  const number = (tracking_number: string) => ({ answer: "tracking_number", tracking_number });
  expect([await answer(PO, number("1Z12")), await answer(PO, number("1Z0000000000000000"))]).toEqual([
    "400 invalid_tracking_number",
    "400 no_labels",
  ]);
  await desk.app.ups.control("faults", { fault: "drop", operation: "void", times: 1 });
  expect(await answer(PO, { answer: "void_theirs" })).toBe("503 ups_unavailable");
  expect(await answer("80002", { answer: "void_theirs" })).toBe("409 ups_refused");
  const [, scanned] = await addPackages("80003", { packages: 2 });
  expect((await desk.ship("80003")).status).toBe(202);
  await desk.app.ups.control("packages", { tracking: scanned, scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking: scanned, to: "origin" });
  expect(await answer("80003", { answer: "void_theirs" })).toBe("409 void_refused");
  const other = sampleOrder(1).map((segment) =>
    segment.replace("PO1*1*2*", "PO1*1*4*").replace("CTT*2*12", "CTT*2*14"),
  );
  await desk.add(sampleFile({ sets: [other] }), "other.edi");
  expect(await answer(PO, { answer: "not_ours" })).toBe("409 order_waits");
  expect(await desk.shipCalls()).toBe(0);
});

test("UO-15 an order that is partly shipped doesn't become one of fewer pieces, and pieces are canceled for a reason of the retailer's only", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const contents = [{ line: "2", quantity: "8" }];
  expect((await desk.ship(PO, [{ ...CARTON, contents }], { key: crypto.randomUUID() })).status).toBe(200);
  const fewer = sampleOrder(1).map((segment) =>
    segment.replace("PO1*2*10*", "PO1*2*4*").replace("CTT*2*12", "CTT*2*6"),
  );
  await desk.add(sampleFile({ sets: [fewer] }), "fewer.edi");
  const order = await findOrder(desk, PO);
  expect(order?.waiting).not.toBeNull();
  expect(say(await decide(desk.browser, order?.id ?? "", "use_new"))).toBe("409 pieces_gone");
  const cancel = {
    order_id: order?.id ?? "",
    lines: [{ line: "1", quantity: "1" }],
    cancel_reason: "no_reason",
  };
  expect(say(await desk.browser.call(shipping.cancelLines, { json: cancel }))).toBe("400 reason_unknown");
});

test("UO-15 documents, threads, invoices, matches, proofs and pages that a company doesn't have are not found", async () => {
  const { browser } = await openShippingDesk({ worker: false });
  const orderQuery = { query: { order_id: NOBODY } };
  const choice = { partner: "retailer", kind: "customer" as const, written: "RETAILER", target_id: "999999" };
  const query = { realm_id: ACME };
  const find = { params: { kind: choice.kind }, query: { q: "Cool Cars" } };
  const { entries } = (await browser.call(invoices.searchMatches, find)).json() as {
    entries: { id: string }[];
  };
  const known = { ...choice, target_id: entries[0]?.id ?? "" };
  expect([
    say(await browser.call(notices.listOrderDocuments, orderQuery)),
    say(await browser.call(notices.sendInvoiceAgain, { json: { id: NOBODY } })),
    say(await browser.call(notices.rejectInvoice, { json: { id: NOBODY } })),
    say(await browser.call(invoices.readThread, orderQuery)),
    say(
      await browser.call(invoices.answerOrderInvoice, {
        json: { id: NOBODY, about: "nothing", answer: "other" },
      }),
    ),
    say(await browser.call(invoices.chooseMatch, { json: choice })),
    say(await browser.call(invoices.chooseMatch, { json: { ...known, partner: "nobody" } })),
    say(await browser.call(tracking.readTracked, { params: { invoice_id: "1" }, query })),
    say(await browser.call(tracking.readProof, { params: { number: "1Z12345E0205271688" }, query })),
    say(await browser.call(tracking.listTracked, { query: { ...query, after: "soon" } })),
    say(await browser.call(shipping.listShipments, { query: { before: `1-${"-".repeat(36)}` } })),
  ]).toEqual([...Array.from({ length: 9 }, () => "404 not_found"), "400 invalid_page", "400 invalid_page"]);
});

test("UO-15 an invoice of an order is answered only as a draft, and not with one that is gone from QuickBooks", async () => {
  const desk = await openShippingDesk({ worker: true });
  await desk.addSamples(1);
  expect((await desk.ship(PO)).status).toBe(200);
  const [thread] = ((await desk.browser.call(invoices.listThreads)).json() as ThreadList).threads;
  const view = async () =>
    (
      await desk.browser.call(invoices.readThread, { query: { order_id: thread?.order_id ?? "" } })
    ).json() as ThreadView;
  const read = async () => (await view()).invoices[0];
  await read();
  const answer = async (invoice?: OrderInvoice) => {
    const { id = "", about = "" } = invoice ?? (await read()) ?? {};
    return say(await desk.browser.call(invoices.answerOrderInvoice, { json: { id, about, answer: "link" } }));
  };
  const change = (changes: object) =>
    desk.app.db
      .updateTable("order_invoice" as never)
      .set(changes as never)
      .execute();
  const theirs = {
    id: "999999",
    number: PO,
    date: "2026-11-27",
    totalCents: 4_500,
    hasTrackingNumber: false,
  };
  await change({ theirs: JSON.stringify(theirs) });
  expect(await answer()).toBe("409 invoice_gone");
  const draft = await read();
  await desk.app.intuit.control("faults", [{ fault: "503" }]);
  expect(await answer(draft)).toBe("503 books_unreadable");
  await desk.app.intuit.control("faults", undefined, "DELETE");
  await change({ theirs: null, state: "posted" });
  expect(await answer()).toBe("409 not_a_draft");
});

test("UO-15 where nothing is sold and no UPS account can be connected, those calls are not found", async () => {
  const app = await startApp({ worker: false, sells: false });
  const owner = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  const query = { realm_id: ACME };
  const portal = await owner.call(billing.openPortal, { query });
  expect(portal.json()).toMatchObject({ status: 404, detail: "Paid services aren't offered here." });
  const link = await owner.call(carrier.startLink, { query: { ...query, ups_account: "1A2B3C" } });
  expect(say(link)).toBe("404 not_found");
});

test("UO-15 a user who is no longer the company's admin doesn't finish a link to UPS", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  const query = { realm_id: ACME, ups_account: "1A2B3C" };
  const { redirect } = (await owner.call(carrier.startLink, { query })).json() as { redirect: string };
  const { searchParams } = await app.ups.signIn(redirect, "acme-shipping");
  await removeMember(app.db, "owner@acme.example");
  const json = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
  expect(say(await owner.call(carrier.finishLink, { json }))).toBe("403 ups_request_unknown");
});

test("UO-15 a file without orders is refused, and a ship notice that X12 can't hold doesn't leave", async () => {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock }, { vendor_number: "47*110" });
  const file = { name: "empty.edi", bytes: Buffer.from(sampleFile({ sets: [] })) };
  expect(say(await desk.browser.call(addOrders, { file }))).toBe("400 no_orders");
  await desk.addSamples(1);
  expect((await desk.ship(PO)).status).toBe(200);
  clock.advance(24 * 3_600_000);
  await desk.browser.signIn("owner@acme.example");
  const list = await desk.browser.call(notices.listNotices, { query: { show: "due" } });
  const ids = (list.json() as { notices: notices.Notice[] }).notices.map(({ id }) => id);
  expect(ids).toHaveLength(1);
  expect(say(await desk.browser.call(notices.downloadNotices, { json: { ids } }))).toBe(
    "409 notice_rejected",
  );
});

test("UO-15 an operator replays no event and opens no labels that there are none of", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  await setGroups(app.db, GROUPS);
  await sql`insert into support_grant (realm_id, id, user_id, reason, started_at, ends_at)
    select ${ACME}, gen_random_uuid(), id, 'A question', ${app.clock.now()}, ${new Date(app.clock.now().getTime() + 3_600_000)}
    from app_user where email = 'platform@dockside.example'`.execute(app.db);
  const json = { id: "evt_none", reason: "A question" };
  const file = { params: { kind: "label" as const, file: NOBODY }, query: { realm_id: ACME } };
  expect([
    say(await operator.call(admin.replayWebhook, { json })),
    say(await operator.call(admin.openFile, file)),
    say(
      await operator.call(admin.openUpload, { params: { upload_id: file.params.file }, query: file.query }),
    ),
  ]).toEqual(["404 not_found", "404 not_found", "404 not_found"]);
});
