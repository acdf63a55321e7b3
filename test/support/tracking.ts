import { systemClock } from "#platform/clock.ts";
import type { Stepping } from "./stepped-clock.ts";
import { sql } from "kysely";
import { expect } from "vitest";
import {
  listTracked,
  readTracked,
  readTracking,
  type TrackedDetailsView,
  type TrackedInvoiceView,
  type TrackingView,
} from "#features/tracking/contract.ts";
import { changeSettings } from "#features/companies/contract.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Browser } from "./browser.ts";
import { ACME, liftLimits, type Intuit } from "./intuit.ts";
import { grantTracking } from "./members.ts";
import { linkUps } from "./shipping.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "./start-app.ts";

/** An invoice in the simulated books, with the fields that tracking is about. */
export type ShippedInvoice = {
  Id: string;
  SyncToken: string;
  DocNumber: string;
  ShipDate?: string;
  ShipMethodRef?: { name: string };
  TrackingNum?: string;
};

/** A file in the simulated books. */
export type AttachedFile = {
  Id: string;
  FileName: string;
  Size: number;
  AttachableRef: { EntityRef: { type: string; value: string }; IncludeOnSend: boolean }[];
};

export type TrackingDesk = {
  app: TestApp;
  browser: Browser;
  /** Makes packages at UPS. @returns their numbers */
  packages(plan?: object): Promise<string[]>;
  /** Writes an invoice into the books, as a user of QuickBooks does. */
  invoice(fields: object): Promise<ShippedInvoice>;
  edit(id: string, fields: object): Promise<ShippedInvoice>;
  readInvoice(id: string): Promise<ShippedInvoice>;
  files(id: string): Promise<AttachedFile[]>;
  set(settings: object): Promise<void>;
  /** Turns the service on. */
  turnOn(): Promise<void>;
  status(): Promise<TrackingView>;
  list(query?: Record<string, string>): Promise<TrackedInvoiceView[]>;
  details(id: string): Promise<TrackedDetailsView>;
  /** Makes the database one from before the service was on. */
  forget(): Promise<void>;
  /** Lets a package's events happen until one. */
  move(tracking: string, to: string): Promise<void>;
  /** Calls that reached the simulated UPS, by operation. */
  upsCalls(operation: string): Promise<number>;
  /** Requests that reached the simulated Intuit since the desk was opened, by operation. */
  booksCalls(operation?: string): Promise<Record<string, unknown>[]>;
};

/** The owner of Acme with a UPS account. Nothing is followed before the service is turned on. */
export async function openTrackingDesk(options: Parameters<typeof startApp>[0] = {}): Promise<TrackingDesk> {
  const app = await startApp({ limits: NO_CALLER_LIMITS, ...options, worker: false });
  await hearOfChanges(app);
  await liftLimits(app.intuit, ACME);
  const browser = await app.owner(ACME);
  await grantTracking(app.db, ACME);
  await linkUps(app, browser);
  const books = `books/${ACME}`;
  const query = { realm_id: ACME };
  const invoice = await prepareInvoices(app.intuit, ACME);
  const since = (await app.intuit.control<{ entries: unknown[] }>("journal")).entries.length;
  let isWorking = false;
  return {
    app,
    browser,
    packages: async (plan = {}) => (await app.ups.control<{ tracking: string[] }>("packages", plan)).tracking,
    invoice,
    edit: (id, fields) => app.intuit.control<ShippedInvoice>(`${books}/invoice/${id}`, fields),
    readInvoice: (id) => app.intuit.control<ShippedInvoice>(`${books}/invoice/${id}`),
    files: (id) => listFiles(app.intuit, ACME, id),
    set: async (settings) => {
      const saved = await browser.call(changeSettings, { query, json: settings });
      expect(saved.status, saved.text).toBe(200);
    },
    turnOn: async () => {
      await turnOn(app);
      isWorking ||= Boolean(await app.work());
    },
    status: async () => (await browser.call(readTracking, { query })).json() as TrackingView,
    list: async (more = {}) => {
      const reply = await browser.call(listTracked, { query: { ...query, ...more } });
      expect(reply.status, reply.text).toBe(200);
      return (reply.json() as { invoices: TrackedInvoiceView[] }).invoices;
    },
    details: async (invoice_id) => {
      const reply = await browser.call(readTracked, { query, params: { invoice_id } });
      expect(reply.status, reply.text).toBe(200);
      return reply.json() as TrackedDetailsView;
    },
    forget: async () => {
      await endService(app);
      await until(
        app.clock,
        () =>
          sql`select from run where kind = 'tracking.watch' and state in ('queued', 'working')`.execute(
            app.db,
          ),
        ({ rows }) => rows.length === 0,
      );
      await sql`delete from run where kind = 'tracking.watch'`.execute(app.db);
      await sql`delete from tracking_company`.execute(app.db);
      await sql`delete from package`.execute(app.db);
      await sql`delete from write where vendor = 'intuit_shipping'`.execute(app.db);
    },
    move: async (tracking, to) => {
      await app.ups.control("packages/move", { tracking, to });
    },
    upsCalls: async (operation) =>
      (await app.ups.control<{ entries: { operation: string }[] }>("journal")).entries.filter(
        (entry) => entry.operation === operation,
      ).length,
    booksCalls: async (operation) =>
      (await app.intuit.control<{ entries: Record<string, unknown>[] }>("journal")).entries
        .slice(since)
        .filter((entry) => operation === undefined || entry["operation"] === operation),
  };
}

/** @returns a function that writes an invoice into a company's books, as a user of QuickBooks does */
export async function prepareInvoices(
  intuit: Pick<Intuit, "control">,
  realmId: string,
): Promise<(fields: object) => Promise<ShippedInvoice>> {
  const books = `books/${realmId}`;
  const customers = await intuit.control<{ Id: string }[]>(`${books}/Customer`);
  const items = await intuit.control<{ Id: string; Type: string; Active?: boolean }[]>(`${books}/Item`);
  const item = items.find(({ Type, Active }) => Type !== "Category" && Active !== false)?.Id;
  return (fields) =>
    intuit.control<ShippedInvoice>(`${books}/invoice`, {
      CustomerRef: { value: customers[0]?.Id },
      TxnDate: systemClock.now().toISOString().slice(0, 10),
      Line: [
        {
          Amount: 20,
          DetailType: "SalesItemLineDetail",
          SalesItemLineDetail: { ItemRef: { value: item }, Qty: 2, UnitPrice: 10 },
        },
      ],
      ...fields,
    });
}

/** Lists the files of an invoice in a company's books. */
export const listFiles = async (intuit: Pick<Intuit, "control">, realmId: string, id: string) =>
  (await intuit.control<AttachedFile[]>(`books/${realmId}/attachable`)).filter(({ AttachableRef }) =>
    AttachableRef.some(({ EntityRef }) => EntityRef.value === id),
  );

/** Lets the simulated Intuit report changes to the product. */
/** Lets the simulated Intuit report changes. */
export async function hearOfChanges({ intuit, url, config }: TestApp): Promise<void> {
  const { clientId: client_id, verifierToken: verifier_token } = config.intuit;
  await intuit.control("clients", { client_id, webhook_url: `${url}/intuit/webhook`, verifier_token });
}

/** Turns the service on, and informs every process, as a payment does. */
export async function turnOn({ db }: Pick<TestApp, "db">, realmId = ACME): Promise<void> {
  await grantTracking(db, realmId);
  await announce(db, realmId);
}

/** Ends the service. */
export async function endService({ db }: Pick<TestApp, "db">): Promise<void> {
  await sql`delete from company_service where service = 'tracking'`.execute(db);
  await announce(db);
}

async function announce(db: TestApp["db"], realmId = ACME): Promise<void> {
  await publishChange(db, { realmId, kind: "companies" });
}

const STEP_MS = 5_000;

/** Lets time pass until an answer is good. @throws with the last one after `maxMs` by the clock */
export async function until<T>(
  time: Pick<Stepping, "settle">,
  ask: () => Promise<T>,
  isGood: (found: T) => boolean,
  maxMs = 3_600_000,
): Promise<T> {
  for (let passedMs = 0; ; passedMs += STEP_MS) {
    await time.settle(STEP_MS);
    const found = await ask();
    if (isGood(found)) return found;
    if (passedMs > maxMs) throw new Error(`The last answer was ${JSON.stringify(found)}`);
  }
}
