import type { Clock } from "#platform/clock.ts";

/** Moments by the vendor's clock at which a call that leaves now may arrive, the earliest and the latest. */
export type Arrival = { from: Date; until: Date };

/** A moment by our clock, which may be set to another time, and by one that only runs, but may rest in a machine that sleeps. */
type Instant = { wallMs: number; steadyMs: number };

/** The vendor's times have whole seconds, rounded down, and are of more than one machine. */
const INEXACT_MS = 2_000;

/**
 * Knows the vendor's clock by the Date of its last answer and the time since. Only that is used, so that a clock of ours
 * that is wrong, or was set meanwhile, changes nothing.
 */
export function createVendorClock(clock: Pick<Clock, "now" | "steadyMs">) {
  let last: { dateMs: number; sent: Instant; received: Instant } | null = null;
  const read = (): Instant => {
    const wallMs = clock.now().getTime();
    return { wallMs, steadyMs: clock.steadyMs?.() ?? wallMs };
  };
  return {
    read,
    /** Learns from an answer that came to a call that left at `sent`. */
    note: (date: string | null, sent: Instant) => {
      const dateMs = Date.parse(date ?? "");
      if (!Number.isNaN(dateMs)) last = { dateMs, sent, received: read() };
    },
    /** @returns null before the first answer */
    arrival: (): Arrival | null => {
      if (!last) return null;
      const [since, atMost] = [elapsed(last.received, read()), elapsed(last.sent, read())];
      return {
        from: new Date(last.dateMs + Math.max(0, Math.min(...since)) - INEXACT_MS),
        until: new Date(last.dateMs + INEXACT_MS + Math.max(...atMost)),
      };
    },
    /** The earliest moment by the vendor's clock that one of ours can have been. @returns null before the first answer */
    translate: (moment: Date): Date | null =>
      last && new Date(moment.getTime() + last.dateMs - last.received.wallMs - INEXACT_MS),
  };
}

const elapsed = (from: Instant, to: Instant) => [to.wallMs - from.wallMs, to.steadyMs - from.steadyMs];

export type VendorClock = ReturnType<typeof createVendorClock>;
