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

export type FaultRule = {
  fault: Fault;
  /** Such as "POST"; default any. */
  method?: string;
  /** Path prefix, such as "/v1/subscriptions"; default any. */
  path?: string;
  /** Number of requests it hits; default unlimited. */
  times?: number;
  /** Number of requests that pass first. */
  skip?: number;
  /** Status of a proxy's page or refusal. */
  status?: number;
  ms?: number;
};

export type FaultRules = ReturnType<typeof createFaultRules>;

/** Creates the store of fault rules, in memory: a restart clears them. */
export function createFaultRules() {
  let rules: (FaultRule & { fired: number; seen: number })[] = [];
  return {
    add: (added: readonly FaultRule[]) => {
      rules = [...rules, ...added.map((rule) => ({ ...rule, fired: 0, seen: 0 }))];
    },
    clear: () => {
      rules = [];
    },
    list: () => rules,
    /** Returns the first rule that hits a request, and counts the hit. */
    take: (method: string, path: string): FaultRule | undefined => {
      for (const rule of rules) {
        if (rule.method !== undefined && rule.method !== method) continue;
        if (rule.path !== undefined && !path.startsWith(rule.path)) continue;
        rule.seen += 1;
        if (rule.seen <= (rule.skip ?? 0) || rule.fired >= (rule.times ?? Infinity)) continue;
        rule.fired += 1;
        return rule;
      }
      return undefined;
    },
  };
}
