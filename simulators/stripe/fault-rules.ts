/** Ways to misbehave. Those with `after` do the work first; the caller only does not learn of it. */
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
  /** Such as "POST"; any when absent. */
  method?: string;
  /** Beginning of the path, such as "/v1/subscriptions"; any when absent. */
  path?: string;
  /** How many requests it hits; without end when absent. */
  times?: number;
  /** Requests that it lets pass first. */
  skip?: number;
  /** Status of a proxy's page or refusal. */
  status?: number;
  ms?: number;
};

export type FaultRules = ReturnType<typeof createFaultRules>;

/** The rules that are asked for, in memory: a restart forgets them. */
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
    /** The first rule that hits a request; it is counted. */
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
