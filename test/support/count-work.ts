import type { Page } from "playwright-core";

/**
 * Counts the processor time (ms) of a page's main thread from now on: the machine's other work takes none of it.
 * @returns reads the count and ends it, since each open one adds work to all that the page does
 */
export async function countWork(page: Page): Promise<() => Promise<number>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await protocol.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
  };
  const before = await read();
  return async () => {
    const after = await read();
    await protocol.detach();
    return after - before;
  };
}

/** Time of `sortNumbers` on the machine for which times are set. */
export const SORT_MS = 150;

/** Runs in the page: work of a fixed size, to compare a page's work with. */
export function sortNumbers(): number {
  let seed = 7;
  const numbers = Array.from({ length: 200_000 }, () => (seed = (seed * 16_807) % 2_147_483_647));
  return numbers.map(String).toSorted()[0]!.length;
}
