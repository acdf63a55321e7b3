import type { ServerResponse } from "node:http";
import { simulatedClock } from "../kit/clock.ts";
import { createFaultRules } from "../kit/fault-rules.ts";
import { json, refuseCrossSite, send, type WireRequest } from "../kit/http.ts";
import { machineTimer, repeatWhile, type Repeating, type Timer } from "../kit/timer.ts";
import { serveLocally } from "../kit/serve.ts";
import { openState } from "../kit/sqlite.ts";
import { DEMO_APP, findApp, saveApp } from "./apps.ts";
import { listSubscriptions } from "./alert-subscriptions.ts";
import { deliverAlerts } from "./alert-delivery.ts";
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
  /** Time by which it waits and dates; the machine's by default. */
  timer?: Timer;
  /** False: no events are sent, for measurements of more packages than it can go through each quarter of a second. */
  sendsAlerts?: boolean;
};

const WIRE = /^\/(security|api)\//;
const DELIVER_EVERY_MS = 250;
const BODY_LIMIT = 1024 * 1024;

/** Starts a simulated UPS: OAuth with its sign-in page, API, and control under `/_sim`. */
export async function startUpsSimulator(
  options: UpsSimulatorOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const db = openState(options.stateFile ?? ":memory:", SCHEMA);
  const sim: Simulator = {
    db,
    clock: simulatedClock(db, options.timer ?? machineTimer),
    faults: createFaultRules(),
    publicUrl: "",
  };
  if (!findApp(sim, DEMO_APP.clientId)) saveApp(sim, DEMO_APP);
  const delivering = options.sendsAlerts === false ? null : keepDelivering(sim);
  const server = await serveLocally({
    port: options.port,
    limit: BODY_LIMIT,
    answer: async (request, response) => {
      await answer(sim, request, response);
      delivering?.wake();
    },
    failure: (status, error) => json(status, { error }),
  });
  sim.publicUrl = server.url;
  return {
    url: server.url,
    close: async () => {
      await Promise.all([server.close(), delivering?.stop()]);
      db.close();
    },
  };
}

/** Sends alerts one at a time, in parallel with the requests that cause them. */
function keepDelivering(sim: Simulator): Repeating {
  return repeatWhile(sim.clock.timer, DELIVER_EVERY_MS, {
    isNeeded: () => listSubscriptions(sim).length > 0,
    work: () => deliverAlerts(sim),
  });
}

async function answer(sim: Simulator, request: WireRequest, response: ServerResponse): Promise<void> {
  const { pathname } = request.url;
  if (WIRE.test(pathname)) return wireEndpoint({ sim, request, response });
  const isControl = pathname.startsWith("/_sim/");
  return send(
    response,
    isControl ? (refuseCrossSite(request) ?? controlEndpoint(sim, request)) : pageEndpoint(sim, request),
  );
}
