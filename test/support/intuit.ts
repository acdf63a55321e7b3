import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, type Clock } from "#platform/clock.ts";
import { startIntuitSimulator } from "../../simulators/intuit/start.ts";
import type { Mailbox } from "../../simulators/mail/start.ts";
import { MACHINE_TIME, type SteppedClock, type Stepping } from "./stepped-clock.ts";

/** Entry of the simulator's journal for one request. */
export type JournalEntry = Record<string, unknown>;

type Grant = { email: string; realmId?: string; scope: string; redirectUri: string; nonce?: string };

/** The simulated Intuit of one test, driven by its control interface only. */
export type Intuit = {
  url: string;
  /** How its time passes. */
  time: Stepping;
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

/** State file with the demo, made once a process: to make it takes longer than anything else that starts with a test. */
let demo: Promise<string> | undefined;

async function seedDemo(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "dockside-intuit-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const stateFile = join(folder, "demo.db");
  const simulator = await startIntuitSimulator({ port: 0, stateFile });
  await fetch(`${simulator.url}/op/v1/jwks`);
  await simulator.close();
  return stateFile;
}

/** A simulated Intuit in this process, on a port of its own, and by the clock of the test. */
export async function startIntuit(
  clock: Clock | SteppedClock = systemClock,
  mailbox: Pick<Mailbox, "reply"> | null = null,
): Promise<Intuit & { close(): Promise<void> }> {
  const stateFile = join(mkdtempSync(join(tmpdir(), "dockside-intuit-")), "state.db");
  copyFileSync(await (demo ??= seedDemo()), stateFile);
  const simulator = await startIntuitSimulator({
    port: 0,
    stateFile,
    timer: clock,
    ...(mailbox ? { beside: { link: { path: "/mail", title: "Mailbox" }, reply: mailbox.reply } } : {}),
  });
  return {
    ...driveIntuit(simulator.url, "settle" in clock ? clock : MACHINE_TIME),
    close: () => simulator.close(),
  };
}

/** Drives a running simulator by its control interface. */
export function driveIntuit(url: string, time: Stepping = MACHINE_TIME): Intuit {
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
    time,
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
  /** Waits until `calls` calls are held. */
  hit(calls?: number): Promise<void>;
  /** Lets the held calls act and be answered, and holds no more. */
  release(): Promise<void>;
};

/** Holds calls to Intuit, all that match or the first `count`: what a test does meanwhile happens before they act. */
export async function holdCalls(
  { control, time }: Pick<Intuit, "control" | "time">,
  match: { operation: string },
  count?: number,
): Promise<Hold> {
  type Rules = { rules: { id: number; fired: number }[] };
  const { rules } = await control<Rules>("faults", [{ fault: "hold", match, ...(count && { count }) }]);
  const id = rules.at(-1)?.id;
  const countHit = async () =>
    (await control<Rules>("faults")).rules.find((rule) => rule.id === id)?.fired ?? 0;
  const goOn = time.stand();
  return {
    hit: async (calls = 1) => {
      for (await time.settle(0); (await countHit()) < calls;) await time.settle(1_000);
    },
    release: async () => {
      goOn();
      await control(`faults/${id}`, undefined, "DELETE");
    },
  };
}
