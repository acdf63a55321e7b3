import { createHash } from "node:crypto";
import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { transaction } from "../kit/sqlite.ts";
import { invalid, StripeFault } from "./api-error.ts";
import { ROUTES, type Route } from "./api-routes.ts";
import { parseForm, refuseUnknown, text, type Form, texts } from "./form.ts";
import { runDue } from "./lifecycle.ts";
import { findAny, newId } from "./store.ts";
import { API_VERSION, type Simulator } from "./simulator.ts";
import { clockNow, DAY } from "./times.ts";

type Call = { route: Route; form: Form; id: string; isPublic: boolean };

/** Answers an API call in one transaction: authenticates it, checks its idempotency key, and executes it. */
export function apiEndpoint(sim: Simulator, request: WireRequest): Reply {
  const requestId = newId("req_", 14);
  const headers = { "request-id": requestId, "stripe-version": API_VERSION };
  const key = String(request.headers["idempotency-key"] ?? "");
  const named = key === "" ? {} : { "idempotency-key": key };
  try {
    const call = readCall(request);
    if (request.method !== "POST" || key === "") {
      const { status, body } = run(sim, call, { id: requestId, idempotency_key: null });
      return json(status, body, headers);
    }
    const { status, body, isReplay } = runOnce(sim, { key, requestId, request, call });
    return json(status, body, {
      ...headers,
      ...named,
      ...(isReplay ? { "idempotent-replayed": "true" } : {}),
    });
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return json(error.facts.status, error.body(), { ...headers, ...named });
  }
}

type Outcome = { status: number; body: object; isReplay?: boolean };

type Once = { key: string; requestId: string; request: WireRequest; call: Call };

/** Replays the first answer for a repeated key, even a failure; calls that never started are not stored. */
function runOnce(sim: Simulator, { key, requestId, request, call }: Once): Outcome {
  if (key.length > 255) throw invalid("Idempotency keys must be at most 255 characters long.");
  const fingerprint = createHash("sha256")
    .update(`${request.method} ${request.url.pathname} ${JSON.stringify(call.form)}`)
    .digest("hex");
  sim.db.prepare("DELETE FROM replay WHERE at < ?").run(clockNow(sim) - DAY);
  const known = sim.db.prepare("SELECT fingerprint, status, answer FROM replay WHERE key = ?").get(key);
  if (known && known["fingerprint"] !== fingerprint)
    throw new StripeFault({
      status: 400,
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  if (known)
    return {
      status: Number(known["status"]),
      body: JSON.parse(String(known["answer"])) as object,
      isReplay: true,
    };
  const outcome = run(sim, call, { id: requestId, idempotency_key: key });
  if (outcome.status < 400 || outcome.status === 402) keepAnswer(sim, { key, fingerprint, ...outcome });
  return outcome;
}

/** Stores an answer for repeats under its key, including a failure caused by a fault rule. */
export function keepAnswer(
  sim: Simulator,
  { key, fingerprint, status, body }: { key: string; fingerprint: string } & Outcome,
): void {
  sim.db
    .prepare("INSERT INTO replay (key, fingerprint, status, answer, at) VALUES (?, ?, ?, ?, ?)")
    .run(key, fingerprint, status, JSON.stringify(body), clockNow(sim));
}

/** Turns a stored answer into a failure, because Stripe stores a 500 too. */
export function keepFailure(sim: Simulator, key: string, body: object): void {
  sim.db.prepare("UPDATE replay SET status = 500, answer = ? WHERE key = ?").run(JSON.stringify(body), key);
}

function run(sim: Simulator, { route, form, id, isPublic }: Call, cause: Simulator["cause"]): Outcome {
  refuseUnknown(form, route.fields);
  let kept: StripeFault | undefined;
  const body = transaction(sim.db, () => {
    runDue(sim);
    if (isPublic) requireSecret(sim, id, form);
    sim.cause = cause;
    try {
      const answer = route.run(sim, form, id);
      return isPublic ? publicView(answer) : expanded(sim, current(sim, answer), form);
    } catch (error) {
      // A declined card is a regular answer: what was recorded of it is kept.
      if (!(error instanceof StripeFault) || !error.keepsChanges) throw error;
      kept = error;
      return error.body();
    } finally {
      sim.cause = null;
    }
  });
  return { status: kept?.facts.status ?? 200, body };
}

/** Reads the current state of an object after all effects of its call. */
function current(sim: Simulator, answer: object): object {
  const id = "id" in answer && !("secret" in answer) ? String(answer.id) : "";
  return findAny(sim, id) ?? answer;
}

function readCall(request: WireRequest): Call {
  const path = request.url.pathname.replace(/\/$/, "");
  const found = findRoute(request.method, path);
  const isInBody = request.method !== "GET" && request.body.length > 0;
  const fields = isInBody ? new URLSearchParams(request.body.toString("utf8")) : request.url.searchParams;
  const form = parseForm(fields);
  const key = readKey(request) ?? text(form, "key") ?? "";
  const isPublic = key.startsWith("pk_test_");
  if (!isPublic && !/^(sk|rk)_test_/.test(key)) throw refusedKey(key);
  if (!found)
    throw new StripeFault({
      status: 404,
      type: "invalid_request_error",
      message: `Unrecognized request URL (${request.method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    });
  if (isPublic && !PUBLIC.test(`${request.method} ${path}`))
    throw new StripeFault({
      status: 403,
      type: "invalid_request_error",
      code: "secret_key_required",
      message: "This API call cannot be made with a publishable API key. Please use a secret API key.",
    });
  return { ...found, form, isPublic };
}

function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const exact = ROUTES[`${method} ${path}`];
  if (exact) return { route: exact, id: "" };
  const parts = path.split("/");
  for (let at = parts.length - 1; at > 1; at -= 1) {
    const route = ROUTES[`${method} ${parts.map((part, index) => (index === at ? ":id" : part)).join("/")}`];
    if (route) return { route, id: decodeURIComponent(parts[at] ?? "") };
  }
  return undefined;
}

function readKey(request: WireRequest): string | undefined {
  const [scheme = "", value = ""] = (request.headers.authorization ?? "").split(" ");
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme)) return Buffer.from(value, "base64").toString("utf8").split(":")[0];
  return undefined;
}

const refusedKey = (key: string) =>
  new StripeFault({
    status: 401,
    type: "invalid_request_error",
    message:
      key === ""
        ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
        : `Invalid API Key provided: ${key.slice(0, 8)}****`,
  });

/** Calls allowed for a browser with the publishable key and the object's secret. */
const PUBLIC =
  /^(GET \/v1\/(payment|setup)_intents\/[^/]+|POST \/v1\/(payment|setup)_intents\/[^/]+\/confirm)$/;

function requireSecret(sim: Simulator, id: string, form: Form): void {
  if (findAny(sim, id)?.["client_secret"] === text(form, "client_secret")) return;
  throw new StripeFault({
    status: 404,
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such payment_intent: '${id}'`,
    param: "intent",
  });
}

const PUBLIC_FIELDS = [
  "id",
  "object",
  "amount",
  "amount_details",
  "automatic_payment_methods",
  "canceled_at",
  "cancellation_reason",
  "capture_method",
  "client_secret",
  "confirmation_method",
  "created",
  "currency",
  "description",
  "last_payment_error",
  "last_setup_error",
  "livemode",
  "next_action",
  "payment_method",
  "payment_method_configuration_details",
  "payment_method_types",
  "processing",
  "receipt_email",
  "setup_future_usage",
  "shipping",
  "source",
  "status",
  "usage",
];

/** An intent as a browser sees it, without its customer and its invoice. */
const publicView = (intent: object): object =>
  Object.fromEntries(Object.entries(intent).filter(([name]) => PUBLIC_FIELDS.includes(name)));

const MAX_DEPTH = 4;

type Doc = Record<string, unknown>;

/**
 * Replaces ids by objects as requested in `expand[]`: `latest_invoice.payment_intent`, in lists prefixed with
 * `data.`.
 * @throws StripeFault 400 for a property that has no object
 */
export function expanded(sim: Simulator, answer: object, form: Form): object {
  const copy = structuredClone(answer) as Doc;
  for (const path of texts(form, "expand")) {
    const parts = path.split(".");
    const depth = parts[0] === "data" ? parts.length - 1 : parts.length;
    if (depth > MAX_DEPTH)
      throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, { param: "expand" });
    expand(sim, copy, parts);
  }
  return copy;
}

function expand(sim: Simulator, at: unknown, [part, ...rest]: readonly string[]): void {
  if (Array.isArray(at)) return at.forEach((each) => expand(sim, each, [part ?? "", ...rest]));
  if (typeof at !== "object" || at === null || part === undefined) return;
  const doc = at as Doc;
  if (!(part in doc))
    throw invalid(`This property cannot be expanded (${[part, ...rest].join(".")}).`, { param: "expand" });
  const value = doc[part];
  if (typeof value === "string") {
    const object = findAny(sim, value);
    if (!object)
      throw invalid(`This property cannot be expanded (${[part, ...rest].join(".")}).`, { param: "expand" });
    doc[part] = object;
  }
  if (rest.length > 0) expand(sim, doc[part], rest);
}
