import type { ServerResponse } from "node:http";
import { simulatedClock } from "../kit/clock.ts";
import { json, refuseCrossSite, send, type WireRequest } from "../kit/http.ts";
import { machineTimer, repeatWhile, type Repeating, type Timer } from "../kit/timer.ts";
import { serveLocally } from "../kit/serve.ts";
import { openState, transaction } from "../kit/sqlite.ts";
import { controlEndpoint } from "./control-endpoint.ts";
import { createFaultRules } from "../kit/fault-rules.ts";
import { onIntent } from "./lifecycle.ts";
import { pageEndpoint } from "./page-endpoint.ts";
import { SCHEMA } from "./schema.ts";
import { seedDemo } from "./seed-demo.ts";
import type { Simulator } from "./simulator.ts";
import { deliverDue, hasUndelivered } from "./webhooks.ts";
import { preflight, wireEndpoint } from "./wire-endpoint.ts";

export type StripeSimulatorOptions = {
  /** 0 for any free port, on the loopback only: the simulator has no secrets and accepts any test key. */
  port: number;
  /** SQLite file; default in memory. */
  stateFile?: string;
  /** Time by which it waits and dates; the machine's by default. */
  timer?: Timer;
};

const BODY_LIMIT = 1024 * 1024;
const DELIVER_EVERY_MS = 200;

/** Starts a simulated Stripe: API, Stripe.js, card form, portal, webhooks, and control under `/_sim`. */
export async function startStripeSimulator(
  options: StripeSimulatorOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const db = openState(options.stateFile ?? ":memory:", SCHEMA);
  const sim: Simulator = {
    db,
    clock: simulatedClock(db, options.timer ?? machineTimer),
    faults: createFaultRules(),
    inFlight: new Set(),
    publicUrl: "",
    asOf: null,
    cause: null,
    onIntent: (intent) => onIntent(sim, intent),
  };
  if (!db.prepare("SELECT 1 FROM setting WHERE key = 'seeded'").get()) transaction(db, () => seedDemo(sim));
  const delivering = keepDelivering(sim);
  const server = await serveLocally({
    port: options.port,
    limit: BODY_LIMIT,
    answer: async (request, response) => {
      await answer(sim, request, response);
      delivering.wake();
    },
    failure: (status, message) => json(status, { error: { type: "api_error", message } }),
  });
  sim.publicUrl = server.url;
  return {
    url: server.url,
    close: async () => {
      // The last delivery may take long; the port is free meanwhile.
      await Promise.all([server.close(), delivering.stop()]);
      db.close();
    },
  };
}

/** Sends webhooks one at a time, in parallel with the requests that cause them. */
function keepDelivering(sim: Simulator): Repeating {
  return repeatWhile(sim.clock.timer, DELIVER_EVERY_MS, {
    isNeeded: () => hasUndelivered(sim),
    work: () => deliverDue(sim),
  });
}

async function answer(sim: Simulator, request: WireRequest, response: ServerResponse): Promise<void> {
  const { pathname } = request.url;
  if (pathname.startsWith("/_sim"))
    return send(response, refuseCrossSite(request) ?? controlEndpoint(sim, request));
  if (!pathname.startsWith("/v1/")) return send(response, pageEndpoint(sim, request));
  if (request.method === "OPTIONS") return send(response, preflight());
  return wireEndpoint({ sim, request, response });
}
