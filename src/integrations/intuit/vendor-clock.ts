import type { Clock } from "#platform/clock.ts";

/** Earliest and latest time, by the vendor's clock, at which a call sent now may arrive. */
export type Arrival = { from: Date; until: Date };

/** Readings of our wall clock, which can be adjusted, and of a monotonic clock, which may pause while the machine sleeps. */
type Instant = { wallMs: number; steadyMs: number };

/** The vendor's Date headers are truncated to seconds, and come from more than one machine. */
const CLOCK_ERROR_MS = 2_000;

/**
 * Estimates the vendor's clock from the Date of its last response plus the time elapsed since, so that a local clock that
 * is wrong, or was adjusted in the meantime, has no effect.
 */
export function createVendorClock(clock: Pick<Clock, "now" | "steadyMs">) {
  let last: { dateMs: number; sent: Instant; received: Instant } | null = null;
  const read = (): Instant => {
    const wallMs = clock.now().getTime();
    return { wallMs, steadyMs: clock.steadyMs?.() ?? wallMs };
  };
  return {
    read,
    /** Updates the estimate from the response to a call that was sent at `sent`. */
    note: (date: string | null, sent: Instant) => {
      const dateMs = Date.parse(date ?? "");
      if (!Number.isNaN(dateMs)) last = { dateMs, sent, received: read() };
    },
    /** @returns null before the first response */
    arrival: (): Arrival | null => {
      if (!last) return null;
      const [since, atMost] = [elapsed(last.received, read()), elapsed(last.sent, read())];
      return {
        from: new Date(last.dateMs + Math.max(0, Math.min(...since)) - CLOCK_ERROR_MS),
        until: new Date(last.dateMs + CLOCK_ERROR_MS + Math.max(...atMost)),
      };
    },
    /** Converts one of our times to the earliest that it can have been by the vendor's clock. @returns null before the first response */
    translate: (moment: Date): Date | null =>
      last && new Date(moment.getTime() + last.dateMs - last.received.wallMs - CLOCK_ERROR_MS),
  };
}

const elapsed = (from: Instant, to: Instant) => [to.wallMs - from.wallMs, to.steadyMs - from.steadyMs];

export type VendorClock = ReturnType<typeof createVendorClock>;
