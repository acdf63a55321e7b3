import type { DatabaseSync } from "node:sqlite";
import type Stripe from "stripe";
import type { SimulatedClock } from "../kit/clock.ts";
import type { FaultRules } from "./fault-rules.ts";

/** The state shared by all parts of the simulator. */
export type Simulator = {
  db: DatabaseSync;
  clock: SimulatedClock;
  faults: FaultRules;
  /** Idempotency keys of requests that are running now. */
  inFlight: Set<string>;
  /** Origin that replaces every Stripe host, no slash at the end. */
  publicUrl: string;
  /** The time (seconds) of what is being caught up on; null when nothing is. */
  asOf: number | null;
  /** The request whose events are recorded; null for events caused by time. */
  cause: { id: string; idempotency_key: string | null } | null;
  /** Applies an intent's new status to its invoice and subscription. */
  onIntent(intent: Stripe.PaymentIntent): void;
};

/** The one API version whose shapes are answered. */
export const API_VERSION = "2023-10-16";
