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
  type Reply,
  type WireRequest,
} from "../kit/http.ts";
import { machineTimer, type Timer } from "../kit/timer.ts";
import { openState } from "../kit/sqlite.ts";
import { openBooks } from "./books.ts";
import { controlEndpoint } from "./control-endpoint.ts";
import { createFaultRules } from "./fault-rules.ts";
import { createLateViews } from "./late-views.ts";
import { createThrottle } from "./limits.ts";
import { pageEndpoint } from "./page-endpoint.ts";
import { SCHEMA } from "./schema.ts";
import { seedDemo } from "./seed-demo.ts";
import type { Beside, Simulator } from "./simulator.ts";
import { keepDelivering } from "./webhook-delivery.ts";
import { wireEndpoint } from "./wire-endpoint.ts";

export type IntuitSimulatorOptions = {
  /** 0 for any free port, on the loopback only: the simulator has no secrets and lets every user in. */
  port: number;
  /** SQLite file; default in memory. */
  stateFile?: string;
  /** Origin in every address the simulator hands out; default `http://localhost:PORT`. */
  publicUrl?: string;
  issuer?: string;
  log?: (line: string) => void;
  /** Pages of another simulator on the same port, with their name in the list of companies. */
  beside?: Beside;
  /** Time by which it waits and dates; the machine's by default. */
  timer?: Timer;
};

const WIRE = /^\/(v3\/company|\.well-known|oauth2|v2\/oauth2|v1\/openid_connect|op\/v1|dl)(\/|$)/;
const BODY_LIMIT = 101 * 1024 * 1024;

/**
 * Starts a simulated Intuit: sign-in, Accounting API, control under `/_sim` and pages. Seeds a new state with
 * the demo.
 */
export async function startIntuitSimulator(
  options: IntuitSimulatorOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const db = openState(options.stateFile ?? ":memory:", SCHEMA);
  const sim: Simulator = {
    db,
    clock: simulatedClock(db, options.timer ?? machineTimer),
    books: openBooks(db),
    faultRules: createFaultRules(),
    lateViews: createLateViews(),
    throttle: createThrottle(),
    inFlight: new Set(),
    publicUrl: "",
    issuer: "",
    beside: options.beside ?? null,
  };
  if (!db.prepare("SELECT 1 FROM setting WHERE key = 'seeded'").get()) seedDemo(sim);
  const delivering = keepDelivering(sim);
  const server = createServer(
    (request, response) =>
      void handle(sim, { request, response, log: options.log }).then(() => delivering.wake()),
  );
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "localhost", resolve);
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  sim.publicUrl = options.publicUrl ?? url;
  sim.issuer = options.issuer ?? `${sim.publicUrl}/op/v1`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), delivering.stop()]);
      db.close();
    },
  };
}

type Incoming = { request: IncomingMessage; response: ServerResponse; log: IntuitSimulatorOptions["log"] };

async function handle(sim: Simulator, { request, response, log }: Incoming): Promise<void> {
  try {
    const url = parseAddress(request, sim.publicUrl);
    const body = await readBody(request, BODY_LIMIT);
    const wire: WireRequest = { method: request.method ?? "GET", url, headers: request.headers, body };
    if (WIRE.test(url.pathname)) await wireEndpoint({ sim, request: wire, response });
    else send(response, reply(sim, wire));
    log?.(`${wire.method} ${url.pathname} ${response.statusCode}`);
  } catch (error) {
    if (!response.headersSent) send(response, failure(error));
    if (!(error instanceof BodyTooLarge))
      log?.(`${request.method} ${request.url?.split("?")[0]} failed: ${String(error)}`);
  }
}

function reply(sim: Simulator, wire: WireRequest): Reply {
  const isControl = wire.url.pathname.startsWith("/_sim");
  const refusal = isControl ? refuseCrossSite(wire) : undefined;
  if (refusal) return refusal;
  return sim.beside?.reply(wire) ?? (isControl ? controlEndpoint(sim, wire) : pageEndpoint(sim, wire));
}

function failure(error: unknown) {
  if (error instanceof BodyTooLarge) return json(413, { error: "request too large" });
  return json(500, {
    error: "the simulator failed",
    detail: error instanceof Error ? error.message : String(error),
  });
}
