type Facts = {
  status: number;
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: object;
  payment_method?: object;
  charge?: string;
};

/** An unsuccessful answer of Stripe. Earlier writes are kept only with `keepsChanges`. */
export class StripeFault extends Error {
  readonly facts: Facts;
  readonly keepsChanges: boolean;

  constructor(facts: Facts, keepsChanges = false) {
    super(facts.message);
    this.facts = facts;
    this.keepsChanges = keepsChanges;
  }

  /** The error body of the wire. */
  body(): object {
    const { status: _status, code, ...facts } = this.facts;
    const doc =
      code === undefined
        ? {}
        : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` };
    return { error: { ...doc, ...facts } };
  }
}

export const invalid = (message: string, facts: { param?: string; code?: string } = {}) =>
  new StripeFault({ status: 400, type: "invalid_request_error", message, ...facts });

/** @param param where the id came from: an unknown id is a 404 in the address and invalid in a field */
export const missing = (noun: string, id: string, param = "id") =>
  new StripeFault({
    status: param === "id" ? 404 : 400,
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${noun}: '${id}'`,
    param,
  });
