import { expect } from "vitest";
import type { UploadList } from "#features/invoices/contract.ts";
import type { Browser } from "./browser.ts";
import { steppedClock, type SteppedClock } from "./stepped-clock.ts";
import { ACME, BAY, type BooksInvoice, liftLimits } from "./intuit.ts";
import { startApp, type TestApp } from "./start-app.ts";
import { settledUploads, uploadRows } from "./uploads.ts";
import type { InvoiceRow } from "./workbooks.ts";

/** Users of the demo who connect a company in tests. */
export const OWNERS: Record<string, string> = {
  [ACME]: "owner@acme.example",
  [BAY]: "platform@dockside.example",
};

export type Desk = {
  app: TestApp;
  clock: SteppedClock;
  browser: Browser;
  realmId: string;
  /** Names the company in a call. */
  query: { realm_id: string };
  /** Rules of the simulator, besides those it has. */
  faults(rules: object[]): Promise<unknown>;
  noFaults(): Promise<unknown>;
  /** Sends a workbook, which must be accepted, and does not wait for its end. */
  send(rows: readonly InvoiceRow[]): Promise<void>;
  /** Sends a workbook and waits for its end. @returns the newest upload */
  upload(rows: readonly InvoiceRow[]): Promise<UploadList["uploads"][number] | undefined>;
  /** The company's uploads once none of them is being worked on, newest first. */
  list(): Promise<UploadList["uploads"]>;
  /** Invoices in the books that were not there at the start. */
  made(): Promise<BooksInvoice[]>;
};

/** The owner of a company at a product of its own, whose vendor has no limits and whose clock is fast. */
export async function openDesk(
  realmId: string,
  {
    clock = steppedClock(),
    ...options
  }: { clock?: SteppedClock; worker?: boolean; env?: Record<string, string> } = {},
): Promise<Desk> {
  const app = await startApp({ ...options, clock });
  const browser = await app.owner(realmId, OWNERS[realmId]);
  await liftLimits(app.intuit, realmId);
  const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
  const list = async () => (await settledUploads(browser, realmId)).uploads;
  const send = async (rows: readonly InvoiceRow[]) => {
    expect((await uploadRows(browser, realmId, rows)).status).toBe(202);
  };
  return {
    app,
    clock,
    browser,
    realmId,
    query: { realm_id: realmId },
    faults: (rules) => app.intuit.control("faults", rules),
    noFaults: () => app.intuit.control("faults", undefined, "DELETE"),
    send,
    upload: async (rows) => {
      await send(rows);
      return (await list())[0];
    },
    list,
    made: async () => (await app.intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id)),
  };
}
