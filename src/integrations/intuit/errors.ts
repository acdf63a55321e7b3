export type IntuitErrorKind =
  /** The access token was refused, even after a renewal. */
  | "auth"
  /** The authorization has ended: an admin must reconnect the company. */
  | "reconnect"
  | "throttled"
  /** The monthly quota is spent; waiting a minute does not help. */
  | "quota"
  | "stale"
  | "notFound"
  | "duplicateDoc"
  | "duplicateName"
  | "badReference"
  | "closedBooks"
  | "subscription"
  | "permission"
  /** The company's QuickBooks plan or its user's permissions there do not allow it. */
  | "plan"
  /** Intuit does not have the company at this address: keys, environment and company don't match. */
  | "environment"
  | "validation"
  /** Intuit's own failure. An item of a batch may have been done; other writes are then `uncertain`. */
  | "system"
  /** Nothing was done: the request did not arrive, or a read got no answer from Intuit. */
  | "network"
  /** A write with an unknown outcome: replay it with the same requestid, or search for it. */
  | "uncertain"
  /** We sent something that Intuit does not understand. */
  | "bug";

/**
 * One entry of a fault in Intuit's words; secrets are removed from `detail`. `type`, and `element`, the property
 * it is about, are empty if absent.
 */
export type IntuitFault = {
  code: string;
  element: string;
  message: string;
  detail: string;
  type: string;
};

type Init = {
  kind: IntuitErrorKind;
  http?: number | null;
  faults?: readonly IntuitFault[];
  tid?: string | null;
  retryAfterSeconds?: number | undefined;
  /** Replaces the codes in the message; must not contain customer data, because it is logged. */
  message?: string;
  cause?: unknown;
};

/**
 * Every failure of a call to Intuit. The message contains only codes, because it is logged; texts for users
 * of the company are in `faults`, which loggers do not see.
 */
export class IntuitError extends Error {
  readonly kind: IntuitErrorKind;
  /** Status of the answer, null if there was none. */
  readonly http: number | null;
  declare readonly faults: readonly IntuitFault[];
  /** Intuit's id of the call, for their support. */
  readonly tid: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(init: Init) {
    const faults = init.faults ?? [];
    super(describe(init, faults), { cause: init.cause });
    this.name = "IntuitError";
    this.kind = init.kind;
    this.http = init.http ?? null;
    this.tid = init.tid ?? null;
    this.retryAfterSeconds = init.retryAfterSeconds;
    // Not enumerable: details quote customer names, which must not be logged.
    Object.defineProperty(this, "faults", { value: faults, enumerable: false });
  }
}

function describe({ kind, http, message }: Init, faults: readonly IntuitFault[]): string {
  const codes = faults.map((fault) => fault.code).join(", ");
  const about = message ?? (codes ? `code ${codes}` : "no fault that can be read");
  return http ? `Intuit answered ${http}: ${about} (${kind})` : `${about} (${kind})`;
}

/**
 * Finds the holder of a number that `duplicateDoc` reports as taken, if Intuit names it: the detail ends with
 * "… is assigned to TxnType=Invoice with TxnId=41".
 */
export function readHolder({ faults }: IntuitError): { type: string; id: string } | null {
  for (const { detail, message } of faults) {
    const named = /TxnType=(\w+) with TxnId=(\d+)/.exec(`${message} ${detail}`);
    if (named?.[1] && named[2]) return { type: named[1], id: named[2] };
  }
  return null;
}

/** Cause for which QuickBooks refuses all writes to a company until an admin fixes it. */
export type StopCause = "subscription" | "permission" | "environment" | "quota";

/** Early end of all work: wait for a user to reconnect, or stop. */
export type EarlyEnd = { kind: "reconnect" } | { kind: "stop"; cause: StopCause };

/** Finds the early end that a failure causes; null if it concerns only one invoice. */
export function findEarlyEnd(error: unknown): EarlyEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  return isStopCause(error.kind) ? { kind: "stop", cause: error.kind } : null;
}

const isStopCause = (kind: IntuitErrorKind): kind is StopCause =>
  kind === "subscription" || kind === "permission" || kind === "environment" || kind === "quota";

/** Whether the write may have been done. */
export const leavesInDoubt = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);

/** Whether QuickBooks is still processing an earlier send of the same request. */
export const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");
