import type { PackageState, Placed, Scan } from "#features/packages/contract.ts";
import type { Activity, TrackedPackage } from "#integrations/ups/track-answer.ts";

/** The state of several packages is the first of these that one of them has: delivered only when all are. */
export const BY_NEED: readonly PackageState[] = [
  "exception",
  "attempted",
  "held",
  "returned",
  "not_found",
  "out_for_delivery",
  "in_transit",
  "label_created",
  "unknown",
  "ended",
  "delivered",
  "voided",
];

const UNSCANNED: ReadonlySet<string> = new Set(["unknown", "not_found", "label_created", "voided", "ended"]);

/** Whether UPS has a package in a state, or had it. A label isn't a scan. */
export const isScanned = (state: string | null | undefined): boolean =>
  state !== null && state !== undefined && !UNSCANNED.has(state);

export const toScan = ({ at, localDate, localTime, place, state, description }: Activity): Scan => ({
  at,
  local_date: localDate,
  local_time: localTime,
  place: [place.city, place.state].filter(Boolean).join(", "),
  state: state === "returning" ? "returned" : state,
  text: description,
});

/** The scan of a delivery; one that UPS doesn't call so is the newest of its type, which a data update may follow. */
export const findDelivery = (activities: readonly Activity[]): Activity | undefined =>
  activities.find(({ state }) => state === "delivered") ?? activities.find(({ type }) => type === "D");

/** Time and place of a delivery, on the page and on its proof. */
export function placeDelivery({
  activities,
  deliveredOn,
}: Pick<TrackedPackage, "activities" | "deliveredOn">): Placed {
  const found = findDelivery(activities);
  if (!found) return { at: null, local_date: deliveredOn ?? "", local_time: "", place: "" };
  const { at, local_date, local_time, place } = toScan(found);
  return { at, local_date: local_date || (deliveredOn ?? ""), local_time, place };
}

/** The newest scan that says something is the state; but what moves after it was sent back is on its way back. */
function findState(scans: readonly Scan[]): PackageState | null {
  const newest = scans.find(({ state }) => state !== null)?.state ?? null;
  const isMoving = newest === "in_transit" || newest === "out_for_delivery";
  return isMoving && scans.some(({ state }) => state === "returned") ? "returned" : newest;
}

/**
 * The state after a response from UPS. A package that was seen once doesn't become unknown because UPS forgets it.
 * @param scans those of the answer, and newer ones of events; newest first
 */
export function nextState(
  known: PackageState,
  found: Pick<TrackedPackage, "state"> | null,
  scans: readonly Scan[],
): PackageState {
  const isNew = known === "unknown" || known === "not_found";
  if (!found) return isNew ? "not_found" : known;
  if (found.state === "returning") return "returned";
  if (found.state === "delivered") return "delivered";
  // A delivery of an event waits until UPS's answer has its facts.
  const said = findState(scans.filter(({ state }) => state !== "delivered"));
  return said ?? found.state ?? (isNew ? "label_created" : known);
}

/** Adds a scan in its place: events come in any order, and again. */
export function addScan(
  { state, activities }: { state: PackageState; activities: readonly Scan[] },
  scan: Scan,
): { scans: readonly Scan[]; state: PackageState; isNew: boolean } {
  const isSame = (other: Scan) =>
    other.at === scan.at && other.state === scan.state && other.text.trim() === scan.text.trim();
  if (activities.some(isSame)) return { scans: activities, state, isNew: false };
  const scans = [...activities, scan].toSorted((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
  return { scans, state: findState(scans) ?? state, isNew: true };
}

/** Scans that UPS sent as events, and that are newer than all of an answer: its tracking learns of them later. */
export function listLate(known: readonly Scan[], answer: readonly Scan[]): Scan[] {
  const newest = Math.max(...answer.map(({ at }) => (at === null ? -Infinity : Date.parse(at))));
  return known.filter(({ at }) => at !== null && Date.parse(at) > newest);
}

/** Times of the first scan, and of the newest scan or update; null without one. UPS updates packages that it doesn't have yet. */
export function findScanTimes(scans: readonly Scan[]): { first: Date | null; newest: Date | null } {
  const pick = (isMeant: (state: Scan["state"]) => boolean, choose: (...times: number[]) => number) => {
    const times = scans.flatMap(({ at, state }) => (at !== null && isMeant(state) ? [Date.parse(at)] : []));
    return times.length === 0 ? null : new Date(choose(...times));
  };
  return {
    first: pick(isScanned, Math.min),
    newest: pick((state) => state === null || isScanned(state), Math.max),
  };
}

type Compared = { state: PackageState; service: string; activities: readonly Scan[] };

/** Whether an invoice or the contact may need something: most scans only say that a package is still on its way. */
export const isForInvoice = (before: Compared, after: Compared): boolean =>
  (after.state !== before.state && after.state !== "in_transit" && after.state !== "out_for_delivery") ||
  after.service !== before.service ||
  findShipDay(after.activities) !== findShipDay(before.activities);

const findShipDay = (scans: readonly Scan[]): string | undefined =>
  scans.findLast(({ state }) => isScanned(state))?.local_date;
