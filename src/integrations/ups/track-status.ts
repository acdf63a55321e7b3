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

/**
 * UPS's three-digit status codes, or ranges of them, all of its list.
 * @see UPS's appendix "Status/Description Codes" of its Tracking API: 160 codes from 000 to 169
 */
export const CODES: Record<TrackState, string> = {
  label_created: "003 044 045 079 080 157 166",
  voided: "007",
  // Customs that go on or are done are part of the way, as are facilities and partners.
  in_transit:
    "005 010 012 014 016 025 038 039 047 057 070-075 084 087 092 123 126 134 137 138 158-160 164 165 167-169",
  out_for_delivery: "006 021 037 078 089 091 146 162",
  // 026 by the post office, 143 by an agent.
  delivered: "011 026 143",
  attempted: "022-024 060-062 066 145",
  // 144 waits at a post office, 161 at an access point: neither is the consumer.
  held: "017 019 040 083 085 144 161",
  // 147 seized, 149 destroyed.
  exception: "013 029 030 046 048-053 058 059 064 068 069 076 086 090 124 125 132 139 141 147 149",
  returning: "033-036 067 081 118",
};

/** Codes that say nothing about where a package is: requests and their confirmations, claims, pickups, news of a date, no status. */
export const UNMAPPED =
  "000 018 020 027 028 032 041-043 054-056 063 065 077 082 088 093-117 119-122 127-131 133 135 136 140 142 148 153-156 163";

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
    expandCodes(codes).map((code) => [code, state] as const),
  ),
);

/** Lists the codes of "003 044-046". */
export function expandCodes(codes: string): string[] {
  return codes.split(" ").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(3, "0"));
  });
}

/** UPS has the package in an activity of these types, also where its code is one of labels, such as X with 003 for customs. */
const MOVED: ReadonlySet<string> = new Set(["P", "I", "X", "D"]);

/** @param type of the activity; empty if UPS names none, as for the current status */
export function findTrackState(type: string, statusCode: string): TrackState | null {
  const state = STATES.get(statusCode.padStart(3, "0"));
  if (state === "label_created" && MOVED.has(type)) return "in_transit";
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
