import type { RuleMatch } from "../kit/fault-rules.ts";

/** Ways to misbehave. Those with `after` do the work first; the caller does not learn of it. */
export const FAULTS = [
  "rate_limit",
  "invalid_credentials",
  "server_error",
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
  "latency",
] as const;
export type Fault = (typeof FAULTS)[number];

export type FaultRule = RuleMatch & {
  fault: Fault;
  /** Status of a proxy's page or refusal. */
  status?: number;
  ms?: number;
};
