import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsCall, type UpsPlace } from "#integrations/ups/exchange.ts";
import { trackAnswer, type TrackedPackage } from "#integrations/ups/track-answer.ts";

const TIMEOUT_MS = 30_000;

/** UPS's word for a number that it doesn't know, or that this login may not see. */
const NOT_FOUND = "TW0001";

/** Both are in the answer only for a login that has to do with the package, and make it ten times as long. */
export type TrackParts = { withSignature?: boolean; withProof?: boolean };

/** Days as `YYYY-MM-DD`. */
export type ReferenceScope = { account: string; from: string; to: string };

/**
 * Looks a package up, for 120 days.
 * @param number of 7 to 34 letters and digits
 * @returns an empty list if UPS doesn't know the number
 * @throws UpsError
 */
export const track = (place: UpsPlace, accessToken: string, number: string, parts: TrackParts = {}) =>
  find(place, toTrackRequest(accessToken, number, parts));

/**
 * Finds the packages of an account by a reference on them, picked up between two days.
 * @returns an empty list if UPS knows none
 * @throws UpsError
 */
export const trackReference = (
  place: UpsPlace,
  accessToken: string,
  reference: string,
  scope: ReferenceScope,
) => find(place, toTrackReferenceRequest(accessToken, reference, scope));

export function toTrackRequest(
  accessToken: string,
  number: string,
  { withSignature = false, withProof = false }: TrackParts,
): UpsCall {
  return toGet(accessToken, `details/${encodeURIComponent(number.toUpperCase())}`, {
    returnSignature: String(withSignature),
    returnMilestones: "false",
    returnPOD: String(withProof),
  });
}

export function toTrackReferenceRequest(
  accessToken: string,
  reference: string,
  { account, from, to }: ReferenceScope,
): UpsCall {
  return toGet(accessToken, `reference/details/${encodeURIComponent(reference)}`, {
    fromPickUpDate: from.replaceAll("-", ""),
    toPickUpDate: to.replaceAll("-", ""),
    shipperNum: account,
    refNumType: "SmallPackage",
  });
}

const toGet = (accessToken: string, path: string, query: Record<string, string>): UpsCall => ({
  method: "GET",
  path: `/api/track/v1/${path}`,
  query: { locale: "en_US", ...query },
  authorization: `Bearer ${accessToken}`,
  timeoutMs: TIMEOUT_MS,
});

async function find(place: UpsPlace, call: UpsCall): Promise<TrackedPackage[]> {
  try {
    const { packages, warnings } = await exchange(place, call, trackAnswer);
    if (packages.length > 0 || warnings.includes(NOT_FOUND)) return packages;
    throw new UpsError({ kind: "uncertain", http: 200, message: "an answer without packages" });
  } catch (error) {
    const isUnknown = error instanceof UpsError && error.kind === "refused";
    if (isUnknown && error.faults.some(({ code }) => code === NOT_FOUND)) return [];
    throw error;
  }
}
