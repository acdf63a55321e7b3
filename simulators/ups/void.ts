import { json, type Reply } from "../kit/http.ts";
import type { Caller } from "./callers.ts";
import { voidInCie } from "./cie.ts";
import { isScanned } from "./journeys.ts";
import { findShipment, listPackages, savePackage, type Package, type Shipment } from "./records.ts";
import { UpsFault } from "./replies.ts";
import { isDomestic } from "./services.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const DAY_MS = 86_400_000;
const VOID_DAYS = 28;
/** After this, not even UPS's support can void. */
const KNOWN_DAYS = 180;
const MAX_PACKAGES = 20;
const NUMBER = /^1Z[0-9A-Z]{16}$/;

type Call = { id: string; caller: Caller; query: URLSearchParams };
type Outcome = { pack: Package; voided: boolean; description: string };

/**
 * Answers DELETE `/api/shipments/{version}/void/cancel/{id}`: the whole shipment, or the packages that the
 * query names.
 * @throws UpsFault when nothing is voided
 */
export function voidShipment(sim: Simulator, { id, caller, query }: Call): Reply {
  const named = readNumbers(query);
  if (readSettings(sim).mode === "cie") return voidInCie(id, named);
  const shipment = findVoidable(sim, id, caller);
  const all = listPackages(sim, shipment.id);
  if (named === null && all.every(({ voidedAt }) => voidedAt !== null))
    throw new UpsFault(400, "190117", "The shipment has already been voided");
  const wanted = named === null ? all : pickPackages(shipment, all, named);
  const now = sim.clock.now().getTime();
  const outcomes = wanted.map((pack) => voidPackage(sim, pack, now));
  if (!outcomes.some(({ voided }) => voided))
    throw named === null
      ? notFound()
      : new UpsFault(400, "190110", "The package or packages cannot be voided");
  return json(200, answer(outcomes, readSettings(sim).voidNoise));
}

const notFound = () => new UpsFault(400, "190102", "No shipment found within the allowed void period");

function findVoidable(sim: Simulator, id: string, { accounts }: Caller): Shipment {
  if (!NUMBER.test(id)) throw new UpsFault(400, "190100", "Invalid shipment identification number");
  const shipment = findShipment(sim, id);
  if (!shipment || !accounts.includes(shipment.account)) throw notFound();
  const days = (sim.clock.now().getTime() - shipment.createdAt) / DAY_MS;
  if (days > KNOWN_DAYS) throw notFound();
  if (days > VOID_DAYS) throw new UpsFault(400, "190101", "Time for voiding has expired");
  return shipment;
}

/** Numbers of the query: one, or several as a JSON array. @returns null for none: the whole shipment */
function readNumbers(query: URLSearchParams): string[] | null {
  const value = query.get("trackingnumber");
  if (value === null) return null;
  const numbers = value.startsWith("[") ? readArray(value) : [value];
  if (numbers.length > MAX_PACKAGES)
    throw new UpsFault(400, "190111", `More than ${MAX_PACKAGES} packages cannot be voided at once`);
  if (numbers.length === 0 || !numbers.every((number) => NUMBER.test(number)))
    throw new UpsFault(400, "190109", "Invalid package tracking number");
  return numbers;
}

function readArray(value: string): string[] {
  try {
    return (JSON.parse(value) as unknown[]).map(String);
  } catch {
    return [];
  }
}

function pickPackages(shipment: Shipment, all: readonly Package[], named: readonly string[]): Package[] {
  if (shipment.isReturn)
    throw new UpsFault(400, "190112", "Package level void is not allowed for return shipments");
  if (!isDomestic(shipment.shipFrom.country, shipment.shipTo.country))
    throw new UpsFault(400, "190113", "Package level void is not allowed for international shipments");
  return named.map((number) => {
    const pack = all.find(({ tracking }) => tracking === number);
    if (!pack) throw new UpsFault(400, "190109", "Invalid package tracking number");
    return pack;
  });
}

function voidPackage(sim: Simulator, pack: Package, now: number): Outcome {
  if (pack.voidedAt !== null) return { pack, voided: true, description: "Already Voided" };
  if (isScanned(pack, now)) return { pack, voided: false, description: "Not Voided" };
  savePackage(sim, { ...pack, voidedAt: now });
  return { pack, voided: true, description: "Voided" };
}

function answer(outcomes: readonly Outcome[], noise: boolean): object {
  const value = (plain: string) => (noise ? `${plain}&#xD;` : plain);
  const results = outcomes.map(({ pack, voided, description }) => ({
    TrackingNumber: value(pack.tracking),
    Status: { Code: value(voided ? "1" : "0"), Description: value(description) },
  }));
  const complete = outcomes.every(({ voided }) => voided);
  return {
    VoidShipmentResponse: {
      Response: { ResponseStatus: { Code: "1", Description: "Success" } },
      SummaryResult: {
        Status: { Code: value("1"), Description: value(complete ? "Voided" : "Partially Voided") },
      },
      // A single result is an object in every version.
      PackageLevelResult: results.length === 1 ? results[0] : results,
    },
  };
}
