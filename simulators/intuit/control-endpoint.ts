import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import { ApiFault } from "./api-fault.ts";
import { controlBooks } from "./control-books.ts";
import { ControlError, type Control } from "./control-call.ts";
import { controlCompany, controlReset, controlSeed } from "./control-seed.ts";
import {
  controlClients,
  controlExpire,
  controlGrants,
  controlRevoke,
  controlSettings,
} from "./control-tokens.ts";
import { FAULTS, type FaultRule } from "./fault-rules.ts";
import { clearJournal, readJournal } from "./journal.ts";
import { listUsers } from "./users.ts";
import { forgetRequestIds } from "./request-replay.ts";
import type { Simulator } from "./simulator.ts";

/** Answers the control interface under `/_sim`; JSON in, JSON out. See README.md here. */
export function controlEndpoint(sim: Simulator, request: WireRequest): Reply {
  try {
    const body =
      request.body.length === 0 ? {} : (JSON.parse(request.body.toString("utf8")) as Record<string, unknown>);
    const result = transaction(sim.db, () => route(sim, { request, body }));
    return result === undefined ? json(404, { error: "no such control call" }) : json(200, result);
  } catch (error) {
    sim.books.forget();
    if (error instanceof ApiFault) return json(400, { error: error.message, errors: error.errors });
    if (error instanceof ControlError || error instanceof SyntaxError)
      return json(400, { error: error.message });
    throw error;
  }
}

function route(sim: Simulator, control: Control): unknown {
  const { method, url } = control.request;
  const [, , noun = "", first = ""] = url.pathname.split("/");
  const key =
    noun === "books" ? noun : noun === "tokens" ? `${method} ${noun}/${first}` : `${method} ${noun}`;
  return CALLS[key]?.(sim, control, first);
}

const CALLS: Record<string, (sim: Simulator, control: Control, first: string) => unknown> = {
  "POST reset": (sim, { body }) => controlReset(sim, body),
  "POST seed": (sim, { body }) => controlSeed(sim, body),
  "GET users": (sim) => ({ users: listUsers(sim) }),
  "GET companies": (sim, control, realmId) => controlCompany(sim, realmId, control),
  "PATCH companies": (sim, control, realmId) => controlCompany(sim, realmId, control),
  "GET clock": (sim) => moveClock(sim, {}),
  "POST clock": (sim, { body }) => moveClock(sim, body),
  "GET settings": controlSettings,
  "PATCH settings": controlSettings,
  "POST clients": (sim, { body }) => controlClients(sim, body),
  "POST grants": (sim, { body }) => controlGrants(sim, body),
  "POST tokens/expire": (sim, { body }) => controlExpire(sim, body),
  "POST tokens/revoke": (sim, { body }) => controlRevoke(sim, body),
  "DELETE requestids": (sim, _control, realmId) => {
    forgetRequestIds(sim, realmId || null);
    return {};
  },
  "GET faults": controlFaults,
  "POST faults": controlFaults,
  "DELETE faults": controlFaults,
  "GET journal": controlJournal,
  "DELETE journal": controlJournal,
  books: controlBooks,
};

function moveClock(sim: Simulator, body: Record<string, unknown>): unknown {
  if (typeof body["now"] === "string") sim.clock.set(new Date(body["now"]));
  if (typeof body["advanceMs"] === "number") sim.clock.advance(body["advanceMs"]);
  return { now: sim.clock.now().toISOString() };
}

function controlFaults(sim: Simulator, { request, body }: Control, id = ""): unknown {
  if (request.method === "DELETE" && id === "") sim.faultRules.clear();
  else if (request.method === "DELETE") sim.faultRules.remove(Number(id));
  if (request.method === "POST") {
    const rules = (
      Array.isArray(body) ? body : Array.isArray(body["rules"]) ? body["rules"] : [body]
    ) as FaultRule[];
    const wrong = rules.find((rule) => !FAULTS.includes(rule.fault));
    if (wrong) throw new ControlError(`Unknown fault ${String(wrong.fault)}. Known: ${FAULTS.join(", ")}.`);
    sim.faultRules.add(rules);
  }
  return { rules: sim.faultRules.list() };
}

function controlJournal(sim: Simulator, { request }: Control): unknown {
  if (request.method === "DELETE") clearJournal(sim);
  const { searchParams } = request.url;
  return readJournal(sim, {
    realmId: searchParams.get("realm_id"),
    since: Number(searchParams.get("since") ?? 0),
    operation: searchParams.get("operation"),
    limit: Number(searchParams.get("limit") ?? 10_000),
  });
}
