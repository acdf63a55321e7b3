/** Times after the first empty answer at which UPS is asked for the proof again. */
const AFTER_H = [1, 6, 24, 72];

/** @param requests that were answered without a proof. @returns null when UPS is not asked again */
export function planProof(requests: number, firstRequestedAt: Date): Date | null {
  const hours = AFTER_H[requests - 1];
  return hours === undefined ? null : new Date(firstRequestedAt.getTime() + hours * 3_600_000);
}
