import { IntuitError, readHolder, findEarlyEnd, leavesInDoubt } from "#integrations/intuit/errors.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";

/**
 * Finds the cause of a failure that halts the run: QuickBooks accepts nothing until a user fixes
 * it.
 */
export function findHalt(error: unknown): Cause | null {
  const end = findEarlyEnd(error);
  if (!end || !(error instanceof IntuitError)) return null;
  return { code: end.kind === "reconnect" ? "reconnect" : end.cause, params: {}, tid: error.tid };
}

export const isVendorFailure = (error: unknown): boolean => error instanceof IntuitError;

export const isOutage = (error: unknown): boolean => error instanceof IntuitError && leavesInDoubt(error);

/**
 * Converts a failed call to evidence about one write. Only Intuit's own answers count: a proxy's
 * page, a system fault or silence leave it in doubt.
 * @param conflicts kinds of faults that mean the books differ from what the write expects
 * @throws anything that is not an Intuit failure
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

/** Converts a fault to a cause: its code, Intuit's own text, and the holder of a taken number. */
function toCause(error: IntuitError): Cause {
  const detail = error.faults.map((fault) => fault.detail || fault.message).filter(Boolean);
  const holder = readHolder(error);
  const element = error.faults.find((fault) => fault.element !== "")?.element;
  return {
    code: CODES[error.kind] ?? "refused",
    params: {
      detail: detail.join(" ") || error.message,
      holderType: holder?.type ?? null,
      holderId: holder?.id ?? null,
      ...(element === undefined ? {} : { element }),
    },
    tid: error.tid,
  };
}
