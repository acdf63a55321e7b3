export type StripeErrorKind =
  /** Stripe has no such object. */
  | "not_found"
  /** Its customer was deleted at Stripe. */
  | "customer_gone"
  /** Refused by Stripe: the request cannot be done as it is. */
  | "refused"
  /** A card was declined. */
  | "card"
  /** The same key was used with another body: our fault. */
  | "key_conflict"
  /** Our keys are wrong. */
  | "keys"
  /** No answer from Stripe: network, proxy, rate limit, or its own failure. A write may have been done. */
  | "unanswered";

type Init = {
  kind: StripeErrorKind;
  http: number | null;
  code: string | null;
  requestId: string | null;
  cause?: unknown;
};

/** Every failure of a call to Stripe. The message contains only codes, because it is logged. */
export class StripeFailure extends Error {
  readonly kind: StripeErrorKind;
  readonly http: number | null;
  readonly code: string | null;
  /** Stripe's id of the call, for their support. */
  readonly requestId: string | null;

  constructor({ kind, http, code, requestId, cause }: Init) {
    super(`Stripe: ${[kind, http, code].filter((part) => part !== null).join(" ")}`, { cause });
    this.name = "StripeFailure";
    this.kind = kind;
    this.http = http;
    this.code = code;
    this.requestId = requestId;
  }
}

export const unanswered = (cause: unknown) =>
  new StripeFailure({ kind: "unanswered", http: null, code: null, requestId: null, cause });
