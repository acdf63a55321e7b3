export type StripeErrorKind =
  /** Stripe has no such object. */
  | "not_found"
  /** The customer it is for was deleted at Stripe. */
  | "customer_gone"
  /** Stripe's own verdict: the request cannot be done as it is. */
  | "refused"
  /** A card was declined. */
  | "card"
  /** The same key came with another body: a fault of ours. */
  | "key_conflict"
  /** Our keys are wrong. */
  | "keys"
  /** No answer of Stripe's: network, a proxy, a rate limit, or its own failure. A write may have been done. */
  | "unanswered";

type Init = {
  kind: StripeErrorKind;
  http: number | null;
  code: string | null;
  requestId: string | null;
  cause?: unknown;
};

/** Every failure of a call to Stripe. The message holds codes only, since it reaches logs. */
export class StripeFailure extends Error {
  readonly kind: StripeErrorKind;
  readonly http: number | null;
  readonly code: string | null;
  /** Stripe's id of the exchange, for their support. */
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
