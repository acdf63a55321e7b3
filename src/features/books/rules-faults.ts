import { IntuitError, readHolder, findEarlyEnd, leavesInDoubt } from "#integrations/intuit/errors.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";

/** Finds the cause for which a failure halts the run: QuickBooks accepts nothing more until a user fixes it. */
export function findHalt(error: unknown): Cause | null {
  const end = findEarlyEnd(error);
  if (!end || !(error instanceof IntuitError)) return null;
  return { code: end.kind === "reconnect" ? "reconnect" : end.cause, params: {}, tid: error.tid };
}

export const isVendorFailure = (error: unknown): boolean => error instanceof IntuitError;

/**
 * Evidence of a failed call about one write. Only Intuit's own words are believed: a page of a proxy in between, a fault
 * of the system or silence leave it in doubt.
 * @param conflicts kinds of faults that say the books are not as the write expects
 * @throws what is no failure of Intuit's
 */
export function toEvidence(error: unknown, conflicts: readonly IntuitError["kind"][]): Evidence {
  if (!(error instanceof IntuitError)) throw error;
  const cause = toCause(error);
  if (error.kind === "network" || findEarlyEnd(error)) return { kind: "notDone", cause };
  if (error.faults.length === 0) return { kind: "inDoubt", cause };
  if (error.kind === "throttled") return { kind: "notDone", cause };
  if (leavesInDoubt(error)) return { kind: "inDoubt", cause };
  return { kind: conflicts.includes(error.kind) ? "conflict" : "refused", cause };
}

const CODES: Partial<Record<IntuitError["kind"], string>> = {
  duplicateDoc: "duplicate_number",
  closedBooks: "closed_books",
  badReference: "bad_reference",
  notFound: "bad_reference",
  plan: "plan_limit",
};

/** A fault as a cause: its code, Intuit's own words, and what holds the number that it calls taken. */
function toCause(error: IntuitError): Cause {
  const detail = error.faults.map((fault) => fault.detail || fault.message).filter(Boolean);
  const holder = readHolder(error);
  return {
    code: CODES[error.kind] ?? "refused",
    params: {
      detail: detail.join(" ") || error.message,
      holderType: holder?.type ?? null,
      holderId: holder?.id ?? null,
    },
    tid: error.tid,
  };
}
