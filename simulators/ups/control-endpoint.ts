import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import { OPERATIONS } from "./api-endpoint.ts";
import { listSubscriptions } from "./alert-subscriptions.ts";
import { DEMO_APP, findApp, saveApp, type App } from "./apps.ts";
import { isRecord, text } from "./fields.ts";
import { FAULTS, type FaultRule } from "./fault-rules.ts";
import { readJournal } from "./journal.ts";
import { moveAlong, pastSteps, replan, SCENARIOS } from "./journeys.ts";
import {
  findPackage,
  findShipment,
  listPackages,
  listShipments,
  savePackage,
  type Package,
} from "./records.ts";
import { seedPackages, type SeededPackages } from "./seed-packages.ts";
import { TABLES } from "./schema.ts";
import { changeSettings, readSettings, type AlertSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";
import { expireAccessTokens, issueCode, revokeUser } from "./tokens.ts";
import { findUser, USERS } from "./users.ts";

type Body = Record<string, unknown>;
type Control = { body: Body; request: WireRequest };

/** Invalid use of the control interface; its text is returned with status 400. */
class ControlError extends Error {}

/** Answers the control interface under `/_sim`; JSON in, JSON out. See README.md here. */
export function controlEndpoint(sim: Simulator, request: WireRequest): Reply {
  try {
    const body = request.body.length === 0 ? {} : (JSON.parse(request.body.toString("utf8")) as Body);
    const call = CALLS[`${request.method} ${request.url.pathname.replace("/_sim/", "")}`];
    if (!call) return json(404, { error: "no such control call" });
    return json(
      200,
      transaction(sim.db, () => call(sim, { body, request })),
    );
  } catch (error) {
    if (error instanceof ControlError || error instanceof SyntaxError)
      return json(400, { error: error.message });
    throw error;
  }
}

const CALLS: Record<string, (sim: Simulator, control: Control) => object> = {
  "POST reset": (sim) => {
    for (const table of TABLES) sim.db.exec(`DELETE FROM ${table}`);
    sim.faults.clear();
    sim.clock.reset();
    saveApp(sim, DEMO_APP);
    return {};
  },
  "GET users": () => ({ users: USERS }),
  "GET clock": (sim) => moveClock(sim, {}),
  "POST clock": (sim, { body }) => moveClock(sim, body),
  "POST apps": (sim, { body }) => {
    const clientId = String(body["client_id"]);
    const known = findApp(sim, clientId) ?? { ...DEMO_APP, clientId };
    saveApp(sim, {
      ...known,
      ...(typeof body["secret"] === "string" ? { secret: body["secret"] } : {}),
      ...(Array.isArray(body["redirect_uris"]) ? { redirectUris: body["redirect_uris"].map(String) } : {}),
      ...(body["webhook"] === undefined ? {} : { webhook: readWebhook(body["webhook"]) }),
    });
    return {};
  },
  "POST codes": (sim, { body }) => {
    if (!findUser(String(body["user"]))) throw new ControlError(`No user ${String(body["user"])}.`);
    const consent = {
      clientId: DEMO_APP.clientId,
      user: String(body["user"]),
      redirectUri: String(body["redirect_uri"]),
      challenge: typeof body["code_challenge"] === "string" ? body["code_challenge"] : null,
    };
    return { code: issueCode(sim, consent) };
  },
  "GET settings": (sim) => readSettings(sim),
  "PATCH settings": changeBehavior,
  "GET shipments": (sim) => ({
    shipments: listShipments(sim).map((shipment) => ({
      ...shipment,
      packages: listPackages(sim, shipment.id),
    })),
  }),
  "POST packages": (sim, { body }) => {
    const { scenario = "normal" } = body;
    return { tracking: seedPackages(sim, { ...(body as SeededPackages), scenario: needScenario(scenario) }) };
  },
  "PATCH packages": (sim, { body }) => {
    const pack = needPackage(sim, body);
    const createdAt = findShipment(sim, pack.shipmentId)?.createdAt ?? sim.clock.now().getTime();
    const scenario = needScenario(body["scenario"]);
    savePackage(sim, replan(pack, { scenario, createdAt }));
    return {};
  },
  "POST packages/move": (sim, { body }) => {
    const now = sim.clock.now().getTime();
    const event = String(body["to"]);
    let pack: Package | undefined = needPackage(sim, body);
    while (pack && pastSteps(pack, now).at(-1)?.event !== event) pack = moveAlong(pack, now);
    if (!pack) throw new ControlError(`The script of this package has no more event ${event}.`);
    savePackage(sim, pack);
    return { event };
  },
  "POST packages/void": (sim, { body }) => {
    savePackage(sim, { ...needPackage(sim, body), voidedAt: sim.clock.now().getTime() });
    return {};
  },
  "POST packages/advance": (sim, { body }) => {
    const moved = moveAlong(needPackage(sim, body), sim.clock.now().getTime());
    if (!moved) throw new ControlError("Nothing more happens to this package.");
    savePackage(sim, moved);
    return { event: pastSteps(moved, sim.clock.now().getTime()).at(-1)?.event };
  },
  "GET alerts": (sim) => ({
    subscriptions: listSubscriptions(sim),
    alerts: sim.db.prepare("SELECT tracking, event, status FROM alert ORDER BY rowid").all(),
  }),
  "POST tokens/expire": (sim) => ({ expired: expireAccessTokens(sim) }),
  "POST tokens/revoke": (sim, { body }) => ({ revoked: revokeUser(sim, String(body["user"])) }),
  "GET faults": (sim) => ({ rules: sim.faults.list() }),
  "DELETE faults": (sim) => {
    sim.faults.clear();
    return {};
  },
  "POST faults": (sim, { body }) => {
    const rules = (Array.isArray(body["rules"]) ? body["rules"] : [body]) as FaultRule[];
    const wrong = rules.find((rule) => !FAULTS.includes(rule.fault));
    if (wrong) throw new ControlError(`Unknown fault ${String(wrong.fault)}. Known: ${FAULTS.join(", ")}.`);
    const unknown = rules.find(({ operation }) => operation !== undefined && !OPERATIONS.includes(operation));
    if (unknown) throw new ControlError(`Unknown operation. Known: ${OPERATIONS.join(", ")}.`);
    sim.faults.add(rules);
    return { rules: sim.faults.list() };
  },
  "GET journal": (sim, { request }) => ({
    entries: readJournal(sim, Number(request.url.searchParams.get("since") ?? 0)),
  }),
};

function changeBehavior(sim: Simulator, { body }: Control): object {
  const { mode, recoveryDelayMs, voidNoise, scenario, proofDelayMs, signature, alerts } = body;
  if (mode !== undefined && mode !== "live" && mode !== "cie")
    throw new ControlError("The mode is live or cie.");
  if (signature !== undefined && signature !== "png" && signature !== "gif" && signature !== "none")
    throw new ControlError("The signature is png, gif or none.");
  return changeSettings(sim, {
    ...(mode === undefined ? {} : { mode }),
    ...(isRecord(alerts)
      ? { alerts: { ...readSettings(sim).alerts, ...(alerts as Partial<AlertSettings>) } }
      : {}),
    ...(typeof recoveryDelayMs === "number" ? { recoveryDelayMs } : {}),
    ...(typeof voidNoise === "boolean" ? { voidNoise } : {}),
    ...(typeof proofDelayMs === "number" ? { proofDelayMs } : {}),
    ...(signature === undefined ? {} : { signature }),
    ...(scenario === undefined ? {} : { scenario: needScenario(scenario) }),
  });
}

function readWebhook(webhook: unknown): NonNullable<App["webhook"]> {
  return {
    url: text(webhook, "url"),
    tokenUrl: text(webhook, "token_url"),
    clientId: text(webhook, "client_id"),
    clientSecret: text(webhook, "client_secret"),
  };
}

function needScenario(scenario: unknown): string {
  if (typeof scenario === "string" && scenario in SCENARIOS) return scenario;
  throw new ControlError(`Unknown scenario. Known: ${Object.keys(SCENARIOS).join(", ")}.`);
}

function needPackage(sim: Simulator, body: Body): Package {
  const pack = findPackage(sim, String(body["tracking"]));
  if (!pack) throw new ControlError("There is no package with this tracking number.");
  return pack;
}

function moveClock(sim: Simulator, body: Body): object {
  if (typeof body["now"] === "string") sim.clock.set(new Date(body["now"]));
  if (typeof body["advanceMs"] === "number") sim.clock.advance(body["advanceMs"]);
  return { now: sim.clock.now().toISOString() };
}
