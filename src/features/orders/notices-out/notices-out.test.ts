import NodeX12 from "node-x12";
import { expect, test } from "vitest";
import { cancelOrder, voidShipment } from "#features/shipping/contract.ts";
import { restoreOrder } from "#features/orders/contract.ts";
import {
  downloadNotices,
  changeNoticeSettings,
  listNotices,
  readNoticeSettings,
  type Notice,
} from "#features/orders/notices-out/contract.ts";
import { listPending, markSent } from "#features/orders/notices-out/deliver-notices.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import type { ShipNotice } from "#formats/x12/ship-notice.ts";
import { readShipNotice } from "../../../../test/support/rules/read-ship-notice.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { CARTON, openShippingDesk } from "../../../../test/support/shipping.ts";

const HOUR_MS = 3_600_000;

/** A desk with a clock that jumps, and what its tests ask of notices. */
async function openDesk(options: Parameters<typeof openShippingDesk>[0] = {}) {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, ...options }, { vendor_number: "47110" });
  const list = async (show: "all" | "due" = "all") =>
    ((await desk.browser.call(listNotices, { query: { show } })).json() as { notices: Notice[] }).notices;
  const download = (...ids: (string | undefined)[]) => desk.browser.call(downloadNotices, { json: { ids } });
  /** Sessions end overnight. */
  const jump = async (ms: number) => {
    clock.advance(ms);
    await desk.browser.signIn("owner@acme.example");
  };
  /** Moves the clock past the cutoff of all notices. */
  const pass = async () => {
    const times = (await list()).filter(({ state }) => state === "pending").map(({ at }) => Date.parse(at));
    await jump(Math.max(...times) - clock.now().getTime() + 1_000);
  };
  const cancel = (po_number: string) =>
    desk.browser.call(cancelOrder, { query: { customer: "retailer", po_number } });
  return { ...desk, clock, jump, list, download, pass, cancel };
}

/** The retailer's 997 about a group. */
const answer = (group: string, set: readonly string[], status: string) =>
  sampleFile({
    sets: [
      ["ST*997*0001", `AK1*${group}`, "AK2*856*0001", ...set, `AK9*${status}*1*1*${status === "A" ? 1 : 0}`],
    ].map((segments) => [...segments, `SE*${segments.length + 1}*0001`]),
    group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
  });

function read(file: string): ShipNotice {
  for (const part of readInterchanges(Buffer.from(file)))
    if (part.kind === "set") {
      const found = readShipNotice(part.set);
      if ("document" in found && part.set.faults.length === 0) return found.document;
      throw new Error(JSON.stringify([part.set.faults, found]));
    }
  throw new Error(file);
}

const detail = (reply: { json(): unknown }) => (reply.json() as { detail: string }).detail;

test("OI-13 a ship notice is sent at the cutoff, never when labels are made, with every carton's number, weight and SCAC", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  const cartons = [CARTON, { length: 24, width: 18, height: 12, weight: 14.5 }];
  expect((await desk.ship("80001", cartons)).status).toBe(200);
  const [label] = (await desk.history()).labels;
  expect(label).toMatchObject({ is_notified: false, notice: { state: "pending" } });
  const [notice] = await desk.list();
  expect(notice).toMatchObject({
    kind: "ship",
    po_number: "80001",
    state: "pending",
    is_due: false,
    control_number: null,
  });
  const { time_zone: timeZone, cut_off } = (await desk.browser.call(readNoticeSettings)).json() as {
    time_zone: string;
    cut_off: string;
  };
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const [day, time] = local.format(new Date(notice?.at ?? "")).split(" ");
  expect([cut_off, time]).toEqual(["17:00", "17:00"]);
  const early = await desk.download(notice?.id);
  expect([early.status, detail(early)]).toEqual([
    409,
    "The notice about PO # 80001 can't be downloaded yet: it will be sent at today's cutoff time, or when UPS first scans the package.",
  ]);
  await desk.pass();
  expect(await desk.list("due")).toMatchObject([{ id: notice?.id, is_due: true }]);
  expect((await desk.orders()).due_notices).toEqual([notice?.id]);
  const file = await desk.download(notice?.id);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/edi-x12"]);
  const { shipment, number } = read(file.text);
  expect(number).toBe(label?.shipment);
  expect(shipment).toMatchObject({
    packages: [{ count: "2", weight: "16.5", weightUnit: "LB" }],
    routings: [{ idQualifier: "2", id: "UPSN", transport: "ZZ", routing: "UPSN_CG", status: "CC" }],
    references: [
      { qualifier: "CN", value: label?.shipment },
      { qualifier: "IA", value: "47110" },
    ],
    dates: [{ qualifier: "011", date: day }],
    parties: [
      { kind: "SF", name: "Acme Tools", postalCode: "97209" },
      { kind: "ST", name: "Jane Doe" },
    ],
  });
  const [order] = shipment.orders;
  expect(order).toMatchObject({ number: "80001", references: [{ qualifier: "CO", value: "W155" }] });
  expect(order?.cartons.map(({ marks, packages }) => [marks[0]?.value, packages[0]?.weight])).toEqual([
    [label?.tracking_numbers[0], "2"],
    [label?.tracking_numbers[1], "14.5"],
  ]);
  // TD-02 each carton says what is in it.
  expect(order?.cartons.map(({ items }) => items)).toMatchObject([
    [
      { number: "1", shipped: { quantity: "2", unit: "EA" } },
      { number: "2", shipped: { quantity: "9", ordered: "10", unit: "EA" } },
    ],
    [{ number: "2", shipped: { quantity: "1", ordered: "10", unit: "EA" } }],
  ]);
  // Its envelope is the retailer's own, turned around; another reader finds the same segments.
  expect(file.text).toMatch(/^ISA\*00\* {10}\*00\* {10}\*ZZ\*SUPPLIER {7}\*ZZ\*RETAILER {7}\*/);
  const parsed = new NodeX12.X12Parser(true).parse(file.text) as NodeX12.X12Interchange;
  const [group] = parsed.functionalGroups;
  expect(group?.transactions[0]?.segments.map(({ tag }) => tag).join(" ")).toBe(
    "BSN HL TD1 TD5 REF REF DTM N1 N3 N4 N1 N3 N4 HL PRF REF HL TD1 MAN HL LIN SN1 PID HL LIN SN1 HL TD1 MAN HL LIN SN1 CTT",
  );
  expect((await desk.history()).labels[0]).toMatchObject({ is_notified: true, notice: { state: "sent" } });
  expect((await desk.download(notice?.id)).text).toBe(file.text);
  expect(await desk.list("due")).toEqual([]);
});

test("OI-14 a notice keeps its control number, and its order shows whether the retailer accepted, rejected or left it unanswered", async () => {
  const desk = await openDesk({ mail: true, worker: true });
  await desk.addSamples(1, 2, 3);
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  expect((await desk.cancel("80003")).status).toBe(200);
  expect(desk.app.mailbox().messages()).toEqual([]);
  await desk.pass();
  // As the folder does: a delivery that fails is repeated with the same bytes.
  const { orders } = desk.app.application;
  const first = await listPending(orders, ACME);
  expect(await listPending(orders, ACME)).toEqual(first);
  expect(first.map(({ fileName }) => fileName.replace(/-[0-9a-f]{8}\./, ".")).sort()).toEqual([
    "cancellation-80003.edi",
    "ship-notice-80001.edi",
    "ship-notice-80002.edi",
  ]);
  // The 997 about the orders has the number 1.
  expect((await desk.list()).map(({ state, control_number }) => [state, control_number])).toEqual(
    expect.arrayContaining([2, 3, 4].map((number) => ["pending", number])),
  );
  await markSent(
    orders,
    ACME,
    first.map(({ id }) => id),
  );
  expect(await listPending(orders, ACME)).toEqual([]);
  const sent = await desk.list();
  expect(sent.map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  const numberFor = (po: string) => sent.find(({ po_number }) => po_number === po)?.control_number ?? 0;
  const accepted = answer(`SH*${numberFor("80001")}`, ["AK5*A"], "A");
  expect((await desk.add(accepted)).documents).toEqual([
    { po_number: "80001", result: "answered", problems: [] },
  ]);
  expect((await desk.add(accepted)).documents).toMatchObject([{ result: "same" }]);
  const rejected = answer(`SH*${numberFor("80002")}`, ["AK3*TD1*4**8", "AK4*2**7*1", "AK5*R*5"], "R");
  const problems = [
    'Segment 4, TD102, the number of packages, ("1") isn\'t a valid code (error 7).',
    "Document: segments have errors (error 5).",
  ];
  expect((await desk.add(rejected)).documents).toEqual([
    { po_number: "80002", result: "answered", problems },
  ]);
  await desk.app.settle();
  const [mail, ...others] = desk.app.mailbox().messages();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: ["owner@acme.example"] });
  expect(mail?.subject).toMatch(/ rejected the ship notice for PO # 80002$/);
  expect(mail?.text).toContain("Segment 4, TD102");
  for (const unknown of ["SH*99", `PR*${numberFor("80003")}`])
    expect((await desk.add(answer(unknown, ["AK5*A"], "A"))).documents).toMatchObject([
      {
        result: "refused",
        problems: [expect.stringMatching(/^No notice with the group .* was sent from here\.$/)],
      },
    ]);
  const { labels } = await desk.history();
  expect(labels.map(({ po_number, notice }) => [po_number, notice?.state])).toEqual([
    ["80002", "rejected"],
    ["80001", "accepted"],
  ]);
  await desk.jump(24 * HOUR_MS);
  expect((await desk.orders()).cancelled).toMatchObject([
    { po_number: "80003", can_restore: false, notice: { state: "overdue" } },
  ]);
  const late = answer(`SH*${numberFor("80003")}`, ["AK5*E*5"], "E");
  expect((await desk.add(late)).documents).toMatchObject([{ po_number: "80003", result: "answered" }]);
  expect((await desk.orders()).cancelled[0]?.notice?.state).toBe("accepted");
});

test("OI-15 voiding labels before their notice is sent withdraws it; after that the history says that the retailer knows", async () => {
  const desk = await openDesk();
  // UPS voids no label that it has scanned.
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const voidLabels = async () => {
    const live = (await desk.history()).labels.find(({ state }) => state === "live");
    const query = { po_number: "80001", shipment: live?.shipment ?? "" };
    expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
    return (await desk.history()).labels.find(({ id }) => id === live?.id);
  };
  expect(await voidLabels()).toMatchObject({ is_notified: false, notice: { state: "withdrawn" } });
  const withdrawn = (await desk.list())[0]?.id;
  expect(detail(await desk.download(withdrawn))).toBe(
    "The notice about PO # 80001 was withdrawn and won't be sent.",
  );
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.pass();
  const [notice] = await desk.list("due");
  expect((await desk.download(notice?.id)).status).toBe(200);
  expect((await desk.history()).labels[0]).toMatchObject({ is_notified: true, can_void: true });
  expect(await voidLabels()).toMatchObject({ is_notified: true, notice: { state: "sent" } });
  expect((await desk.download(crypto.randomUUID())).status).toBe(404);
});

test("OI-08 CR-27 a cancellation is confirmed with quantity 0 and its reason, and can be undone only while the retailer doesn't know", async () => {
  const desk = await openDesk({ worker: false });
  await desk.addSamples(1, 2);
  const restore = async () => {
    const [order] = (await desk.orders()).cancelled;
    return desk.browser.call(restoreOrder, { json: { order_id: order?.id } });
  };
  await desk.cancel("80001");
  expect((await desk.orders()).cancelled).toMatchObject([
    { can_restore: true, notice: { state: "pending" } },
  ]);
  expect((await restore()).status).toBe(200);
  expect((await desk.list()).map(({ state }) => state)).toEqual(["withdrawn"]);
  await desk.cancel("80001");
  await desk.pass();
  const [notice] = await desk.list("due");
  const { shipment } = read((await desk.download(notice?.id)).text);
  expect(shipment.orders[0]).toMatchObject({ number: "80001", cartons: [] });
  expect(shipment.orders[0]?.items).toMatchObject([
    {
      number: "1",
      shipped: { quantity: "0", ordered: "2", status: "ID" },
      references: [{ qualifier: "ZZ", value: "out_of_stock", description: "Out of stock" }],
    },
    { number: "2", shipped: { quantity: "0", ordered: "10", status: "ID" } },
  ]);
  const late = await restore();
  expect([late.status, detail(late)]).toEqual([
    409,
    "The retailer was notified that PO # 80001 is canceled, so it can't be restored.",
  ]);
  expect((await desk.orders()).cancelled).toMatchObject([{ can_restore: false, notice: { state: "sent" } }]);
});

test("OI-08 an order whose cancellation the retailer rejected can be restored, and canceled again", async () => {
  const desk = await openDesk({ worker: false });
  await desk.addSamples(1);
  await desk.cancel("80001");
  await desk.pass();
  const [notice] = await desk.list("due");
  expect((await desk.download(notice?.id)).status).toBe(200);
  const number = (await desk.list())[0]?.control_number;
  await desk.add(answer(`SH*${number}`, ["AK5*R*5"], "R"));
  const [order] = (await desk.orders()).cancelled;
  expect(order).toMatchObject({ can_restore: true, notice: { state: "rejected" } });
  expect((await desk.browser.call(restoreOrder, { json: { order_id: order?.id } })).status).toBe(200);
  expect((await desk.orders()).open.map(({ po_number }) => po_number)).toEqual(["80001"]);
  expect((await desk.list()).map(({ state }) => state)).toEqual(["withdrawn"]);
  const again = await desk.cancel("80001");
  expect(again.status, again.text).toBe(200);
  await desk.pass();
  const [second] = await desk.list("due");
  expect((await desk.download(second?.id)).status).toBe(200);
  const { control_number: other } = (await desk.list()).find(({ id }) => id === second?.id) ?? {};
  expect(other).toBeGreaterThan(number ?? 0);
  expect((await desk.orders()).cancelled).toMatchObject([{ can_restore: false, notice: { state: "sent" } }]);
});

/** A CommerceHub order of one line, which is the retailer's line 10. */
const hubOrder = (number: string) => `
  <hubOrder transactionID="T${number}">
    <participatingParty roleType="merchant" participationCode="From:">hearth</participatingParty>
    <sendersIdForReceiver>acme</sendersIdForReceiver>
    <orderId>${number}</orderId><lineCount>1</lineCount><poNumber>${number}</poNumber><orderDate>20261126</orderDate>
    <shipTo personPlaceID="PP1"/><shippingCode>UPSN_CG</shippingCode>
    <lineItem><orderLineNumber>1</orderLineNumber><merchantLineNumber>10</merchantLineNumber><qtyOrdered>2</qtyOrdered>
      <unitOfMeasure>EA</unitOfMeasure><description>Faucet</description><merchantSKU>1001</merchantSKU><vendorSKU>F-7</vendorSKU></lineItem>
    <personPlace personPlaceID="PP1"><name1>Jane Doe</name1><address1>12 Main Street</address1><city>Reno</city><state>NV</state>
      <postalCode>89506</postalCode><country>US</country></personPlace>
  </hubOrder>`;

test("OI-13 OI-14 orders that came in CommerceHub's XML get their notices in it, in a file of their own, which no 997 answers", async () => {
  const desk = await openDesk();
  const xml = `<OrderMessageBatch>${hubOrder("9001")}${hubOrder("9002")}</OrderMessageBatch>`;
  expect((await desk.add(xml, "orders.xml")).documents.map(({ result }) => result)).toEqual([
    "added",
    "added",
  ]);
  await desk.addSamples(1);
  expect((await desk.ship("9001")).status).toBe(200);
  expect((await desk.cancel("9002")).status).toBe(200);
  expect((await desk.cancel("80001")).status).toBe(200);
  await desk.pass();
  const { due_notices: x12, due_xml_notices: inXml } = await desk.orders();
  expect([x12.length, inXml.length]).toEqual([1, 2]);
  const mixed = await desk.download(...x12, ...inXml);
  expect([mixed.status, detail(mixed)]).toEqual([409, expect.stringMatching(/can't go in one file/)]);
  expect((await desk.list("due")).length).toBe(3);
  const file = await desk.download(...inXml);
  expect([file.status, file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
    200,
    "application/xml",
    expect.stringMatching(/^attachment; filename="notices\.xml"/),
  ]);
  const { labels } = await desk.history();
  expect(
    file.text.match(
      /<(action|merchantLineNumber|trackingNumber|actionCode|partnerID[^>]*|messageCount)>[^<]*/g,
    ),
  ).toEqual(
    expect.arrayContaining([
      '<partnerID roleType="vendor">acme',
      "<action>v_ship",
      "<action>v_cancel",
      "<actionCode>out_of_stock",
      "<merchantLineNumber>10",
      `<trackingNumber>${labels[0]?.shipment}`,
      "<messageCount>2",
    ]),
  );
  expect((await desk.download(...inXml)).text).toBe(file.text);
  const sent = (await desk.list()).filter(({ id }) => inXml.includes(id));
  expect(sent.map(({ state }) => state)).toEqual(["sent", "sent"]);
  const [named] = sent;
  const reply = await desk.add(answer(`SH*${named?.control_number}`, ["AK5*A"], "A"));
  expect(reply.documents.map(({ result }) => result)).toEqual(["refused"]);
  await desk.jump(30 * HOUR_MS);
  const later = (await desk.list()).filter(({ id }) => inXml.includes(id));
  expect(later.map(({ state }) => state)).toEqual(["sent", "sent"]);
});

test("OI-13 (settings) each company has its own cutoff, and may enter its own X12 id", async () => {
  const desk = await openDesk();
  const save = (json: object) => desk.browser.call(changeNoticeSettings, { json });
  expect((await save({ cut_off: "25:00", sender_id: "" })).status).toBe(400);
  expect((await save({ cut_off: "13:30", sender_id: "ACMETOOLS" })).status).toBe(200);
  await desk.addSamples(1);
  await desk.cancel("80001");
  const [notice] = await desk.list();
  const { time_zone: timeZone } = (await desk.browser.call(readNoticeSettings)).json() as {
    time_zone: string;
  };
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" });
  expect(local.format(new Date(notice?.at ?? ""))).toBe("13:30");
  await desk.pass();
  expect((await desk.download(notice?.id)).text).toContain("*ZZ*ACMETOOLS      *ZZ*RETAILER ");
});

test("OI-13 a changed cutoff holds for notices that wait, too, and for none that is due", async () => {
  const desk = await openDesk();
  await desk.addSamples(1, 2);
  const save = (cut_off: string) =>
    desk.browser.call(changeNoticeSettings, { json: { cut_off, sender_id: "" } });
  const { time_zone: timeZone } = (await desk.browser.call(readNoticeSettings)).json() as {
    time_zone: string;
  };
  const sayTimes = async () => {
    const wall = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
    return (await desk.list()).map(({ at }) => wall.format(new Date(at))).toSorted();
  };
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.pass();
  // One second after the cutoff: 16 hours later it's 9:00.
  await desk.jump(16 * 3_600_000);
  expect((await desk.ship("80002")).status).toBe(200);
  expect(await sayTimes()).toEqual(["17:00", "17:00"]);
  expect((await save("13:30")).status).toBe(200);
  expect(await sayTimes()).toEqual(["13:30", "17:00"]);
  // A time that has passed puts nothing off until tomorrow.
  expect((await save("00:01")).status).toBe(200);
  expect(await sayTimes()).toEqual(["13:30", "17:00"]);
  expect((await desk.list("due")).map(({ po_number }) => po_number)).toEqual(["80001"]);
});
