/** A package's way in our words; `held` waits for pickup, also at an access point, which is not the consumer. */
export type TrackState =
  | "label_created"
  | "voided"
  | "in_transit"
  | "out_for_delivery"
  | "delivered"
  | "attempted"
  | "held"
  | "exception"
  | "returning";

/** UPS's three-digit status codes, or ranges of them. @see UPS's appendix of tracking status codes */
const CODES: Record<TrackState, string> = {
  label_created: "003 044 045 079 080 157",
  voided: "007",
  in_transit: "005 010 025 038 039 047 057 071 072 073 075 087 158-160 164 165 167-169",
  out_for_delivery: "006 021 037 089 091 146 162",
  // 026 by the post office, 143 by an agent, 144 picked up at a post office.
  delivered: "011 026 143 144",
  attempted: "022-024 060-062 066 145",
  held: "017 019 040 083 085 100 106 161",
  exception: "013 029 046 048-053 058 059 064 068 069 086 090 132 139",
  returning: "033-036 067 081 118",
};

/** Types of activities whose code isn't known. D is none of them: UPS uses it for the way to the door too. */
const TYPES: Record<string, TrackState> = {
  M: "label_created",
  MV: "voided",
  P: "in_transit",
  I: "in_transit",
  X: "exception",
};

const STATES = new Map(
  (Object.entries(CODES) as [TrackState, string][]).flatMap(([state, codes]) =>
    codes.split(" ").flatMap((range) => expand(range).map((code) => [code, state] as const)),
  ),
);

function expand(range: string): string[] {
  const [first = 0, last = first] = range.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(3, "0"));
}

/** @param type of the activity; empty if UPS names none, as for the current status */
export function findTrackState(type: string, statusCode: string): TrackState | null {
  const state = STATES.get(statusCode.padStart(3, "0"));
  return (state === "delivered" && type !== "D" ? null : state) ?? TYPES[type] ?? null;
}

/**
 * Finds whether activities and dates of a package prove a delivery: the type D alone doesn't. One after a return is the
 * return's end, at the sender.
 * @param activities newest first
 */
export function findDelivery(
  activities: readonly { type: string; state: TrackState | null }[],
  dateTypes: readonly string[],
): "delivered" | "returning" | null {
  const latest = activities.findIndex(({ type, state }) => type === "D" && state === "delivered");
  const isDated = dateTypes.includes("DEL") && activities.some(({ type }) => type === "D");
  if (latest === -1 && !isDated) return null;
  const isReturned = activities.slice(latest + 1).some(({ state }) => state === "returning");
  return isReturned ? "returning" : "delivered";
}
