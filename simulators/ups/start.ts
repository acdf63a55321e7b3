import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { simulatedClock } from "../kit/clock.ts";
import { createFaultRules } from "../kit/fault-rules.ts";
import {
  BodyTooLarge,
  json,
  parseAddress,
  readBody,
  refuseCrossSite,
  send,
  type WireRequest,
} from "../kit/http.ts";
import { openState } from "../kit/sqlite.ts";
import { DEMO_APP, findApp, saveApp } from "./apps.ts";
import { controlEndpoint } from "./control-endpoint.ts";
import { pageEndpoint } from "./page-endpoint.ts";
import { SCHEMA } from "./schema.ts";
import type { Simulator } from "./simulator.ts";
import { wireEndpoint } from "./wire-endpoint.ts";

export type UpsSimulatorOptions = {
  /** 0 = any free port, on the loopback only: the simulator has no secrets and lets every user in. */
  port: number;
  /** SQLite file; in memory when absent. */
  stateFile?: string;
  /** Milliseconds since 1970; the machine's time when absent. */
  time?: () => number;
};

const WIRE = /^\/(security|api)\//;
const BODY_LIMIT = 1024 * 1024;

/** Starts a simulated UPS: OAuth with its sign-in page, API, and control under `/_sim`. */
export async function startUpsSimulator(
  options: UpsSimulatorOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const db = openState(options.stateFile ?? ":memory:", SCHEMA);
  const sim: Simulator = {
    db,
    clock: simulatedClock(db, options.time ?? Date.now),
    faults: createFaultRules(),
    publicUrl: "",
  };
  if (!findApp(sim, DEMO_APP.clientId)) saveApp(sim, DEMO_APP);
  const server = createServer((request, response) => void handle(sim, request, response));
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "localhost", resolve);
  });
  sim.publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: sim.publicUrl,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      db.close();
    },
  };
}

async function handle(sim: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = parseAddress(request, sim.publicUrl);
    const body = await readBody(request, BODY_LIMIT);
    const wire: WireRequest = { method: request.method ?? "GET", url, headers: request.headers, body };
    if (WIRE.test(url.pathname)) return await wireEndpoint({ sim, request: wire, response });
    const isControl = url.pathname.startsWith("/_sim/");
    send(
      response,
      isControl ? (refuseCrossSite(wire) ?? controlEndpoint(sim, wire)) : pageEndpoint(sim, wire),
    );
  } catch (error) {
    const status = error instanceof BodyTooLarge ? 413 : 500;
    if (!response.headersSent)
      send(response, json(status, { error: `The simulator failed: ${String(error)}` }));
  }
}
