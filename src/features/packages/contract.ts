import * as z from "zod";

/**
 * Where a package is, in our words. `unknown`: UPS was not asked yet. `not_found`: UPS doesn't know the number.
 * `returned`: on the way back to the sender, or there. `ended`: no longer followed, without a delivery.
 */
export const PACKAGE_STATES = [
  "unknown",
  "not_found",
  "label_created",
  "in_transit",
  "out_for_delivery",
  "delivered",
  "attempted",
  "held",
  "exception",
  "returned",
  "voided",
  "ended",
] as const;
export type PackageState = (typeof PACKAGE_STATES)[number];

export const placed = z.object({
  /** Time of the scan in the world, null if UPS names none. */
  at: z.iso.datetime().nullable(),
  /** At the place of the scan: `YYYY-MM-DD` and `HH:MM:SS`, empty if absent. */
  local_date: z.string(),
  local_time: z.string(),
  /** "Sedona, AZ"; empty if UPS names no place. */
  place: z.string(),
});
export type Placed = z.output<typeof placed>;

/** Hours between which a package comes on its day, `HH:MM:SS` at its destination. */
export const dueHours = z.object({ from: z.string(), until: z.string() });
export type DueHours = z.output<typeof dueHours>;

export const scan = placed.extend({
  state: z.enum(PACKAGE_STATES).nullable(),
  /** UPS's words. */
  text: z.string(),
});
export type Scan = z.output<typeof scan>;
