import type { RuleMatch } from "../kit/fault-rules.ts";

/**
 * Ways to misbehave. Those with `after` do the work first; the caller does not learn of it. `no_label_after` and
 * `bad_label_after` answer success with the numbers and without a picture, or with one that can't be read; `twice` does the
 * work two times, as a gateway that repeats a call; `bare_refusal` leaves the envelope of a refusal out, as UPS's documents
 * draw it; `summary_only_after` leaves the packages out of the answer to a void.
 */
export const FAULTS = [
  "rate_limit",
  "invalid_credentials",
  "server_error",
  "refusal",
  "refusal_after",
  "bare_refusal",
  "server_error_after",
  "drop",
  "drop_after",
  "hang",
  "hang_after",
  "html_page",
  "html_page_after",
  "json_refusal",
  "json_refusal_after",
  "half_body",
  "no_label_after",
  "bad_label_after",
  "summary_only_after",
  "twice",
  "latency",
] as const;
export type Fault = (typeof FAULTS)[number];

export type FaultRule = RuleMatch & {
  fault: Fault;
  /** Status of an error, a proxy's page or its refusal. */
  status?: number;
  /** UPS's code and text of a refusal. */
  code?: string;
  message?: string;
  ms?: number;
};
