import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { simulatedClock } from "../kit/clock.ts";
import {
  parseAddress,
  BodyTooLarge,
  json,
  readBody,
  refuseCrossSite,
  send,
  type WireRequest,
} from "../kit/http.ts";
import { openState, transaction } from "../kit/sqlite.ts";
import { controlEndpoint } from "./control-endpoint.ts";
import { createFaultRules } from "../kit/fault-rules.ts";
import { onIntent } from "./lifecycle.ts";
import { pageEndpoint } from "./page-endpoint.ts";
import { SCHEMA } from "./schema.ts";
import { seedDemo } from "./seed-demo.ts";
import type { Simulator } from "./simulator.ts";
import { deliverDue } from "./webhooks.ts";
import { preflight, wireEndpoint } from "./wire-endpoint.ts";

export type StripeSimulatorOptions = {
  /** 0 for any free port, on the loopback only: the simulator has no secrets and accepts any test key. */
  port: number;
  /** SQLite file; default in memory. */
  stateFile?: string;
  /** Milliseconds since 1970; default: the machine's time. */
  time?: () => number;
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
    clock: simulatedClock(db, options.time ?? Date.now),
    faults: createFaultRules(),
    inFlight: new Set(),
    publicUrl: "",
    asOf: null,
    cause: null,
    onIntent: (intent) => onIntent(sim, intent),
  };
  if (!db.prepare("SELECT 1 FROM setting WHERE key = 'seeded'").get()) transaction(db, () => seedDemo(sim));
  const server = createServer((request, response) => void handle(sim, request, response));
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "localhost", resolve);
  });
  sim.publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const stopDelivering = keepDelivering(sim);
  return {
    url: sim.publicUrl,
    close: async () => {
      // Frees the port at once for the next start, however long the last delivery takes.
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, stopDelivering()]);
      db.close();
    },
  };
}

/** Sends webhooks one at a time, in parallel with the requests that cause them. */
function keepDelivering(sim: Simulator): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= deliverDue(sim).finally(() => {
      running = null;
    });
  }, DELIVER_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function handle(sim: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = parseAddress(request, sim.publicUrl);
    const body = await readBody(request, BODY_LIMIT);
    const wire: WireRequest = { method: request.method ?? "GET", url, headers: request.headers, body };
    if (url.pathname.startsWith("/_sim"))
      return send(response, refuseCrossSite(wire) ?? controlEndpoint(sim, wire));
    if (!url.pathname.startsWith("/v1/")) return send(response, pageEndpoint(sim, wire));
    if (wire.method === "OPTIONS") return send(response, preflight());
    await wireEndpoint({ sim, request: wire, response });
  } catch (error) {
    const status = error instanceof BodyTooLarge ? 413 : 500;
    if (!response.headersSent)
      send(
        response,
        json(status, { error: { type: "api_error", message: `The simulator failed: ${String(error)}` } }),
      );
  }
}
