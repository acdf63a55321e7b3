import { expect, test } from "vitest";
import { printShipments } from "#features/shipping/contract.ts";
import { CARTON, linkUps } from "../../../test/support/shipping.ts";
import { openVoidDesk } from "../../../test/support/void-desk.ts";

const PO = "80001";
const OWNER = "owner@acme.example";
const LOST = [503, "ups_unavailable"];
const WAITS = [409, "labels_being_voided"];

/** Labels of one order in three cartons, and a UPS whose voids go wrong on demand. */
async function openLabels() {
  const desk = await openVoidDesk();
  const { ups } = desk.app;
  await desk.addSamples(1);
  expect((await desk.ship(PO, [CARTON, CARTON, CARTON])).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const [a = "", b = "", c = ""] = label?.tracking_numbers ?? [];
  const askVoid = async (tracking_number?: string) => {
    const reply = await desk.voidInApp(PO, label?.shipment, tracking_number ? { tracking_number } : {});
    const { code, kept } = reply.json() as { code?: string; kept?: string[] };
    return [reply.status, kept ?? code];
  };
  return {
    ...desk,
    numbers: [a, b, c] as const,
    askVoid,
    shown: async () => {
      const [{ state, is_voiding, voided_by } = {}] = (await desk.history()).labels;
      return [state, is_voiding, voided_by];
    },
    print: async () => {
      const reply = await desk.browser.call(printShipments, { json: { ids: [label?.id] } });
      return reply.status === 200 ? [200] : [reply.status, (reply.json() as { code: string }).code];
    },
    /** Whether the ship notice would leave, a day after its cutoff. */
    isNoticeDue: async () => {
      await desk.passHours(30);
      return (await desk.notices()).map(({ is_due }) => is_due);
    },
    voidsInTrail: async () =>
      (await desk.trail()).map(({ action }) => action).filter((action) => action.startsWith("labels.void")),
    fault: (fault: string, more: object = {}) => ups.control("faults", { fault, operation: "void", ...more }),
    hide: (number: string) =>
      ups.control("faults", { fault: "refusal", path: `/api/track/v1/details/${number}`, code: "TV1002" }),
    endFaults: () => ups.control("faults", undefined, "DELETE"),
    voidCalls: async () => {
      const { entries } = await ups.control<{ entries: { path: string }[] }>("journal");
      return entries.filter(({ path }) => path.includes("/void/cancel/")).length;
    },
  };
}

test.each([
  ["none of the others", "drop"],
  ["all", "drop_after"],
])(
  "UO-05 while UPS shows one label of a void without an answer as voided, the others still wait: it voided %s",
  async (_name, fault) => {
    const desk = await openLabels();
    const [a, b, c] = desk.numbers;
    await desk.fault(fault, { times: 1 });
    expect(await desk.askVoid()).toEqual(LOST);
    await desk.voidAtUps(b);
    for (const number of [a, c]) await desk.hide(number);
    await desk.fault("drop");
    await desk.passHours(0.05);
    expect(await desk.shown()).toEqual(["partly_voided", true, OWNER]);
    expect([await desk.print(), await desk.isNoticeDue()]).toEqual([WAITS, [false]]);
    await desk.endFaults();
    await desk.passHours(0.1);
    expect(await desk.shown()).toEqual(["voided", false, OWNER]);
    expect((await desk.notices()).map(({ state }) => state)).toEqual(["withdrawn"]);
    expect(await desk.voidsInTrail()).toEqual(["labels.void", "labels.void"]);
  },
);

test.each([
  ["one label", 0, "partly_voided"],
  ["all labels", undefined, "voided"],
])(
  "UO-05 UO-15 while a void of %s waits for UPS, other labels of the purchase can't be voided, and the same void can be repeated",
  async (_name, at, state) => {
    const desk = await openLabels();
    const [a, b, c] = desk.numbers;
    const first = at === undefined ? undefined : desk.numbers[at];
    await desk.fault("drop", { times: 1 });
    expect(await desk.askVoid(first)).toEqual(LOST);
    const calls = await desk.voidCalls();
    for (const other of [a, b, c, undefined].filter((each) => each !== first))
      expect(await desk.askVoid(other)).toEqual(WAITS);
    expect(await desk.voidCalls()).toBe(calls);
    expect(await desk.askVoid(first)).toEqual([200, []]);
    expect(await desk.shown()).toEqual([state, false, OWNER]);
    expect(await desk.askVoid(b)).toEqual([200, []]);
  },
);

test.each([
  ["all labels, which UPS voided,", undefined, "drop_after", "voided"],
  ["one label, which UPS didn't void,", 1, "drop", "partly_voided"],
])(
  "UO-05 a void of %s that is repeated while UPS doesn't accept the login goes on waiting until it does",
  async (_name, at, fault, state) => {
    const desk = await openLabels();
    const number = at === undefined ? undefined : desk.numbers[at];
    await desk.fault(fault, { times: 1 });
    expect(await desk.askVoid(number)).toEqual(LOST);
    await desk.app.ups.control("tokens/revoke", { user: "acme-shipping" });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await desk.askVoid(number)).toEqual([409, "ups_not_connected"]);
      expect([await desk.shown(), await desk.print()]).toEqual([["live", true, ""], WAITS]);
    }
    expect(await desk.isNoticeDue()).toEqual([false]);
    await linkUps(desk.app, desk.browser);
    await desk.passHours(1.1);
    expect(await desk.shown()).toEqual([state, false, OWNER]);
    expect(await desk.voidsInTrail()).toEqual(["labels.void"]);
    expect(desk.mails().filter(({ subject }) => /voided/.test(subject))).toEqual([]);
  },
);

test.each([
  ["that UPS did", "drop_after", ["voided", false, OWNER], ["labels.void"]],
  // UPS voids no label that is this old.
  ["that UPS refuses by then", "drop", ["live", false, ""], []],
])(
  "UO-05 a void without an answer, %s, is settled also a month after the labels were bought",
  async (_name, fault, shown, trail) => {
    const desk = await openLabels();
    await desk.fault(fault, { times: 1 });
    expect(await desk.askVoid()).toEqual(LOST);
    await desk.app.ups.control("tokens/revoke", { user: "acme-shipping" });
    await desk.passHours(31 * 24);
    expect(await desk.shown()).toEqual(["live", true, ""]);
    await linkUps(desk.app, desk.browser);
    await desk.passHours(1.1);
    expect(await desk.shown()).toEqual(shown);
    expect(await desk.voidsInTrail()).toEqual(trail);
  },
);

test("a void that never reached UPS, which doesn't accept the login, is not kept", async () => {
  const desk = await openLabels();
  await desk.app.ups.control("tokens/revoke", { user: "acme-shipping" });
  expect(await desk.askVoid()).toEqual([409, "ups_not_connected"]);
  expect([await desk.shown(), await desk.print()]).toEqual([["live", false, ""], [200]]);
  await linkUps(desk.app, desk.browser);
  await desk.passHours(1.1);
  expect(await desk.shown()).toEqual(["live", false, ""]);
});

test("UO-07 a success that doesn't name the one label that was to be voided settles nothing: UPS's tracking does", async () => {
  const desk = await openLabels();
  const [, b] = desk.numbers;
  await desk.fault("summary_only_after");
  expect(await desk.askVoid(b)).toEqual(LOST);
  expect([await desk.shown(), await desk.print()]).toEqual([["live", true, ""], WAITS]);
  await desk.hide(b);
  await desk.passHours(0.05);
  expect([await desk.shown(), await desk.isNoticeDue()]).toEqual([["live", true, ""], [false]]);
  await desk.endFaults();
  await desk.fault("summary_only_after");
  await desk.passHours(1.1);
  expect([await desk.shown(), await desk.print()]).toEqual([["partly_voided", false, OWNER], [200]]);
  expect(await desk.isNoticeDue()).toEqual([true]);
  expect(await desk.voidsInTrail()).toEqual(["labels.void"]);
});

test("UO-07 a success in part that names no label settles nothing: those that UPS shows as voided are, and a scanned one is kept", async () => {
  const desk = await openLabels();
  const [, , tracking] = desk.numbers;
  await desk.app.ups.control("packages", { tracking, scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking, to: "origin" });
  await desk.fault("summary_only_after");
  expect(await desk.askVoid()).toEqual(LOST);
  expect(await desk.shown()).toEqual(["live", true, ""]);
  await desk.passHours(0.05);
  expect([await desk.shown(), await desk.print()]).toEqual([["partly_voided", false, OWNER], [200]]);
  expect(await desk.voidsInTrail()).toEqual(["labels.void"]);
});

test("a success that names no label is one for all of a shipment", async () => {
  const desk = await openLabels();
  await desk.fault("summary_only_after");
  expect(await desk.askVoid()).toEqual([200, []]);
  expect(await desk.shown()).toEqual(["voided", false, OWNER]);
});
