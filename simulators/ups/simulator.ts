import type { DatabaseSync } from "node:sqlite";
import type { SimulatedClock } from "../kit/clock.ts";
import type { FaultRules } from "../kit/fault-rules.ts";
import type { FaultRule } from "./fault-rules.ts";

/** The state shared by all parts of the simulator. */
export type Simulator = {
  db: DatabaseSync;
  clock: SimulatedClock;
  faults: FaultRules<FaultRule>;
  /** Origin in every address that is handed out, no slash at the end. */
  publicUrl: string;
};
