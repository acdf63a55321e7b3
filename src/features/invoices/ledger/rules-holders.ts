import type { Clock } from "#platform/clock.ts";
import type { HeldRun } from "#platform/runs/types.ts";

type Run = Pick<HeldRun, "id" | "needsReconcile" | "requestedAt">;

/** Tells which runs others than this ledger knows of may have worked on. */
export type Holders = {
  /**
   * Whether others may have worked on a run. Not when it was added while this process works with the ledger as it is:
   * then the ledger is no copy from before, and an equal invoice in the books is another user's.
   */
  mayHave(run: Run): Promise<boolean>;
  /** Notes that what others did on a run has been found, until the ledger is put back once more. */
  noteFound(run: Run): Promise<void>;
};

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
