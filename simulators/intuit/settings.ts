import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

/** Switches for what Intuit does not document or does differently at times. Lifetimes in seconds. */
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
  /** Whether a refused write is answered again for the same requestid. */
  replayErrors: boolean;
  uploadHonoursRequestId: boolean;
  /** Whether a repeated requestid brings the first answer, or is a request like any other. */
  requestIds: "honoured" | "ignored";
  /** For so long the first answer to a requestid is kept; null: for good. */
  requestIdsKeptS: number | null;
  batchMax: number;
  /** For so long queries do not show an invoice that was just made; it can be read by its id at once. */
  queryLagS: number;
  /** For so long queries show a changed or deleted invoice as it was. */
  changeLagS: number;
  /** A given number continues the last one used, prefix included (INV-0099, INV-0100), instead of a count of its own. */
  numbersContinue: boolean;
  /** A request that takes longer is given up without being done, and answered with 504. */
  callLimitS: number;
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
  uploadHonoursRequestId: false,
  requestIds: "honoured",
  requestIdsKeptS: null,
  batchMax: 30,
  queryLagS: 0,
  changeLagS: 0,
  numbersContinue: false,
  callLimitS: 120,
};

export function readSettings(sim: Simulator): Settings {
  return { ...DEFAULTS, ...readSetting<Partial<Settings>>(sim.db, "settings") };
}

export function changeSettings(sim: Simulator, change: Partial<Settings>): Settings {
  writeSetting(sim.db, "settings", { ...readSetting<Partial<Settings>>(sim.db, "settings"), ...change });
  return readSettings(sim);
}
