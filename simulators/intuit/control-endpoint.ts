import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import { ApiFault } from "./api-fault.ts";
import { FAULTS, type FaultRule } from "./fault-rules.ts";
import { clearJournal, readJournal } from "./journal.ts";
import { listUsers, saveUser, type User, findUser } from "./users.ts";
import { forgetRequestIds } from "./request-replay.ts";
import type { Simulator } from "./simulator.ts";
import { findCompany, listCompanies, saveCompany, type Company } from "./companies.ts";
import { dropAllButSigningKey } from "./signing-key.ts";
import { TABLES } from "./schema.ts";
import { mergePreferences, seedCompany, type CompanyPlan } from "./seed-company.ts";
import { fillDemo, fillEmpty } from "./seed-demo.ts";
import { issueCode } from "./authorization-codes.ts";
import { DEMO_CLIENT, findClient, saveClient, type Client } from "./clients.ts";
import { ACCOUNTING_SCOPE, expireAccessTokens, revokeRealm } from "./grants.ts";
import { changeSettings, readSettings, type Settings } from "./settings.ts";
import { KINDS } from "./books.ts";
import { writeEntity } from "./entity-write.ts";
import { payInvoice } from "./invoice-payment.ts";
import { kindNamed } from "./query-properties.ts";
import { forgetWebhooks, listDeliveries } from "./webhook-delivery.ts";
import type { Fields, WriteContext } from "./write-context.ts";

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
  "GET webhooks": listDeliveries,
  "DELETE webhooks": (sim) => {
    forgetWebhooks(sim);
    return {};
  },
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

/** A call of the control interface with its JSON body. */
export type Control = { request: WireRequest; body: Record<string, unknown> };

/** Invalid use of the control interface; its text is returned with status 400. */
export class ControlError extends Error {}

type Body = Record<string, unknown>;

/** Clears everything, then seeds `demo` (default) or nothing. */
export function controlReset(sim: Simulator, body: Body): unknown {
  for (const table of TABLES) if (table !== "setting") sim.db.exec(`DELETE FROM ${table}`);
  dropAllButSigningKey(sim);
  sim.books.forget();
  sim.faultRules.clear();
  sim.lateViews.forget();
  sim.throttle.forget();
  sim.clock.reset();
  if (body["seed"] === "empty") fillEmpty(sim);
  else fillDemo(sim);
  return { companies: listCompanies(sim).map(({ realmId, name }) => ({ realmId, name })) };
}

/** Adds users and companies. */
export function controlSeed(sim: Simulator, body: Body): unknown {
  for (const user of list(body["users"])) saveUser(sim, readUser(user));
  const companies = list(body["companies"]).map((plan) => {
    if (typeof plan["realmId"] !== "string") throw new ControlError("A company needs a realmId.");
    if (findCompany(sim, plan["realmId"])) throw new ControlError(`Company ${plan["realmId"]} exists.`);
    return seedCompany(sim, plan as unknown as CompanyPlan);
  });
  return { companies };
}

/** Reads a company, or changes its preferences, status, limits, admins or tax percent. */
export function controlCompany(sim: Simulator, realmId: string, { request, body }: Control): unknown {
  if (realmId === "") return { companies: listCompanies(sim) };
  const company = findCompany(sim, realmId);
  if (!company) throw new ControlError(`No company ${realmId}.`);
  if (request.method === "GET") return company;
  const change = body as Partial<Company>;
  const changed: Company = {
    ...company,
    ...change,
    realmId,
    preferences: mergePreferences(company.preferences, change.preferences ?? {}),
    limits: { ...company.limits, ...change.limits },
  };
  saveCompany(sim, changed);
  return changed;
}

function readUser(user: Body): User {
  return {
    givenName: "Sample",
    familyName: "Person",
    emailVerified: true,
    ...user,
    sub: String(user["sub"]),
    email: String(user["email"]),
  } as User;
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}

/**
 * Registers an app: `{client_id, secret, name?, redirect_uris?, launch_url?, connect_url?, disconnect_url?,
 * webhook_url?, verifier_token?}`; omitted values stay unchanged, and `webhook_url: null` ends webhooks.
 */
export function controlClients(sim: Simulator, body: Body): unknown {
  const clientId = String(body["client_id"]);
  const known = findClient(sim, clientId) ?? { ...DEMO_CLIENT, clientId, name: clientId, secret: "" };
  const named = Object.entries(CLIENT_FIELDS).filter(
    ([, wireName]) =>
      typeof body[wireName] === "string" || (wireName === "webhook_url" && body[wireName] === null),
  );
  const redirectUris = Array.isArray(body["redirect_uris"])
    ? body["redirect_uris"].map(String)
    : known.redirectUris;
  const changes = Object.fromEntries(named.map(([name, wireName]) => [name, body[wireName]]));
  const client: Client = { ...known, ...changes, redirectUris };
  if (client.secret === "") throw new ControlError("An app needs a secret.");
  saveClient(sim, client);
  return { client_id: client.clientId };
}

const CLIENT_FIELDS = {
  secret: "secret",
  name: "name",
  launchUrl: "launch_url",
  connectUrl: "connect_url",
  disconnectUrl: "disconnect_url",
  webhookUrl: "webhook_url",
  verifierToken: "verifier_token",
};

/**
 * Creates an authorization code without a browser: `{sub, realmId?, client_id?, redirect_uri, scope?,
 * nonce?}`.
 */
export function controlGrants(sim: Simulator, body: Body): unknown {
  const clientId = String(body["client_id"] ?? DEMO_CLIENT.clientId);
  if (!findClient(sim, clientId)) throw new ControlError(`No client ${clientId}.`);
  if (!findUser(sim, String(body["sub"]))) throw new ControlError(`No user ${String(body["sub"])}.`);
  const realmId = typeof body["realmId"] === "string" ? body["realmId"] : null;
  if (realmId !== null && !findCompany(sim, realmId)) throw new ControlError(`No company ${realmId}.`);
  const signIn = "openid profile email";
  const scope = String(body["scope"] ?? (realmId === null ? signIn : `${signIn} ${ACCOUNTING_SCOPE}`));
  return {
    code: issueCode(sim, {
      clientId,
      sub: String(body["sub"]),
      realmId,
      scope,
      redirectUri: String(body["redirect_uri"]),
      ...(typeof body["nonce"] === "string" ? { nonce: body["nonce"] } : {}),
    }),
  };
}

/** Expires the access tokens of a company now. */
export function controlExpire(sim: Simulator, body: Body): unknown {
  return { expired: expireAccessTokens(sim, { realmId: String(body["realmId"]) }) };
}

/** Ends all grants for a company, like its Apps page. */
export function controlRevoke(sim: Simulator, body: Body): unknown {
  return { revoked: revokeRealm(sim, String(body["realmId"])) };
}

/** Reads or changes the switches in `settings.ts`. */
export function controlSettings(sim: Simulator, { request, body }: Control): Settings {
  return request.method === "PATCH" ? changeSettings(sim, body as Partial<Settings>) : readSettings(sim);
}

/**
 * Accesses the books without the API: `GET /_sim/books/:realm/:kind[/:id]`, `POST /_sim/books/:realm/:kind`
 * to create, `POST …/:id` to edit as another user, `POST …/invoice/:id/pay|void|delete`.
 */
export function controlBooks(sim: Simulator, { request, body }: Control): unknown {
  const [, , , realmId = "", kindName = "", id, action = "update"] = request.url.pathname.split("/");
  const company = findCompany(sim, realmId);
  const kind = kindNamed(kindName);
  if (!company || !kind)
    throw new ControlError(
      `Say /_sim/books/REALM/KIND, with a known company and one of ${KINDS.join(", ")}.`,
    );
  if (request.method === "GET")
    return id === undefined ? sim.books.list(realmId, kind) : requireEntity(sim, { realmId, kind, id });
  const ctx: WriteContext = {
    sim,
    company,
    who: typeof body["who"] === "string" ? body["who"] : "Betty Bookkeeper",
  };
  const { who: _who, ...fields } = body;
  const options = { allowDuplicateDocNumber: true };
  if (id === undefined) return writeEntity(ctx, { kind, operation: "create", input: fields, options });
  const current = requireEntity(sim, { realmId, kind, id });
  if (action === "pay") {
    return payInvoice(ctx, {
      invoice: current,
      ...(typeof fields["amount"] === "number" && { amount: fields["amount"] }),
      deposited: fields["deposited"] === true,
      keepToken: fields["keepToken"] === true,
    });
  }
  const input: Fields = { ...fields, Id: id, SyncToken: current.SyncToken, sparse: true };
  return writeEntity(ctx, { kind, operation: action, input, options });
}

function requireEntity(
  sim: Simulator,
  { realmId, kind, id }: { realmId: string; kind: (typeof KINDS)[number]; id: string },
) {
  const entity = sim.books.get(realmId, kind, id);
  if (!entity) throw new ControlError(`No ${kind} ${id}.`);
  return entity;
}
