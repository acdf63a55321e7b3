import type { Reply, WireRequest } from "../kit/http.ts";
import { validateAddress } from "./address-validation.ts";
import { subscribeAccount, subscribePackages, unsubscribeAccount } from "./alert-subscriptions.ts";
import { readCaller, type Caller } from "./callers.ts";
import { rate } from "./rating.ts";
import { recoverLabels } from "./recovery.ts";
import { UpsFault } from "./replies.ts";
import { ship } from "./ship.ts";
import type { Simulator } from "./simulator.ts";
import { trackNumber, trackReference, trackShipment } from "./track.ts";
import { voidShipment } from "./void.ts";

type Call = {
  sim: Simulator;
  request: WireRequest;
  caller: Caller;
  query: URLSearchParams;
  /** Groups of the path, decoded. */
  first: string;
  second: string;
};

type Route = { operation: string; method: string; path: RegExp; answer(call: Call): Reply };

/** Every call of the API. A fault rule and the journal name it by `operation`. */
const ROUTES: readonly Route[] = [
  {
    operation: "ship",
    method: "POST",
    path: /^\/api\/shipments\/(v\d+)\/ship$/,
    answer: ({ sim, request, caller, query, first }) =>
      ship(sim, { version: first, body: readJson(request), caller, query }),
  },
  {
    operation: "void",
    method: "DELETE",
    path: /^\/api\/shipments\/(v\d+)\/void\/cancel\/([^/]+)$/,
    answer: ({ sim, caller, query, second }) => voidShipment(sim, { id: second, caller, query }),
  },
  {
    operation: "recovery",
    method: "POST",
    path: /^\/api\/labels\/([vV]\d+)\/recovery$/,
    answer: ({ sim, request, caller, first }) =>
      recoverLabels(sim, { version: first, body: readJson(request), caller }),
  },
  {
    operation: "track",
    method: "GET",
    path: /^\/api\/track\/v1\/details\/([^/]+)$/,
    answer: ({ sim, request, caller, first }) => trackNumber(sim, { inquiry: first, caller, request }),
  },
  {
    operation: "track_reference",
    method: "GET",
    path: /^\/api\/track\/v1\/reference\/details\/([^/]+)$/,
    answer: ({ sim, request, caller, first }) => trackReference(sim, { inquiry: first, caller, request }),
  },
  {
    operation: "track_shipment",
    method: "GET",
    path: /^\/api\/track\/v1\/shipment\/details\/([^/]+)$/,
    answer: ({ sim, request, caller, first }) => trackShipment(sim, { inquiry: first, caller, request }),
  },
  {
    operation: "rate",
    method: "POST",
    path: /^\/api\/rating\/(v\d+)\/(Rate|Shop|Ratetimeintransit|Shoptimeintransit)$/,
    answer: ({ request, caller, query, first, second }) =>
      rate({
        version: first,
        body: readJson(request),
        accounts: caller.accounts,
        shops: second.startsWith("Shop"),
        showsTransit: second.endsWith("timeintransit") || query.get("additionalinfo") === "timeintransit",
      }),
  },
  {
    operation: "address_validation",
    method: "POST",
    path: /^\/api\/addressvalidation\/(v\d+)\/([123])$/,
    answer: ({ request, first, second }) =>
      validateAddress({ version: first, option: second, body: readJson(request) }),
  },
  {
    operation: "subscribe",
    method: "POST",
    path: /^\/api\/track\/(v[12])\/subscription\/(standard|enhanced)\/package$/,
    answer: (call) => subscribePackages(call.sim, subscriptionCall(call)),
  },
  {
    operation: "subscribe_account",
    method: "POST",
    path: /^\/api\/track\/(v2)\/subscription\/(standard|enhanced)\/account$/,
    answer: (call) => subscribeAccount(call.sim, subscriptionCall(call)),
  },
  {
    operation: "unsubscribe_account",
    method: "DELETE",
    path: /^\/api\/track\/(v2)\/subscription\/(standard|enhanced)\/account$/,
    answer: (call) => unsubscribeAccount(call.sim, { ...subscriptionCall(call), body: undefined }),
  },
];

const subscriptionCall = ({ request, caller, first, second }: Call) => ({
  version: first as "v1" | "v2",
  kind: second,
  body: request.body.length === 0 ? {} : readJson(request),
  caller,
  request,
});

const OAUTH = /^\/security\/v1\/oauth\/([a-z-]+)$/;
const findRoute = (method: string, pathname: string): Route | undefined =>
  ROUTES.find((route) => route.method === method && route.path.test(pathname));

/** Name of the call that a request makes, such as "ship" or "token"; null for none. */
export const findOperation = ({ method, url }: WireRequest): string | null =>
  findRoute(method, url.pathname)?.operation ?? OAUTH.exec(url.pathname)?.[1] ?? null;

/** Names of all calls. */
export const OPERATIONS: readonly string[] = [
  ...ROUTES.map(({ operation }) => operation),
  "authorize",
  "validate-client",
  "token",
  "refresh",
];

/** Answers `/api/…`. @throws UpsFault in UPS's codes */
export function apiEndpoint(sim: Simulator, request: WireRequest): Reply {
  const caller = readCaller(sim, request);
  const { pathname, searchParams } = request.url;
  const route = findRoute(request.method, pathname);
  if (!route) throw new UpsFault(404, "404", "The requested resource is not available");
  const [, first = "", second = ""] = (route.path.exec(pathname) ?? []).map(decode);
  return route.answer({ sim, request, caller, query: searchParams, first, second });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readJson({ body }: WireRequest): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new UpsFault(400, "10001", "The JSON document is not well formed");
  }
}
