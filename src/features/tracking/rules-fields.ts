import type { PackageState, Scan } from "#features/packages/contract.ts";
import { isScanned } from "#features/packages/index.ts";

/** Values of an invoice's shipping fields; empty for none. */
export type Fields = { shipDate: string; shipVia: string; trackingNumber: string };
export type FieldName = keyof Fields;
export const FIELD_NAMES = ["shipDate", "shipVia", "trackingNumber"] as const satisfies readonly FieldName[];

export type FieldsPackage = {
  number: string;
  state: PackageState;
  service: string;
  /** Newest first. */
  activities: readonly Pick<Scan, "state" | "local_date">[];
  /** Whether the number is in the invoice's field. */
  inBooks: boolean;
};

/** QuickBooks does not document how many characters the field takes; fewer were never refused. */
const MAX_TRACKING = 31;

/**
 * Finds shipping fields to write: values that are missing, and values of ours that no user changed and that are no longer right.
 * @param current of the invoice
 * @param ours written last; absent if never
 * @returns null if nothing is to be written; an empty text clears a field
 */
export function findFields(
  current: Fields,
  ours: Partial<Fields>,
  packages: readonly FieldsPackage[],
): Partial<Fields> | null {
  const wanted = deriveFields(packages);
  const changes = FIELD_NAMES.flatMap((name) => {
    const [there, written, value] = [current[name].trim(), ours[name] ?? "", wanted[name]];
    // A field that a user emptied, or filled, is theirs.
    const isOurs = written === there;
    if (!isOurs || value === null || value === there) return [];
    return [[name, value] as const];
  });
  return changes.length > 0 ? Object.fromEntries(changes) : null;
}

/** @returns null for a field about which nothing is known: it stays */
function deriveFields(packages: readonly FieldsPackage[]): Record<FieldName, string | null> {
  const live = packages.filter(({ state }) => state !== "voided");
  if (live.length === 0) return { shipDate: "", shipVia: "", trackingNumber: "" };
  const days = live.flatMap(({ activities }) =>
    activities.flatMap(({ state, local_date: day }) => (day !== "" && isScanned(state) ? [day] : [])),
  );
  const service = live.find((pkg) => pkg.service !== "")?.service;
  const made = live.filter(({ inBooks }) => !inBooks).map(({ number }) => number);
  // With the first scan, so that an invoice is mostly changed once.
  const isGoing = days.length > 0 || made.length > 0;
  return {
    shipDate: days.toSorted()[0] ?? null,
    shipVia: isGoing ? (service ?? null) : null,
    trackingNumber: made.length === 0 ? null : fitNumbers(made),
  };
}

/** As many numbers as the field takes, and at least the first. */
function fitNumbers([first = "", ...others]: readonly string[]): string {
  const all = [first, ...others].join(", ");
  return all.length <= MAX_TRACKING ? all : first;
}
