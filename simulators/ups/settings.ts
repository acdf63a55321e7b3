import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

/** Behavior that the control interface can change. */
export type Settings = {
  /** Milliseconds after which label recovery finds a new shipment. */
  recoveryDelayMs: number;
  /** Whether values in the answer of a void end in the characters `&#xD;`, as UPS once sent them. */
  voidNoise: boolean;
  /** Script of new packages. */
  scenario: string;
};

const DEFAULTS: Settings = { recoveryDelayMs: 0, voidNoise: false, scenario: "normal" };

export const readSettings = (sim: Simulator): Settings => ({
  ...DEFAULTS,
  ...readSetting<Partial<Settings>>(sim.db, "settings"),
});

export function changeSettings(sim: Simulator, changes: Partial<Settings>): Settings {
  const settings = { ...readSettings(sim), ...changes };
  writeSetting(sim.db, "settings", settings);
  return settings;
}
