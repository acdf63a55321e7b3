import type { RuleMatch } from "../kit/fault-rules.ts";

/** Kinds of faults. Those with `after` do the work first; only the caller does not learn of it. */
export const FAULTS = [
  "rate_limit",
  "server_error",
  "server_error_after",
  "drop",
  "drop_after",
  "hang",
  "html_page",
  "html_page_after",
  "json_refusal",
  "json_refusal_after",
  "empty_json",
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
