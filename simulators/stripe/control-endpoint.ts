import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { readSetting, transaction, writeSetting } from "../kit/sqlite.ts";
import { StripeFault } from "./api-error.ts";
import { emit } from "./events.ts";
import { FAULTS, type FaultRule } from "./fault-rules.ts";
import type { Form } from "./form.ts";
import { readJournal } from "./journal.ts";
import { runDue } from "./lifecycle.ts";
import { TABLES } from "./schema.ts";
import { seedDemo } from "./seed-demo.ts";
import { all, findAny, find, type Kind } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { clockNow } from "./times.ts";
import { readDeliverySettings, createEndpoint } from "./webhooks.ts";

type Body = Record<string, unknown>;

/** Answers the control interface under `/_sim`; JSON in, JSON out. See README.md here. */
export function controlEndpoint(sim: Simulator, request: WireRequest): Reply {
  try {
    const body = request.body.length === 0 ? {} : (JSON.parse(request.body.toString("utf8")) as Body);
    const [, , noun = "", first = ""] = request.url.pathname.split("/");
    const call = CALLS[`${request.method} ${noun}`];
    const result = call && transaction(sim.db, () => call(sim, { body, first, request }));
    return result === undefined ? json(404, { error: "no such control call" }) : json(200, result);
  } catch (error) {
    if (error instanceof StripeFault) return json(400, error.body());
    if (error instanceof ControlError || error instanceof SyntaxError)
      return json(400, { error: error.message });
    throw error;
  }
}

class ControlError extends Error {}

type Control = { body: Body; first: string; request: WireRequest };

const CALLS: Record<string, (sim: Simulator, control: Control) => object> = {
  "POST reset": reset,
  "GET clock": (sim) => moveClock(sim, {}),
  "POST clock": (sim, { body }) => moveClock(sim, body),
  "GET objects": (sim, { first }) => ({ data: all(sim, first as Kind) }),
  "GET settings": settings,
  "PATCH settings": settings,
  "POST webhooks": registerWebhook,
  "GET deliveries": (sim) => ({ data: sim.db.prepare("SELECT * FROM delivery ORDER BY seq").all() }),
  "POST redeliver": (sim, { body }) => {
    const id = String(body["event"] ?? "");
    sim.db.prepare("UPDATE delivery SET due_at = ? WHERE event = ?").run(clockNow(sim), id);
    return {};
  },
  "POST emit": (sim, { body }) => {
    const object = findAny(sim, String(body["id"]));
    if (!object) throw new ControlError("There is no object with this id.");
    emit(sim, String(body["type"]) as Parameters<typeof emit>[1], object as { id: string });
    return {};
  },
  "GET faults": (sim) => ({ rules: sim.faults.list() }),
  "DELETE faults": (sim) => {
    sim.faults.clear();
    return {};
  },
  "POST faults": addFaults,
  "GET journal": (sim, { request }) => ({
    entries: readJournal(sim, Number(request.url.searchParams.get("since") ?? 0)),
  }),
};

/** Clears everything and seeds the demo again; keeps the webhook endpoints. */
function reset(sim: Simulator): object {
  const endpoints = all(sim, "webhook_endpoint").map((endpoint) => ({
    endpoint,
    secret: readSetting<string>(sim.db, `secret:${endpoint.id}`) ?? "",
  }));
  for (const table of TABLES) sim.db.exec(`DELETE FROM ${table}`);
  sim.faults.clear();
  sim.clock.reset();
  seedDemo(sim);
  for (const { endpoint, secret } of endpoints)
    createEndpoint(sim, { url: endpoint.url, enabled_events: { 0: "*" } }, secret);
  return {};
}

function moveClock(sim: Simulator, body: Body): object {
  if (typeof body["now"] === "string") sim.clock.set(new Date(body["now"]));
  if (typeof body["advanceMs"] === "number") sim.clock.advance(body["advanceMs"]);
  runDue(sim);
  return { now: sim.clock.now().toISOString() };
}

/**
 * `deliveries`: how webhooks misbehave; `dunning`: state of a subscription after its last retry; `lag`:
 * seconds by which a subscription lags behind its payment.
 */
function settings(sim: Simulator, { body }: Control): object {
  if (body["lag"] !== undefined) writeSetting(sim.db, "lag", Number(body["lag"]));
  if (body["deliveries"]) writeSetting(sim.db, "deliveries", body["deliveries"]);
  if (body["dunning"]) writeSetting(sim.db, "dunning", body["dunning"]);
  return {
    deliveries: readDeliverySettings(sim),
    dunning: readSetting(sim.db, "dunning") ?? "cancel",
    lag: readSetting(sim.db, "lag") ?? 0,
  };
}

/** Registers an endpoint with a known secret; once per address. */
function registerWebhook(sim: Simulator, { body }: Control): object {
  const url = String(body["url"]);
  const known = all(sim, "webhook_endpoint").find((each) => each.url === url);
  if (known && find(sim, "webhook_endpoint", known.id)) {
    writeSetting(sim.db, `secret:${known.id}`, String(body["secret"]));
    return known;
  }
  const form: Form = { url, enabled_events: { 0: "*" } };
  return createEndpoint(sim, form, String(body["secret"]));
}

function addFaults(sim: Simulator, { body }: Control): object {
  const rules = (Array.isArray(body["rules"]) ? body["rules"] : [body]) as FaultRule[];
  const wrong = rules.find((rule) => !FAULTS.includes(rule.fault));
  if (wrong) throw new ControlError(`Unknown fault ${String(wrong.fault)}. Known: ${FAULTS.join(", ")}.`);
  sim.faults.add(rules);
  return { rules: sim.faults.list() };
}
