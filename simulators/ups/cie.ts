import { json, type Reply } from "../kit/http.ts";
import { UpsFault } from "./replies.ts";

/** The number that UPS's test environment answers for every label: it can be neither voided nor tracked. */
export const MASK = "1ZXXXXXXXXXXXXXXXX";

/** Shipments whose void always succeeds there. */
const VOIDABLE = ["1ZISDE016691676846", "1Z2220060290602143"];
/** Packages of a shipment, and those that are not voided. */
const PACKAGES: Readonly<Record<string, { voided: readonly string[]; kept?: readonly string[] }>> = {
  "1Z2220060294314162": { voided: ["1Z2220060291994175"] },
  "1Z2220060292690189": { voided: ["1Z2220060292002190"] },
  "1ZISDE016691609089": { voided: ["1ZISDE016694068891", "1ZISDE016690889305"] },
  "1Z2220060290530202": { voided: ["1Z2220060293874210"], kept: ["1Z2220060292634221"] },
};

/** Answers a void as the test environment does: by fixed numbers. @throws UpsFault for all others */
export function voidInCie(id: string, numbers: readonly string[] | null): Reply {
  const known = PACKAGES[id];
  if (numbers === null && VOIDABLE.includes(id)) return json(200, answer([{ number: id, voided: true }]));
  const outcomes = (numbers ?? []).map((number) => ({
    number,
    voided: known?.voided.includes(number) ?? false,
    kept: known?.kept?.includes(number) ?? false,
  }));
  if (!known || outcomes.length === 0 || outcomes.some(({ voided, kept }) => !voided && !kept))
    throw new UpsFault(400, "190102", "No shipment found within the allowed void period");
  return json(200, answer(outcomes));
}

function answer(outcomes: readonly { number: string; voided: boolean }[]): object {
  const results = outcomes.map(({ number, voided }) => ({
    TrackingNumber: number,
    Status: voided ? { Code: "1", Description: "Voided" } : { Code: "0", Description: "Not Voided" },
  }));
  const complete = outcomes.every(({ voided }) => voided);
  return {
    VoidShipmentResponse: {
      Response: { ResponseStatus: { Code: "1", Description: "Success" } },
      SummaryResult: { Status: { Code: "1", Description: complete ? "Voided" : "Partially Voided" } },
      PackageLevelResult: results.length === 1 ? results[0] : results,
    },
  };
}
