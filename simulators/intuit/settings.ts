import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

/** Switches for behavior that Intuit does not document or that varies. Lifetimes in seconds. */
export type Settings = {
  accessTtlS: number;
  rollingTtlS: number;
  hardTtlS: number;
  codeTtlS: number;
  rotation: "sticky24h" | "every-time";
  reuse: "reject" | "grace24h" | "revoke-family";
  /** Scope of a revoke: the grant of the token, or every grant of the app for that company. */
  revokeScope: "grant" | "realm";
  idTokenOnRefresh: boolean;
  /** Whether a refusal is replayed for the same requestid. */
  replayErrors: boolean;
  uploadHonorsRequestId: boolean;
  /** Whether a repeated requestid returns the first answer, or is executed like any other. */
  requestIds: "honored" | "ignored";
  /** How long the first answer to a requestid is kept; null: forever. */
  requestIdsKeptS: number | null;
  batchMax: number;
  /** How long queries hide a new invoice or file; it can be read by id at once. */
  queryLagS: number;
  /** How long queries show a changed or deleted invoice or file in its previous state. */
  changeLagS: number;
  /** Whether the order of a query without ORDERBY is another one each time: Intuit promises none. */
  orderUnstable: boolean;
  /**
   * Whether a given number continues from the last one used, including its prefix (INV-0099, INV-0100),
   * instead of a separate count.
   */
  numbersContinue: boolean;
  /** Longer requests are abandoned without being executed, and answered with 504. */
  callLimitS: number;
  webhooks: WebhookSettings;
};

/** Deliveries of webhooks, and how they misbehave. A change of the group sets what it does not name to its default. */
export type WebhookSettings = {
  /** Intuit's shape since 2026, or the one before. */
  shape: "cloudevents" | "legacy";
  /** Maximum number of events in a post. */
  perPost: number;
  /** How long an event waits for others of its post, in milliseconds. */
  waitMs: number;
  /** Waits after an unanswered post, by attempt; the last one repeats. */
  retrySeconds: readonly number[];
  /** Whether a post holds the events of all companies, instead of one company's. */
  several: boolean;
  /** Sends nothing; what is due meanwhile is lost. */
  lost: boolean;
  /** How often each post is sent again. */
  duplicates: number;
  /** Sends what is due at once in the wrong order. */
  reversed: boolean;
  /** Signs with a token that is not the app's. */
  forged: boolean;
};

const DEFAULTS: Settings = {
  accessTtlS: 3600,
  rollingTtlS: 8_640_000,
  hardTtlS: 157_680_000,
  codeTtlS: 600,
  rotation: "sticky24h",
  reuse: "reject",
  revokeScope: "grant",
  idTokenOnRefresh: false,
  replayErrors: false,
  uploadHonorsRequestId: false,
  requestIds: "honored",
  requestIdsKeptS: null,
  batchMax: 30,
  queryLagS: 0,
  changeLagS: 0,
  orderUnstable: false,
  numbersContinue: false,
  callLimitS: 120,
  webhooks: {
    shape: "cloudevents",
    perPost: 50,
    waitMs: 0,
    retrySeconds: [10, 20, 30, 300, 1200, 7200, 14_400, 21_600],
    several: false,
    lost: false,
    duplicates: 0,
    reversed: false,
    forged: false,
  },
};

export function readSettings(sim: Simulator): Settings {
  const changed = readSetting<Partial<Settings>>(sim.db, "settings");
  return { ...DEFAULTS, ...changed, webhooks: { ...DEFAULTS.webhooks, ...changed?.webhooks } };
}

export function changeSettings(sim: Simulator, change: Partial<Settings>): Settings {
  writeSetting(sim.db, "settings", { ...readSetting<Partial<Settings>>(sim.db, "settings"), ...change });
  return readSettings(sim);
}
