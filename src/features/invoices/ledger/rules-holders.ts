import type { Holders } from "#features/invoices/ctx.ts";
import type { Clock } from "#platform/clock.ts";

/** @param findOpenedAt since when this process works with the ledger as it is: its start, or a restore under it */
export function createHolders(findOpenedAt: () => Promise<Date>, clock: Pick<Clock, "now">): Holders {
  // Not in the ledger, where a restore would bring back that it has been done.
  const found = new Map<string, number>();
  return {
    mayHave: async ({ id, needsReconcile, requestedAt }) => {
      if (needsReconcile === "taken_over") return true;
      if (requestedAt > clock.now()) return needsReconcile === "first";
      const openedAt = await findOpenedAt();
      return requestedAt <= openedAt && found.get(id) !== openedAt.getTime();
    },
    noteFound: async ({ id }) => {
      found.set(id, (await findOpenedAt()).getTime());
    },
  };
}
