import type { DatabaseSync } from "node:sqlite";
import type { SimulatedClock } from "../kit/clock.ts";
import type { Reply, WireRequest } from "../kit/http.ts";
import type { Books } from "./books.ts";
import type { FaultRules } from "./fault-rules.ts";
import type { LateViews } from "./late-views.ts";
import type { Throttle } from "./limits.ts";

/** Pages of another simulator; `reply` is undefined for other paths. */
export type Beside = {
  link: { path: string; title: string };
  reply(request: WireRequest): Reply | undefined;
};

/** State shared by all parts of the simulator. */
export type Simulator = {
  db: DatabaseSync;
  clock: SimulatedClock;
  books: Books;
  faultRules: FaultRules;
  lateViews: LateViews;
  throttle: Throttle;
  /** Realm and request id of running writes. */
  inFlight: Set<string>;
  /** Origin that replaces every Intuit host, without a trailing slash. */
  publicUrl: string;
  issuer: string;
  beside: Beside | null;
};
