import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

/** Behavior that the control interface can change. */
export type Settings = {
  /** "cie" answers as UPS's test environment: masked numbers and fixed ones. */
  mode: "live" | "cie";
  /** Milliseconds after which label recovery finds a new shipment. */
  recoveryDelayMs: number;
  /** Whether values in the answer of a void end in the characters `&#xD;`, as UPS once sent them. */
  voidNoise: boolean;
  /** Script of new packages. */
  scenario: string;
  /** Milliseconds from a delivery to its proof and signature. */
  proofDelayMs: number;
  /** Kind of the signature's picture. */
  signature: "png" | "gif" | "none";
  alerts: AlertSettings;
};

export type AlertSettings = {
  /** Sends nothing; what is due meanwhile is lost. */
  off: boolean;
  /** How often each event is sent again. */
  duplicates: number;
  /** Sends what is due at once in the wrong order. */
  reversed: boolean;
  /** Whether numbers begin with a blank. */
  noise: boolean;
};

const DEFAULTS: Settings = {
  mode: "live",
  recoveryDelayMs: 0,
  voidNoise: false,
  scenario: "normal",
  proofDelayMs: 0,
  signature: "png",
  alerts: { off: false, duplicates: 0, reversed: false, noise: false },
};

export const readSettings = (sim: Simulator): Settings => ({
  ...DEFAULTS,
  ...readSetting<Partial<Settings>>(sim.db, "settings"),
});

/** Changes the given settings. */
export function changeSettings(sim: Simulator, changes: Partial<Settings>): Settings {
  const settings = { ...readSettings(sim), ...changes };
  writeSetting(sim.db, "settings", settings);
  return settings;
}
