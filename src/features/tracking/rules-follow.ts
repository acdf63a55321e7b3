import type { PackageState, ProofState } from "#features/tracking/contract.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time to the next look at a package in a state, while no push says more. UPS publishes no limit. */
const LOOK_AFTER_H: Partial<Record<PackageState, number>> = {
  unknown: 12,
  label_created: 12,
  in_transit: 4,
  out_for_delivery: 1,
  attempted: 4,
  held: 12,
  exception: 4,
  returned: 12,
};
/** Events come by themselves; a lost one is found by this. */
const PUSHED_H = 36;
/** UPS may learn of a number hours after the label. */
const NOT_FOUND_H = [1, 4, 12, 24];
/** Times after the first empty answer at which UPS is asked for the proof again. */
const PROOF_AFTER_H = [1, 6, 24, 72];
/** A package that was not scanned for so long isn't on its way. */
const SILENT_MS = 30 * DAY_MS;
/** UPS forgets a package after this. */
export const KEPT_MS = 120 * DAY_MS;
/** UPS's promised day begins at noon UTC at the earliest place that it delivers to by then. */
const DAY_BEGINS = "T11:00:00Z";

export type Followed = {
  state: PackageState;
  addedAt: Date;
  /** Time of the newest scan. */
  newestAt: Date | null;
  /** Looks so far that found nothing, this one included. */
  misses: number;
  scheduledOn: string | null;
  isPushed: boolean;
};

/** When UPS is asked about a package again; null to stop, and then its last state. */
export type NextLook = { state: PackageState; lookAt: Date | null };

/** Decides when a package that is not delivered is looked at again. */
export function planLook(one: Followed, now: Date): NextLook {
  const { state, addedAt, newestAt, misses, scheduledOn, isPushed } = one;
  const after = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
  if (state === "voided") return { state, lookAt: null };
  const isSilent = now.getTime() - Math.max(addedAt.getTime(), newestAt?.getTime() ?? 0) >= SILENT_MS;
  if (isSilent || now.getTime() - addedAt.getTime() >= KEPT_MS)
    return { state: state === "returned" ? state : "ended", lookAt: null };
  if (state === "not_found") return { state, lookAt: after(NOT_FOUND_H[misses - 1] ?? 24) };
  const lookAt = after(isPushed ? PUSHED_H : (LOOK_AFTER_H[state] ?? 12));
  const isFine = state === "in_transit" && scheduledOn !== null && !isPushed;
  const promised = isFine ? new Date(`${scheduledOn}${DAY_BEGINS}`) : lookAt;
  return { state, lookAt: promised > lookAt ? promised : lookAt };
}

/** @param tries questions that were answered without a proof. @returns null when UPS is not asked again */
export function planProof(tries: number, firstAskedAt: Date): Date | null {
  const hours = PROOF_AFTER_H[tries - 1];
  return hours === undefined ? null : new Date(firstAskedAt.getTime() + hours * HOUR_MS);
}

export const wantsProof = (state: PackageState, proof: ProofState): boolean =>
  state === "out_for_delivery" || (state === "delivered" && (proof === "none" || proof === "waiting"));
