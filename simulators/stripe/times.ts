import { find, idOrNull } from "./store.ts";
import type { Simulator } from "./simulator.ts";

export const DAY = 86_400;

/** Seconds since 1970 by the simulator's clock, or the time of the change being caught up on. */
export const machineNow = (sim: Simulator): number => sim.asOf ?? clockNow(sim);

export const clockNow = (sim: Simulator): number => Math.floor(sim.clock.now().getTime() / 1000);

/** Finds a customer's test clock; null if the customer uses the simulator's own clock. */
export function findTestClock(sim: Simulator, customerId: string | null): string | null {
  const customer = customerId ? find(sim, "customer", customerId) : undefined;
  return idOrNull(customer?.test_clock);
}

/** Current time for a customer. */
export function nowFor(sim: Simulator, customerId: string | null): number {
  if (sim.asOf !== null) return sim.asOf;
  const clock = findTestClock(sim, customerId);
  const frozen = clock ? find(sim, "test_helpers.test_clock", clock)?.frozen_time : undefined;
  return frozen ?? machineNow(sim);
}

/** Adds an interval, keeping the day of the month if possible. */
export function addInterval(at: number, interval: string, count: number): number {
  const date = new Date(at * 1000);
  if (interval === "day") return at + count * DAY;
  if (interval === "week") return at + count * 7 * DAY;
  const day = date.getUTCDate();
  date.setUTCDate(1);
  if (interval === "month") date.setUTCMonth(date.getUTCMonth() + count);
  else date.setUTCFullYear(date.getUTCFullYear() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}
