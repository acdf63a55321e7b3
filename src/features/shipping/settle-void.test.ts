import { sql } from "kysely";
import { expect, test } from "vitest";
import { answerShipment, downloadLabelFile, printShipments } from "#features/shipping/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { backUpApp } from "../../../test/support/older-backup.ts";
import { CARTON, linkUps } from "../../../test/support/shipping.ts";
import { openVoidDesk } from "../../../test/support/void-desk.ts";

const HOUR_MS = 3_600_000;
const detail = (reply: { json(): unknown }) => (reply.json() as { detail: string }).detail;

test("UO-06 labels voided at UPS open their order, withdraw its notice, are not handed out, and the user is mailed", async () => {
  const desk = await openVoidDesk({}, true);
  await desk.addSamples(1);
  await desk.ship("80001");
  const [label] = (await desk.history()).labels;
  await desk.voidAtUps(...(label?.tracking_numbers ?? []));
  await desk.passHours(1.1);
  expect((await desk.history()).labels).toMatchObject([
    { po_number: "80001", state: "voided", voided_by: "", is_voided_at_ups: true, is_notified: false },
  ]);
  expect((await desk.open()).map(({ po_number, labels }) => [po_number, labels])).toEqual([["80001", null]]);
  expect((await desk.notices()).map(({ state }) => state)).toEqual(["withdrawn"]);
  const text = "The labels of PO # 80001 are voided: UPS won't accept them. Make new ones.";
  const file = await desk.browser.call(downloadLabelFile, { params: { filename: label?.label_file ?? "" } });
  expect([file.status, detail(file)]).toEqual([409, text]);
  const print = await desk.browser.call(printShipments, { json: { ids: [label?.id] } });
  expect([print.status, detail(print)]).toEqual([409, text]);
  const [mail, ...others] = desk.mails();
  expect([mail?.subject, others]).toEqual(["UPS labels of PO # 80001 were voided at UPS", []]);
  expect(mail?.text).toContain(label?.shipment);
  expect((await desk.trail())[0]).toMatchObject({ action: "labels.voided_at_ups" });
  // Settled once.
  await desk.passHours(2);
  expect(desk.mails()).toHaveLength(1);
});

test("UO-06 OI-15 when the ship notice of labels that are voided at UPS has left, the mail says to inform the retailer", async () => {
  const desk = await openVoidDesk({}, true);
  await desk.addSamples(1);
  await desk.ship("80001");
  const [label] = (await desk.history()).labels;
  const [notice] = await desk.notices();
  await desk.passHours((Date.parse(notice?.at ?? "") - desk.clock.now().getTime()) / HOUR_MS + 0.1);
  const sent = await desk.browser.call(downloadNotices, { json: { ids: [notice?.id] } });
  expect(sent.status).toBe(200);
  await desk.voidAtUps(...(label?.tracking_numbers ?? []));
  await desk.passHours(1.1);
  expect((await desk.history()).labels).toMatchObject([{ state: "voided", is_notified: true }]);
  expect(desk.mails()[0]?.text).toMatch(/already has the ship notice.*Let the retailer know/s);
});

test.each([
  ["the first package, by whose number UPS names the shipment,", 0],
  ["another package", 1],
] as const)(
  "UO-06 %s voided at UPS's page leaves the others good, and is left out of the notice",
  async (_, at) => {
    const desk = await openVoidDesk();
    await desk.addSamples(1);
    await desk.ship("80001", [CARTON, CARTON]);
    const [label] = (await desk.history()).labels;
    const [gone = "", kept = ""] =
      label?.tracking_numbers.toSorted((a) => (a === label.tracking_numbers[at] ? -1 : 1)) ?? [];
    await desk.voidAtUps(gone);
    await desk.passHours(1.1);
    expect((await desk.history()).labels).toMatchObject([
      { state: "partly_voided", voided_by: "", is_voided_at_ups: true, notice: { state: "pending" } },
    ]);
    const print = await desk.browser.call(printShipments, { json: { ids: [label?.id] } });
    expect([print.status, print.text.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([200, 1]);
    await desk.passHours(26);
    const ids = (await desk.notices()).map(({ id }) => id);
    const sent = await desk.browser.call(downloadNotices, { json: { ids } });
    expect([sent.status, sent.text.includes(gone), sent.text.includes(`MAN*CP*${kept}`)]).toEqual([
      200,
      false,
      true,
    ]);
  },
);

test.each(["drop_after", "drop"])(
  "UO-05 a void whose answer is lost (%s) is settled without a user",
  async (fault) => {
    const desk = await openVoidDesk();
    await desk.addSamples(1);
    await desk.ship("80001");
    const [label] = (await desk.history()).labels;
    await desk.app.ups.control("faults", { fault, operation: "void", times: 1 });
    const lost = await desk.voidInApp("80001", label?.shipment);
    expect(lost.status).toBe(503);
    expect((await desk.history()).labels).toMatchObject([
      { state: "live", is_voiding: true, can_void: true },
    ]);
    const print = await desk.browser.call(printShipments, { json: { ids: [label?.id] } });
    expect(print.status).toBe(409);
    await desk.passHours(0.05);
    expect((await desk.history()).labels).toMatchObject([
      { state: "voided", voided_by: "owner@acme.example", is_voiding: false, is_voided_at_ups: false },
    ]);
    expect((await desk.open()).map(({ po_number }) => po_number)).toEqual(["80001"]);
    expect((await desk.notices()).map(({ state }) => state)).toEqual(["withdrawn"]);
  },
);

test("UO-07 one package of several is voided, and the others stay good", async () => {
  const desk = await openVoidDesk();
  await desk.addSamples(1);
  await desk.ship("80001", [CARTON, CARTON]);
  const [label] = (await desk.history()).labels;
  const [, tracking_number] = label?.tracking_numbers ?? [];
  const reply = await desk.voidInApp("80001", label?.shipment, { tracking_number });
  expect([reply.status, reply.json()]).toEqual([200, { kept: [] }]);
  expect((await desk.history()).labels).toMatchObject([
    { state: "partly_voided", voided_by: "owner@acme.example", is_voided_at_ups: false, is_voiding: false },
  ]);
  const other = await desk.voidInApp("80001", label?.shipment, { tracking_number: "1Z999AA10123456784" });
  expect(other.status).toBe(404);
});

test("TD-03 a package that UPS has scanned is kept when the others are voided, and what was in those is left to ship", async () => {
  const desk = await openVoidDesk();
  await desk.addSamples(1);
  await desk.ship("80001", [CARTON, CARTON]);
  const [label] = (await desk.history()).labels;
  const [, tracking] = label?.tracking_numbers ?? [];
  await desk.app.ups.control("packages", { tracking, scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking, to: "origin" });
  const reply = await desk.voidInApp("80001", label?.shipment);
  expect([reply.status, reply.json()]).toEqual([200, { kept: [tracking] }]);
  expect((await desk.history()).labels).toMatchObject([{ state: "partly_voided", is_voiding: false }]);
  expect((await desk.open()).map(({ lines }) => lines.map(({ open }) => open))).toEqual([["2", "9"]]);
});

test("a void that UPS refuses after its answer was lost leaves the labels good", async () => {
  const desk = await openVoidDesk();
  await desk.addSamples(1);
  await desk.ship("80001");
  const [label] = (await desk.history()).labels;
  const tracking = label?.tracking_numbers[0];
  await desk.app.ups.control("packages", { tracking, scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking, to: "origin" });
  await desk.app.ups.control("faults", { fault: "drop", operation: "void", times: 1 });
  expect((await desk.voidInApp("80001", label?.shipment)).status).toBe(503);
  await desk.passHours(0.05);
  expect((await desk.history()).labels).toMatchObject([
    { state: "live", is_voiding: false, package_state: "in_transit" },
  ]);
});

test("UO-06 a database from an older backup learns that its labels are voided, and finds those that replaced them", async () => {
  const desk = await openVoidDesk();
  await desk.addSamples(1);
  await desk.ship("80001");
  const [first] = (await desk.history()).labels;
  await desk.voidAtUps(...(first?.tracking_numbers ?? []));
  // As another database that went on from the same backup: it has voided them, and bought others.
  await desk.passHours(1.1);
  await desk.ship("80001");
  const [second] = (await desk.history()).labels;
  const { db } = desk.app;
  await sql`delete from write where part = ${second?.id}`.execute(db);
  await sql`delete from shipment where id = ${second?.id}`.execute(db);
  await sql`delete from order_shipment where shipment_id = ${second?.id}`.execute(db);
  await sql`update order_shipment set cartons = jsonb_set(cartons, '{0,isVoided}', 'false')`.execute(db);
  await sql`update shipment set state = 'made', voided_at = null`.execute(db);
  await sql`update package set state = 'label_created', next_poll_at = added_at`.execute(db);
  await sql`update shipment_label set voided_at = null`.execute(db);
  await desk.passHours(1.1);
  expect((await desk.history()).labels).toMatchObject([{ shipment: first?.shipment, state: "voided" }]);
  expect((await desk.ship("80001")).status).toBe(200);
  expect((await desk.history()).labels.map((label) => label.shipment)).toEqual([
    second?.shipment,
    first?.shipment,
  ]);
  expect(await desk.shipCalls()).toBe(2);
});

/** Numbers of the cartons whose labels are voided, one after the other; "all", and "refused" for all that UPS refuses to void. */
type Voids = readonly (number | "all" | "refused")[];

test.each<[string, { lost: boolean; voids: Voids; state: string }]>([
  [
    "two, but not all, since UPS refused that",
    { lost: false, voids: [0, 1, "refused"], state: "partly_voided" },
  ],
  [
    "one and then all, though the backup knows that another waits",
    { lost: true, voids: [1, "all"], state: "voided" },
  ],
])(
  "UO-06 UO-10 labels of one shipment that a user voided one after the other, which an older backup has forgotten, are voided by the user: %s",
  async (_name, { lost, voids, state }) => {
    const desk = await openVoidDesk();
    const { ups } = desk.app;
    await desk.addSamples(1);
    expect((await desk.ship("80001", [CARTON, CARTON, CARTON])).status).toBe(200);
    const [label] = (await desk.history()).labels;
    const askVoid = async (which: Voids[number]) => {
      const more = typeof which === "number" ? { tracking_number: label?.tracking_numbers[which] } : {};
      return (await desk.voidInApp("80001", label?.shipment, more)).status;
    };
    if (lost) {
      await ups.control("faults", { fault: "drop", operation: "void", times: 1 });
      expect(await askVoid(0)).toBe(503);
    }
    const putBack = await backUpApp(desk.app);
    if (lost) await desk.passHours(0.05);
    for (const which of voids) {
      if (which === "refused")
        await ups.control("faults", { fault: "refusal", operation: "void", times: 1, code: "190102" });
      expect(await askVoid(which)).toBe(which === "refused" ? 409 : 200);
    }
    await desk.app.settle(0);
    const report = await putBack();
    expect(report.match(new RegExp(label?.shipment ?? "", "g"))).toHaveLength(1);
    await desk.passHours(1.1);
    expect((await desk.history()).labels).toMatchObject([
      { state, voided_by: "owner@acme.example", is_voided_at_ups: false, is_voiding: false },
    ]);
    expect((await desk.trail()).map(({ action }) => action)).not.toContain("labels.voided_at_ups");
    expect(desk.mails()).toEqual([]);
  },
);

test("UO-04 the void of labels of a purchase that was given up is noted in the trail and mailed", async () => {
  const desk = await openVoidDesk({ SHIP_WAITS_MS: "50,100" }, true);
  await desk.app.ups.control("settings", { scenario: "unknown", recoveryDelayMs: 3 * HOUR_MS }, "PATCH");
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  await desk.ship("80001");
  await desk.app.settle(60_000);
  const id = (await desk.open())[0]?.labels?.id;
  await desk.browser.call(answerShipment, { json: { id, answer: "create_again" } });
  const { shipments } = await desk.app.ups.control<{ shipments: { id: string }[] }>("shipments");
  const tracking = shipments[0]?.id ?? "";
  await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  await desk.passHours(4);
  expect((await desk.trail())[0]).toMatchObject({ action: "labels.void_given_up" });
  const [mail, ...others] = desk.mails();
  expect([mail?.subject, others]).toEqual(["Abandoned UPS labels of PO # 80001 were voided", []]);
  expect(mail?.text).toContain(tracking);
});

test("UO-09 a second shipment that UPS made by the same call is mailed once, also when UPS doesn't answer the first search, or another account is connected then", async () => {
  const desk = await openVoidDesk({}, true);
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "twice", operation: "ship", times: 1 });
  expect((await desk.ship("80001")).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const { shipments } = await desk.app.ups.control<{ shipments: { id: string }[] }>("shipments");
  const other = shipments.find(({ id }) => id !== label?.shipment)?.id ?? "";
  await linkUps(desk.app, desk.browser, { account: "012345", user: "bay-shipping" });
  await desk.passHours(1.1);
  await linkUps(desk.app, desk.browser);
  // Not once: the worker may search too, within the same minute as this test.
  await desk.app.ups.control("faults", { fault: "html_page", operation: "track_reference", status: 502 });
  await desk.passHours(1.1);
  expect(desk.mails()).toEqual([]);
  await desk.app.ups.control("faults", undefined, "DELETE");
  await desk.passHours(1.1);
  const [mail, ...others] = desk.mails();
  expect([mail?.subject, others]).toEqual(["UPS has more than one shipment for PO # 80001", []]);
  expect(mail?.text).toContain(other);
  expect((await desk.trail())[0]).toMatchObject({ action: "labels.doubled_at_ups" });
  await desk.passHours(2);
  expect(desk.mails()).toHaveLength(1);
});
