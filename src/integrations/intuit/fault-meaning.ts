import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";

/** Why QuickBooks takes nothing more from us for a company until somebody fixes that. */
export type StopCause = "subscription" | "permission" | "environment" | "quota";

/** What ends all of the work early: it waits for a user to reconnect, or stops. */
export type EarlyEnd = { kind: "reconnect" } | { kind: "stop"; cause: StopCause };

/** What a failure means for all of the work, or null when only one invoice is concerned. */
export function endOf(error: unknown): EarlyEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  return isStopCause(error.kind) ? { kind: "stop", cause: error.kind } : null;
}

const isStopCause = (kind: IntuitErrorKind): kind is StopCause =>
  kind === "subscription" || kind === "permission" || kind === "environment" || kind === "quota";

/** Whether it is not known if a write was done. */
export const leavesInDoubt = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);

/** Whether QuickBooks still works on an earlier send of the same request. */
export const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");
