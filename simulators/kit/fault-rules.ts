/** Requests that a rule hits, and how often. */
export type RuleMatch = {
  /** Such as "POST"; default any. */
  method?: string;
  /** Path prefix, such as "/v1/subscriptions"; default any. */
  path?: string;
  /** Name of the call, where the simulator names its calls; default any. */
  operation?: string;
  /** Number of requests it hits; default unlimited. */
  times?: number;
  /** Number of requests that pass first. */
  skip?: number;
};

export type FaultRules<Rule> = {
  add(rules: readonly Rule[]): void;
  clear(): void;
  list(): readonly Rule[];
  /** Returns the first rule that hits a request, and counts the hit. */
  take(method: string, path: string, operation?: string | null): Rule | undefined;
};

/** Creates the store of fault rules, in memory: a restart clears them. */
export function createFaultRules<Rule extends RuleMatch>(): FaultRules<Rule> {
  let rules: (Rule & { fired: number; seen: number })[] = [];
  return {
    add: (added) => {
      rules = [...rules, ...added.map((rule) => ({ ...rule, fired: 0, seen: 0 }))];
    },
    clear: () => {
      rules = [];
    },
    list: () => rules,
    take: (method, path, operation = null) => {
      for (const rule of rules) {
        if (rule.method !== undefined && rule.method !== method) continue;
        if (rule.path !== undefined && !path.startsWith(rule.path)) continue;
        if (rule.operation !== undefined && rule.operation !== operation) continue;
        rule.seen += 1;
        if (rule.seen <= (rule.skip ?? 0) || rule.fired >= (rule.times ?? Infinity)) continue;
        rule.fired += 1;
        return rule;
      }
      return undefined;
    },
  };
}
