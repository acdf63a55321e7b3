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
  /** Intuit's own failure. Of an item of a batch nobody knows whether it was done; other writes are then `uncertain`. */
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
  /** Said in place of the codes; never a customer's data, since it reaches logs. */
  message?: string;
  cause?: unknown;
};

/**
 * Every failure of a call to Intuit. The message holds codes only, since it reaches logs; what may be shown to the
 * company's own people is in `faults`, which loggers do not see.
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
 * What holds the number that a `duplicateDoc` calls taken, where Intuit names it: its detail ends "… is assigned to
 * TxnType=Invoice with TxnId=41".
 */
export function readHolder({ faults }: IntuitError): { type: string; id: string } | null {
  for (const { detail, message } of faults) {
    const named = /TxnType=(\w+) with TxnId=(\d+)/.exec(`${message} ${detail}`);
    if (named?.[1] && named[2]) return { type: named[1], id: named[2] };
  }
  return null;
}
