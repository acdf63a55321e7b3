import { randomUUID } from "node:crypto";
import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { header } from "../kit/journal.ts";
import type { Caller } from "./callers.ts";
import { field, list, text } from "./fields.ts";

import { UpsFault } from "./replies.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const DAY_MS = 86_400_000;
const LIFE_DAYS = 14;
const MAX_NUMBERS = 100;
/** The only numbers that UPS's test environment accepts. */
export const CIE_NUMBERS: readonly string[] = ["1ZCIETST0111111114", "1ZCIETST0422222228"];

/** An app's request to be sent the events of a package, or of all packages of an account. */
export type Subscription = {
  id: string;
  clientId: string;
  /** v1 names the address in each request; v2 takes it from the app. */
  version: "v1" | "v2";
  enhanced: boolean;
  tracking: string | null;
  account: string | null;
  /** Types of events; empty for all. */
  preferences: readonly string[];
  destination: { url: string; credential: string } | null;
  createdAt: number;
  /** Null for never. */
  expiresAt: number | null;
};

type Call = { version: "v1" | "v2"; kind: string; body: unknown; caller: Caller; request: WireRequest };

/** Answers POST `/api/track/{version}/subscription/{kind}/package`. @throws UpsFault in UPS's codes */
export function subscribePackages(sim: Simulator, { version, kind, body, caller, request }: Call): Reply {
  checkHeaders(request);
  const numbers = list(field(body, "trackingNumberList")).map((number) => String(number).trim());
  if (!/^[a-z]{2}_[A-Z]{2}$/.test(text(body, "locale"))) throw new UpsFault(400, "VSS300", "Invalid locale");
  if (numbers.length === 0) throw new UpsFault(400, "VSS110", "The tracking number list is empty");
  if (numbers.length > MAX_NUMBERS)
    throw new UpsFault(400, "VSS220", `More than ${MAX_NUMBERS} tracking numbers`);
  const valid = numbers.filter((number) => /^1[ZR][0-9A-Z]{16}$/.test(number));
  if (valid.length === 0) throw new UpsFault(400, "VSS200", "No valid tracking number");
  if (readSettings(sim).mode === "cie" && valid.some((number) => !CIE_NUMBERS.includes(number)))
    throw new UpsFault(400, "VSS215", "The tracking number is not available in the test environment");
  const destination = version === "v1" ? readDestination(body) : null;
  const now = sim.clock.now().getTime();
  for (const tracking of new Set(valid))
    saveSubscription(sim, {
      id: randomUUID(),
      clientId: caller.clientId,
      version,
      enhanced: kind === "enhanced",
      tracking,
      account: null,
      preferences: kind === "enhanced" ? list(field(body, "eventPreferences")).map(String) : [],
      destination,
      createdAt: now,
      expiresAt: now + LIFE_DAYS * DAY_MS,
    });
  return json(200, {
    validTrackingNumbers: [...new Set(valid)],
    invalidTrackingNumbers: numbers.filter((number) => !valid.includes(number)),
  });
}

/** Answers POST `/api/track/v2/subscription/{kind}/account`: all packages that an account sends. */
export function subscribeAccount(sim: Simulator, { version, kind, body, caller, request }: Call): Reply {
  checkHeaders(request);
  const account = needAccount(text(body, "shipperAccountNumber"), caller);
  const id = text(body, "subscriptionId") || randomUUID();
  saveSubscription(sim, {
    id,
    clientId: caller.clientId,
    version,
    enhanced: kind === "enhanced",
    tracking: null,
    account,
    preferences: [],
    destination: null,
    createdAt: sim.clock.now().getTime(),
    expiresAt: null,
  });
  return json(200, {
    shipperAccountNumber: account,
    subAccountType: ["Outbound"],
    subscriptionId: id,
    clientSubscriptionId: text(body, "clientSubscriptionId"),
    expiryDate: "9999-12-31",
  });
}

/** Answers DELETE `/api/track/v2/subscription/{kind}/account?shipper_account_number=`. */
export function unsubscribeAccount(sim: Simulator, { caller, request }: Call): Reply {
  checkHeaders(request);
  const account = needAccount(request.url.searchParams.get("shipper_account_number") ?? "", caller);
  for (const subscription of listSubscriptions(sim))
    if (subscription.account === account && subscription.clientId === caller.clientId)
      sim.db.prepare("DELETE FROM subscription WHERE id = ?").run(subscription.id);
  return json(200, { shipperAccountNumber: account, status: "Unsubscribed" });
}

function needAccount(number: string, { accounts }: Caller): string {
  if (accounts.includes(number)) return number;
  throw new UpsFault(400, "VSS200", "The shipper account number is not valid for this user");
}

function checkHeaders(request: WireRequest): void {
  if (header(request, "transid") === null) throw new UpsFault(400, "VSS002", "Missing transId");
  if (header(request, "transactionsrc") === null) throw new UpsFault(400, "VSS004", "Missing transactionSrc");
}

function readDestination(body: unknown): { url: string; credential: string } {
  const url = text(body, "destination", "url");
  if (!URL.canParse(url)) throw new UpsFault(400, "VSS930", "The destination is not a valid address");
  return { url, credential: text(body, "destination", "credential") };
}

/** A new subscription of a package or account replaces the app's older one. */
function saveSubscription(sim: Simulator, subscription: Subscription): void {
  const key = `${subscription.clientId} ${subscription.tracking ?? subscription.account}`;
  sim.db.prepare("DELETE FROM subscription WHERE key = ?").run(key);
  sim.db
    .prepare("INSERT INTO subscription (id, key, doc) VALUES (?, ?, ?)")
    .run(subscription.id, key, JSON.stringify(subscription));
}

export const listSubscriptions = (sim: Simulator): Subscription[] =>
  sim.db
    .prepare("SELECT doc FROM subscription ORDER BY rowid")
    .all()
    .map((row) => JSON.parse(String(row["doc"])) as Subscription);
