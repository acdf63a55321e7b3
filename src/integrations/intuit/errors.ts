export type IntuitErrorKind =
  /** The access token was refused, also after a renewal. */
  | "auth"
  /** The authorization has ended: an admin must connect the company again. */
  | "reconnect"
  | "throttled"
  /** The month's calls are spent; waiting a minute does not help. */
  | "quota"
  | "stale"
  | "notFound"
  | "duplicateDoc"
  | "duplicateName"
  | "badReference"
  | "closedBooks"
  | "subscription"
  | "permission"
  /** The company's QuickBooks plan, or its user's rights there, do not allow it. */
  | "plan"
  /** Intuit does not have the company where we asked: keys, environment and company do not go together. */
  | "environment"
  | "validation"
  /** Intuit's own failure. An item of a batch may or may not have been done; other writes are then `uncertain`. */
  | "system"
  /** Nothing was done: the request did not get there, or a read brought no answer of Intuit's. */
  | "network"
  /** A write whose outcome is unknown: replay it with the same requestid, or look. */
  | "uncertain"
  /** We sent what Intuit does not understand. */
  | "bug";

/** One entry of a fault, as Intuit words it; secrets are taken out of `detail`. `type` is empty where it is not given. */
export type IntuitFault = {
  code: string;
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
  /** Replaces the codes in the message; never customer data, since it reaches logs. */
  message?: string;
  cause?: unknown;
};

/**
 * Every failure of a call to Intuit. The message holds codes only, since it reaches logs; texts for users of the company
 * are in `faults`, which loggers do not see.
 */
export class IntuitError extends Error {
  readonly kind: IntuitErrorKind;
  /** Status of the answer, null when there was none. */
  readonly http: number | null;
  declare readonly faults: readonly IntuitFault[];
  /** Intuit's id of the exchange, for their support. */
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
    // Not enumerable: details quote names of customers, which must not reach the log.
    Object.defineProperty(this, "faults", { value: faults, enumerable: false });
  }
}

function describe({ kind, http, message }: Init, faults: readonly IntuitFault[]): string {
  const codes = faults.map((fault) => fault.code).join(", ");
  const about = message ?? (codes ? `code ${codes}` : "no fault that can be read");
  return http ? `Intuit answered ${http}: ${about} (${kind})` : `${about} (${kind})`;
}

/**
 * Finds the holder of the number that a `duplicateDoc` calls taken, where Intuit names it: its detail ends "… is assigned to
 * TxnType=Invoice with TxnId=41".
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

/** Early end of all work: it waits for a user to reconnect, or stops. */
export type EarlyEnd = { kind: "reconnect" } | { kind: "stop"; cause: StopCause };

/** Finds the early end that a failure means; null when only one invoice is concerned. */
export function findEarlyEnd(error: unknown): EarlyEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  return isStopCause(error.kind) ? { kind: "stop", cause: error.kind } : null;
}

const isStopCause = (kind: IntuitErrorKind): kind is StopCause =>
  kind === "subscription" || kind === "permission" || kind === "environment" || kind === "quota";

/** Whether the write may or may not have been done. */
export const leavesInDoubt = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);

/** Whether QuickBooks still works on an earlier send of the same request. */
export const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");
