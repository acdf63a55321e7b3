import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { header } from "../kit/journal.ts";
import type { Caller } from "./callers.ts";
import { pastSteps } from "./journeys.ts";
import {
  findPackage,
  findShipment,
  listByReference,
  listPackages,
  type Package,
  type Shipment,
} from "./records.ts";
import { UpsFault } from "./replies.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";
import { shownPackage, type TrackOptions } from "./track-package.ts";

const DAY_MS = 86_400_000;
/** UPS forgets a package after this. */
const KEPT_DAYS = 120;
const REFERENCE_DAYS = 14;
const MAX_COUNT = 50;

type Call = { inquiry: string; caller: Caller; request: WireRequest };
type Found = { shipment: Shipment; pack: Package };

/** Answers GET `/api/track/v1/details/{number}`: one package. @throws UpsFault */
export function trackNumber(sim: Simulator, call: Call): Reply {
  checkCall(call);
  const found = findTracked(sim, call.inquiry);
  return answer(sim, call, found ? [found] : []);
}

/** Answers GET `/api/track/v1/shipment/details/{number}`: all packages of a shipment. @throws UpsFault */
export function trackShipment(sim: Simulator, call: Call): Reply {
  checkCall(call);
  const query = call.request.url.searchParams;
  const offset = Number(query.get("offset") ?? 0);
  const count = Math.min(Number(query.get("count") ?? MAX_COUNT), MAX_COUNT);
  const found = findTracked(sim, call.inquiry);
  const all = found ? listPackages(sim, found.shipment.id) : [];
  return answer(
    sim,
    call,
    all.slice(offset, offset + count).flatMap((pack) => (found ? [{ shipment: found.shipment, pack }] : [])),
  );
}

/** Answers GET `/api/track/v1/reference/details/{reference}`: the packages with it. @throws UpsFault */
export function trackReference(sim: Simulator, call: Call): Reply {
  checkHeaders(call);
  const query = call.request.url.searchParams;
  const now = sim.clock.now().getTime();
  const from = readDay(query.get("fromPickUpDate")) ?? now - REFERENCE_DAYS * DAY_MS;
  const to = (readDay(query.get("toPickUpDate")) ?? now) + DAY_MS;
  const is = (name: string, value: string) => query.get(name) === null || query.get(name) === value;
  const found = listByReference(sim, call.inquiry)
    .flatMap((pack) => findTracked(sim, pack.tracking) ?? [])
    .filter(
      ({ shipment: { account, shipTo, createdAt } }) =>
        createdAt >= from &&
        createdAt < to &&
        is("shipperNum", account) &&
        is("destCountry", shipTo.country) &&
        is("destZip", shipTo.postal),
    );
  return answer(sim, call, found);
}

/** @param day YYYYMMDD, as a UTC day */
function readDay(day: string | null): number | undefined {
  if (day === null || !/^\d{8}$/.test(day)) return undefined;
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

function checkHeaders({ request }: Call): void {
  if (header(request, "transid") === null || header(request, "transactionsrc") === null)
    throw new UpsFault(400, "TV1001", "Missing transId or transactionSrc header");
}

function checkCall(call: Call): void {
  checkHeaders(call);
  if (!/^[0-9A-Za-z]{7,34}$/.test(call.inquiry)) throw new UpsFault(400, "TV1002", "Invalid inquiry number");
}

function findTracked(sim: Simulator, number: string): Found | undefined {
  const pack = findPackage(sim, number.toUpperCase());
  const shipment = pack && findShipment(sim, pack.shipmentId);
  if (!shipment || sim.clock.now().getTime() > shipment.createdAt + KEPT_DAYS * DAY_MS) return undefined;
  return pastSteps(pack, sim.clock.now().getTime()).length === 0 ? undefined : { shipment, pack };
}

/** Nothing found is an answer like any other: 200 with a warning, and no packages. */
function answer(sim: Simulator, { inquiry, caller, request }: Call, found: readonly Found[]): Reply {
  const [first] = found;
  const warnings = [{ code: "TW0001", message: "Tracking Information Not Found" }];
  if (!first) return json(200, { trackResponse: { shipment: [{ inquiryNumber: inquiry, warnings }] } });
  const query = request.url.searchParams;
  const asked: TrackOptions = {
    signature: query.get("returnSignature") === "true",
    pod: query.get("returnPOD") === "true",
    milestones: query.get("returnMilestones") === "true",
  };
  const now = sim.clock.now().getTime();
  const settings = readSettings(sim);
  // One entry per shipment, in the order in which its first package was found.
  const shipments = [...new Map(found.map(({ shipment }) => [shipment.id, shipment])).values()];
  const entries = shipments.map((shipment) => {
    const relation = findRelation(shipment, caller);
    return {
      inquiryNumber: inquiry,
      package: found
        .filter(({ pack }) => pack.shipmentId === shipment.id)
        .map(({ pack }) =>
          shownPackage({ shipment, pack, now, asked, related: relation.length > 0, settings }),
        ),
      ...(relation.length > 0 ? { userRelation: relation } : {}),
    };
  });
  return json(200, { trackResponse: { shipment: entries } });
}

const findRelation = ({ account, payer }: Shipment, { accounts }: Caller): string[] => [
  ...(accounts.includes(account) ? ["SHIPPER"] : []),
  ...(payer.account !== account && accounts.includes(payer.account) ? ["THIRD_PARTY"] : []),
];
