import { expect } from "vitest";
import {
  answerShipment,
  changeCarrierSettings,
  createShipment,
  listOpenOrders,
  listShipments,
  printShipments,
  voidShipment,
  type LabelHistory,
  type MadeLabels,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { BAY } from "../../support/intuit.ts";
import { grantTracking } from "../../support/members.ts";
import {
  CARRIER_SETTINGS,
  CARTON,
  linkUps,
  openShippingDesk,
  UPS_ACCOUNT,
  type ShippingDesk,
} from "../../support/shipping.ts";
import { pollPackages } from "../../support/system-runs.ts";

const HOUR_MS = 3_600_000;

export type PackageAtUps = {
  tracking: string;
  voidedAt: number | null;
  references: { code: string; value: string }[];
};
export type ShipmentAtUps = { id: string; packages: PackageAtUps[] };

/** Consignee and weight of a sample order's label. */
export const JANE = {
  name: "Jane Doe",
  lines: ["12 Main Street", "Apartment 4"],
  city: "Reno",
  state: "NV",
  postal: "89506",
};

/** A sample order of enough pieces for many cartons. */
const manyPieces = (number: number) =>
  sampleOrder(number).map((segment) =>
    segment.replace("PO1*2*10*", "PO1*2*40*").replace("CTT*2*12", "CTT*2*42"),
  );

/** Cartons of such an order, each with contents. */
export const packMany = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...CARTON,
    contents:
      at === 0
        ? [
            { line: "1", quantity: "2" },
            { line: "2", quantity: String(41 - count) },
          ]
        : [{ line: "2", quantity: "1" }],
  }));

/** A company with orders, another with the same UPS account, and a UPS whose other users make and void shipments. */
export type Round = ShippingDesk & {
  bay: { shipFirst(po: string): Promise<void>; live(): Promise<string[]> };
  /** Makes a shipment with a PO number in another program, and keeps its number. */
  addTheirs(po: string, changes?: object): Promise<string>;
  theirs: Set<string>;
  /** Orders for which a mail must have come, with the words in it. */
  mustSay: Map<string, RegExp>;
  label(po: string): Promise<MadeLabels | undefined>;
  shipments(): Promise<ShipmentAtUps[]>;
  voidAtUps(...numbers: string[]): Promise<void>;
  voidInApp(po: string, more?: object): Promise<number>;
  print(po: string): Promise<{ status: number; pages: number }>;
  fault(operation: string, fault: string, more?: object): Promise<unknown>;
  /** Ends all faults but those that are kept. */
  clearFaults(): Promise<void>;
  keepFault(rule: object): Promise<unknown>;
  dropKeptFaults(): Promise<void>;
  /** Buys with a lost answer, and lets other programs act before UPS is searched, or before they let time go on. */
  shipUnseen(po: string, fault: string, meanwhile: (goOn: () => void) => Promise<unknown>): Promise<void>;
  passHours(hours: number): Promise<void>;
  /** Clicks until the order has labels, like a user who says of each stranger that it is something else. */
  untilLabelled(po: string): Promise<number>;
  passCutOff(): Promise<string>;
};

export async function openRound(numbers: readonly number[]): Promise<Round> {
  const env = { SHIP_WAITS_MS: "150,400,800" };
  const desk = await openShippingDesk({ env, mail: true, worker: true });
  const { app, browser } = desk;
  await app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  for (let at = 0; at < numbers.length; at += 20)
    await desk.add(sampleFile({ sets: numbers.slice(at, at + 20).map(manyPieces) }), `orders-${at}.edi`);
  const theirs = new Set<string>();
  const kept: object[] = [];
  const label = async (po: string) =>
    (await desk.history({ q: po })).labels.find(
      ({ po_number, state }) => po_number === po && state !== "voided",
    );
  const control = (path: string, body: object) => app.ups.control(path, body);
  const passHours = async (hours: number) => {
    // A call to UPS that is on its way would end as unanswered.
    await app.settle(0);
    app.clock.advance(hours * HOUR_MS);
    await browser.signIn("owner@acme.example");
    await pollPackages(app);
    // One run polls thirty packages; what it says of the rest is settled within a minute.
    await app.settle(65_000);
  };
  const round: Round = {
    ...desk,
    theirs,
    mustSay: new Map(),
    label,
    passHours,
    bay: await openBay(desk, numbers),
    addTheirs: async (po, changes = {}) => {
      const made = { scenario: "never_scanned", reference: po, to: JANE, weightLb: 2, ...changes };
      const { tracking } = await app.ups.control<{ tracking: string[] }>("packages", made);
      const [number = ""] = tracking;
      theirs.add(number);
      return number;
    },
    shipments: async () => (await app.ups.control<{ shipments: ShipmentAtUps[] }>("shipments")).shipments,
    voidAtUps: async (...tracked) => {
      for (const tracking of tracked) await control("packages/void", { tracking });
    },
    voidInApp: async (po_number, more = {}) => {
      const shipment = (await label(po_number))?.shipment ?? "";
      const query = { po_number, shipment, ...more };
      return (await browser.call(voidShipment, { query })).status;
    },
    print: async (po) => {
      const reply = await browser.call(printShipments, { json: { ids: [(await label(po))?.id] } });
      return { status: reply.status, pages: reply.text.match(/\/Type\s*\/Page\b/g)?.length ?? 0 };
    },
    fault: (operation, fault, more = {}) => control("faults", { operation, fault, times: 1, ...more }),
    clearFaults: async () => {
      await app.ups.control("faults", undefined, "DELETE");
      for (const rule of kept) await control("faults", rule);
    },
    keepFault: (rule) => {
      kept.push(rule);
      return control("faults", rule);
    },
    dropKeptFaults: async () => {
      kept.length = 0;
      await app.ups.control("faults", undefined, "DELETE");
    },
    shipUnseen: async (po, fault, meanwhile) => {
      await control("faults", { operation: "ship", fault, times: 1 });
      const goOn = app.clock.stand();
      const asked = desk.ship(po);
      await app.settle(0);
      await meanwhile(goOn).finally(goOn);
      await asked;
    },
    untilLabelled: (po) => untilLabelled(desk, po),
    passCutOff: () => passCutOff(desk, passHours),
  };
  return round;
}

/** Another company with the same UPS account and the same orders. */
async function openBay({ app }: ShippingDesk, numbers: readonly number[]): Promise<Round["bay"]> {
  const browser = await app.owner(BAY, "platform@dockside.example");
  const query = { realm_id: BAY };
  await grantTracking(app.db, BAY);
  await linkUps(app, browser, { realmId: BAY, account: UPS_ACCOUNT });
  expect((await browser.call(changeCarrierSettings, { query, json: CARRIER_SETTINGS })).status).toBe(200);
  for (let at = 0; at < numbers.length; at += 20) {
    const bytes = Buffer.from(sampleFile({ sets: numbers.slice(at, at + 20).map(manyPieces) }));
    await browser.call(addOrders, { query, file: { name: `orders-${at}.edi`, bytes } });
  }
  const listOpen = async () => ((await browser.call(listOpenOrders, { query })).json() as OpenOrders).open;
  return {
    shipFirst: async (po_number) => {
      const json = { po_number, cartons: packMany(1) };
      const buy = async () => {
        expect([200, 202]).toContain((await browser.call(createShipment, { query, json })).status);
        await app.settle();
        return (await listOpen()).find((order) => order.po_number === po_number)?.labels;
      };
      const asked = await buy();
      if (asked?.state !== "asked") return;
      await browser.call(answerShipment, { query, json: { id: asked.id, answer: "not_ours" } });
      await buy();
    },
    live: async () => {
      await browser.signIn("platform@dockside.example");
      const { labels } = (
        await browser.call(listShipments, {
          query: { ...query, limit: "200" },
        })
      ).json() as LabelHistory;
      expect((await listOpen()).filter((order) => order.labels?.state === "asked")).toEqual([]);
      return labels.filter(({ state }) => state === "live").map(({ shipment }) => shipment);
    },
  };
}

async function untilLabelled(desk: ShippingDesk, po: string): Promise<number> {
  let asked = 0;
  for (let click = 0; click < 6; click += 1) {
    const order = await settledOrder(desk, po);
    if (!order) return asked;
    const { labels } = order;
    if (labels?.state === "asked") {
      asked += 1;
      const json = { id: labels.id, answer: labels.theirs ? "not_ours" : "create_again" };
      await desk.browser.call(answerShipment, { json });
      await desk.app.settle();
      if (labels.theirs) continue;
    }
    await desk.ship(po, packMany(1));
  }
  return asked;
}

/** An open order once its labels are neither made nor searched for. */
async function settledOrder(desk: ShippingDesk, po: string) {
  for (let turn = 0; turn < 50; turn += 1) {
    await desk.app.settle();
    const order = (await desk.open()).find(({ po_number }) => po_number === po);
    if (!["making", "checking"].includes(order?.labels?.state ?? "")) return order;
  }
  throw new Error(`The labels of PO # ${po} are made without an end.`);
}

/** Gives the retailer all notices that are due. @returns the text of their files */
async function passCutOff(desk: ShippingDesk, passHours: Round["passHours"]): Promise<string> {
  await passHours(26);
  const list = async () =>
    (
      (await desk.browser.call(listNotices, { query: { show: "due", limit: "200" } })).json() as {
        notices: Notice[];
      }
    ).notices;
  const ids = (await list()).map(({ id }) => id);
  if (ids.length === 0) return "";
  const sent = await desk.browser.call(downloadNotices, { json: { ids } });
  expect(sent.status, sent.text).toBe(200);
  return sent.text;
}
