import { expect } from "vitest";
import { finishLink, startLink } from "#features/carrier/contract.ts";
import {
  changeCarrierSettings,
  createShipment,
  listOpenOrders,
  listShipments,
  type CarrierSettings,
  type LabelHistory,
  type OpenOrder,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { addOrders, type OrderIntakeResult } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import type { Browser, Reply } from "./browser.ts";
import { ACME, BAY } from "./intuit.ts";
import { grantTracking } from "./members.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "./start-app.ts";
import type { UpsSimulator } from "./ups.ts";

export const UPS_ACCOUNT = "1A2B3C";
export const CARTON = { length: 15, width: 13, height: 3, weight: 2 };

/** Settings with which labels of the retailer are billed to its account. */
export const CARRIER_SETTINGS: CarrierSettings = {
  ship_from: {
    name: "Acme Tools",
    phone: "503-555-0100",
    line: "9 Wharf Road",
    city: "Portland",
    state: "OR",
    zip: "97209",
  },
  label_format: "pdf",
  slip_paper: "letter",
  billing: "third_party",
  billing_account: "R9H77W",
  billing_zip: "30339",
  vendor_number: "",
  cancel_reason: "out_of_stock",
  presets: [],
};

/**
 * Cartons of a sample order, which has 2 pieces in line 1 and 10 in line 2, each with contents: one of line 2 in each, the rest in
 * the first.
 */
export const pack = (cartons: readonly object[]): object[] =>
  cartons.length === 1
    ? [...cartons]
    : cartons.map((carton, at) => ({
        contents:
          at === 0
            ? [
                { line: "1", quantity: "2" },
                { line: "2", quantity: String(11 - cartons.length) },
              ]
            : [{ line: "2", quantity: "1" }],
        ...carton,
      }));

/** A consignee as a user corrects it. */
export const SHIP_TO = {
  name: "Jane Doe",
  lines: ["14 Main Street"],
  city: "Reno",
  state: "NV",
  zip: "89506",
};

/** A company that ships, its owner and its account at UPS. */
type Shipper = { realmId: string; email: string; account: string; user: string };

const ACME_SHIPPER: Shipper = {
  realmId: ACME,
  email: "owner@acme.example",
  account: UPS_ACCOUNT,
  user: "acme-shipping",
};
export const BAY_SHIPPER: Shipper = {
  realmId: BAY,
  email: "platform@dockside.example",
  account: "012345",
  user: "bay-shipping",
};

export type ShippingDesk = {
  app: TestApp;
  browser: Browser;
  /** Sign-ins end overnight. */
  signIn(): Promise<unknown>;
  /** Adds a file of orders. */
  add(file: string | Uint8Array, name?: string): Promise<OrderIntakeResult>;
  /** Adds sample orders by number: the PO of 1 is "80001". */
  addSamples(...numbers: number[]): Promise<OrderIntakeResult>;
  open(): Promise<OpenOrder[]>;
  orders(): Promise<OpenOrders>;
  history(query?: Record<string, string>): Promise<LabelHistory>;
  ship(poNumber: string, cartons?: readonly object[], more?: object): Promise<Reply>;
  /** Numbers of the shipments at UPS that are not voided. */
  liveAtUps(): Promise<string[]>;
  /** Ship calls that reached the simulated UPS. */
  shipCalls(): Promise<number>;
};

/** The owner of Acme with a UPS account and settings, at a product of its own. */
export async function openShippingDesk(
  options: Parameters<typeof startApp>[0] = {},
  settings: Partial<CarrierSettings> = {},
): Promise<ShippingDesk> {
  const app = await startApp({ worker: "labels", limits: NO_CALLER_LIMITS, ...options });
  return openCompanyDesk(app, ACME_SHIPPER, settings);
}

/** The owner of a company with a UPS account and settings, at a product that runs. */
export async function openCompanyDesk(
  app: TestApp,
  { realmId, email, account, user }: Shipper,
  settings: Partial<CarrierSettings> = {},
): Promise<ShippingDesk> {
  const browser = await app.owner(realmId, email);
  await grantTracking(app.db, realmId);
  await linkUps(app, browser, { realmId, account, user });
  const saved = await browser.call(changeCarrierSettings, { json: { ...CARRIER_SETTINGS, ...settings } });
  expect(saved.status).toBe(200);
  const add = async (file: string | Uint8Array, name = "orders.edi") => {
    const bytes = Buffer.from(file as string);
    const reply = await browser.call(addOrders, { file: { name, bytes } });
    expect(reply.status, reply.text).toBe(200);
    return reply.json() as OrderIntakeResult;
  };
  const orders = async () => {
    const reply = await browser.call(listOpenOrders);
    expect(reply.status, reply.text).toBe(200);
    return reply.json() as OpenOrders;
  };
  return {
    app,
    browser,
    signIn: () => browser.signIn(email),
    add,
    addSamples: (...numbers) => add(sampleFile({ sets: numbers.map((number) => sampleOrder(number)) })),
    orders,
    open: async () => (await orders()).open,
    history: async (query = {}) => (await browser.call(listShipments, { query })).json() as LabelHistory,
    ship: (po_number, cartons = [CARTON], more = {}) =>
      browser.call(createShipment, { json: { po_number, cartons: pack(cartons), ...more } }),
    liveAtUps: async () => {
      type Shipments = { shipments: { id: string; packages: { voidedAt: number | null }[] }[] };
      return (await app.ups.control<Shipments>("shipments")).shipments
        .filter(({ packages }) => packages.some(({ voidedAt }) => voidedAt === null))
        .map(({ id }) => id);
    },
    shipCalls: async () => {
      const { entries } = await app.ups.control<{ entries: { path: string }[] }>("journal");
      return entries.filter(({ path }) => path.endsWith("/ship")).length;
    },
  };
}

/** Connects a UPS account in UPS's own page. */
export async function linkUps(
  { ups }: { ups: Pick<UpsSimulator, "signIn"> },
  browser: Browser,
  { realmId = ACME, account = UPS_ACCOUNT, user = "acme-shipping" } = {},
): Promise<void> {
  const query = { realm_id: realmId, ups_account: account };
  const { redirect } = (await browser.call(startLink, { query })).json() as { redirect: string };
  const { searchParams } = await ups.signIn(redirect, user);
  const json = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
  expect((await browser.call(finishLink, { json })).status).toBe(200);
}
