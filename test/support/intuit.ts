import { systemClock, type Clock } from "#platform/clock.ts";
import { startIntuitSimulator } from "../../simulators/intuit/start.ts";
import type { Mailbox } from "../../simulators/mail/start.ts";
import { growingWaits } from "./pace.ts";

/** Entry of the simulator's journal for one request. */
export type JournalEntry = Record<string, unknown>;

type Grant = { email: string; realmId?: string; scope: string; redirectUri: string; nonce?: string };

/** The simulated Intuit of one test, driven by its control interface only. */
export type Intuit = {
  url: string;
  control<T>(path: string, body?: object, method?: string): Promise<T>;
  /** An authorization code for a user of the demo, as if they had agreed on the consent page. */
  grant(request: Grant): Promise<string>;
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
    grant: async ({ email, realmId, scope, redirectUri, nonce }) => {
      const { users } = await control<{ users: { sub: string; email: string }[] }>("users");
      const sub = users.find((user) => user.email === email)?.sub;
      const optional = { ...(realmId ? { realmId } : {}), ...(nonce ? { nonce } : {}) };
      const request = { sub, scope, redirect_uri: redirectUri, ...optional };
      const { code } = await control<{ code: string }>("grants", request);
      return code;
    },
    invoices: (realmId) => control<BooksInvoice[]>(`books/${realmId}/Invoice`),
  };
}

type Hold = {
  /** Waits until so many calls are held. */
  hit(calls?: number): Promise<void>;
  /** Lets the held calls act and be answered, and holds no more. */
  release(): Promise<void>;
};

/** Holds calls to Intuit, all that match or the first `count`: what a test does meanwhile happens before they act. */
export async function holdCalls(
  { control }: Pick<Intuit, "control">,
  match: { operation: string },
  count?: number,
): Promise<Hold> {
  type Rules = { rules: { id: number; fired: number }[] };
  const { rules } = await control<Rules>("faults", [{ fault: "hold", match, ...(count && { count }) }]);
  const id = rules.at(-1)?.id;
  const countHit = async () =>
    (await control<Rules>("faults")).rules.find((rule) => rule.id === id)?.fired ?? 0;
  return {
    hit: async (calls = 1) => {
      for (const nextLook = growingWaits(); (await countHit()) < calls;) await nextLook();
    },
    release: async () => {
      await control(`faults/${id}`, undefined, "DELETE");
    },
  };
}
