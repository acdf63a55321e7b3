import type { PackageState } from "#features/tracking/contract.ts";
import type { Scan } from "#features/tracking/tables.ts";

/** Adds a scan in its place: events come in any order, and again. The newest that says something is the state. */
export function addScan(
  { state, activities }: { state: PackageState; activities: readonly Scan[] },
  scan: Scan,
): { scans: readonly Scan[]; state: PackageState; isNew: boolean } {
  const isSame = (one: Scan) =>
    one.at === scan.at && one.state === scan.state && one.text.trim() === scan.text.trim();
  if (activities.some(isSame)) return { scans: activities, state, isNew: false };
  const scans = [...activities, scan].toSorted((one, other) => (other.at ?? "").localeCompare(one.at ?? ""));
  return { scans, state: scans.find((one) => one.state !== null)?.state ?? state, isNew: true };
}
