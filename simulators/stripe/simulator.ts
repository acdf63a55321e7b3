import type { DatabaseSync } from "node:sqlite";
import type Stripe from "stripe";
import type { SimulatedClock } from "../kit/clock.ts";
import type { FaultRules } from "../kit/fault-rules.ts";
import type { FaultRule } from "./fault-rules.ts";

/** State shared by all parts of the simulator. */
export type Simulator = {
  db: DatabaseSync;
  clock: SimulatedClock;
  faults: FaultRules<FaultRule>;
  /** Idempotency keys of running requests. */
  inFlight: Set<string>;
  /** Origin that replaces every Stripe host, without a trailing slash. */
  publicUrl: string;
  /** Time (seconds) of the change being caught up on; null if none. */
  asOf: number | null;
  /** The request whose events are recorded; null for events caused by time. */
  cause: { id: string; idempotency_key: string | null } | null;
  /** Applies an intent's new status to its invoice and subscription. */
  onIntent(intent: Stripe.PaymentIntent): void;
};

/** The only API version that is supported. */
export const API_VERSION = "2023-10-16";
