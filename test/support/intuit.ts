import { systemClock, type Clock } from "#platform/clock.ts";
import { startIntuitSimulator } from "../../simulators/intuit/start.ts";
import type { Mailbox } from "../../simulators/mail/start.ts";

/** What the simulator's journal records of one request. */
export type JournalEntry = Record<string, unknown>;

/** The simulated Intuit of one test, driven by its control interface only. */
export type Intuit = {
  url: string;
  control<T>(path: string, body?: object, method?: string): Promise<T>;
  /** An authorization code for a user of the demo, as if they had said yes on the consent page. */
  grant(request: { email: string; realmId?: string; scope: string; redirectUri: string }): Promise<string>;
  /** All invoices in the books of a company, deleted ones left out. */
  invoices(realmId: string): Promise<BooksInvoice[]>;
};

export type BooksInvoice = {
  Id: string;
  DocNumber?: string;
  TxnDate: string;
  TotalAmt: number;
  PrivateNote?: string;
  CurrencyRef?: { value: string };
  CustomerRef: { value: string; name: string };
  Line: {
    Amount: number;
    Description?: string;
    DetailType: string;
    SalesItemLineDetail?: { Qty?: number };
  }[];
};

/** Companies of the demo seed. Acme numbers its invoices by hand, the others let QuickBooks do it. */
export const ACME = "9130357849016936";
export const BAY = "9130357849016944";
export const NEWCOMER = "9130357849016952";
export const MAPLE = "9130357849016960";

/** No limit of the vendor slows a test that is about something else. */
export const NO_LIMITS = {
  perMinute: null,
  perSecond: null,
  batchPerMinute: null,
  batchPerMinuteRealm: null,
  atOnce: null,
};

export const liftLimits = (intuit: Intuit, realmId: string) =>
  intuit.control(`companies/${realmId}`, { limits: NO_LIMITS }, "PATCH");

/** A simulated Intuit in this process, on a port of its own, with its state in memory and by the clock of the test. */
export async function startIntuit(
  clock: Clock = systemClock,
  mailbox: Pick<Mailbox, "reply"> | null = null,
): Promise<Intuit & { close(): Promise<void> }> {
  const simulator = await startIntuitSimulator({
    port: 0,
    time: () => clock.now().getTime(),
    ...(mailbox ? { beside: { link: { path: "/mail", title: "Mailbox" }, reply: mailbox.reply } } : {}),
  });
  return { ...driveIntuit(simulator.url), close: () => simulator.close() };
}

/** Drives a running simulator by its control interface. */
export function driveIntuit(url: string): Intuit {
  const control = async <T>(path: string, body?: object, method = body ? "POST" : "GET"): Promise<T> => {
    const response = await fetch(`${url}/_sim/${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    if (!response.ok)
      throw new Error(`The simulator answered ${response.status} to ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    url,
    control,
    grant: async ({ email, realmId, scope, redirectUri }) => {
      const { users } = await control<{ users: { sub: string; email: string }[] }>("users");
      const sub = users.find((user) => user.email === email)?.sub;
      const request = { sub, scope, redirect_uri: redirectUri, ...(realmId ? { realmId } : {}) };
      const { code } = await control<{ code: string }>("grants", request);
      return code;
    },
    invoices: (realmId) => control<BooksInvoice[]>(`books/${realmId}/Invoice`),
  };
}
