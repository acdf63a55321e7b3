import type { RetryAfter } from "./api-replies.ts";

export const FAULTS = [
  "latency",
  "hold",
  "429",
  "429xml",
  "500",
  "503",
  "code",
  "gateway",
  "half_body",
  "hang",
  "committed_answer_lost",
  "committed_500",
  "reset",
  "expired_token",
  "revoked",
  "altered_rate",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** A requested fault. Without `probability`, `once`, `everyN` or `count` it hits every matching request. */
export type FaultRule = {
  fault: FaultKind;
  match?: {
    path?: string;
    method?: string;
    realmId?: string;
    operation?: string;
    /** true: only requests whose request id was answered before; false: only others. */
    repeat?: boolean;
  };
  /** Share of matching requests, 0 to 1, drawn from `seed`. */
  probability?: number;
  seed?: number;
  once?: boolean;
  /** Hits every n-th matching request. */
  everyN?: number;
  /** Maximum number of hits. */
  count?: number;
  /** Length of `latency` (default 1000) or `hang` (default: until the caller leaves). */
  ms?: number;
  /** For `code`: the error code of the fault and its detail; for `429` another spelling of 3001. */
  code?: string;
  detail?: string;
  /**
   * For `code`, `gateway`, `429`, `500` and `503`: the request is executed, and only its answer is replaced.
   */
  committed?: boolean;
  /** Seconds until queries show an invoice created under this rule. */
  hiddenS?: number;
  /** For `gateway`: the body of its response, HTML by default. */
  page?: "html" | "empty";
  /** For `committed_500` of a batch item: the stored invoice has rates other than those sent. */
  altered?: boolean;
  /**
   * For `code` and `429`: a status other than the code's own, e.g. 500 with code 3100; for `gateway` its
   * status.
   */
  status?: number;
  retryAfter?: RetryAfter;
};

export type FaultSubject = {
  path: string;
  method: string;
  realmId: string | null;
  operation: string;
  /** Whether the request id of the subject was answered before. */
  repeat: boolean;
};

type Armed = FaultRule & {
  id: number;
  matched: number;
  fired: number;
  draw: () => number;
  path: RegExp | null;
  /** Resolves when the rule is deleted. */
  deleted: Promise<void>;
  noteDeleted: () => void;
};

/** A rule that hit a request. */
export type HitRule = FaultRule & Pick<Armed, "deleted">;

/** The active rules, in memory: a restart clears them. */
export type FaultRules = {
  /** @throws SyntaxError if a path is not a regular expression */
  add(rules: FaultRule[]): void;
  clear(): void;
  remove(id: number): void;
  list(): (FaultRule & { id: number; matched: number; fired: number })[];
  /** Returns the first rule that hits a request; every matching rule counts the request. */
  pick(subject: FaultSubject): HitRule | undefined;
};

export function createFaultRules(): FaultRules {
  let rules: Armed[] = [];
  let nextId = 1;
  const keep = (isKept: (rule: Armed) => boolean) => {
    for (const rule of rules) if (!isKept(rule)) rule.noteDeleted();
    rules = rules.filter(isKept);
  };
  return {
    add: (added) => {
      const armed = added.map((rule) => ({
        ...rule,
        id: nextId++,
        matched: 0,
        fired: 0,
        draw: seededRandom(rule.seed ?? 1),
        path: rule.match?.path === undefined ? null : new RegExp(rule.match.path),
        ...deletion(),
      }));
      rules.push(...armed);
    },
    clear: () => keep(() => false),
    remove: (id) => keep((rule) => rule.id !== id),
    list: () =>
      rules.map(({ draw: _draw, path: _path, deleted: _deleted, noteDeleted: _note, ...rule }) => rule),
    pick: (subject) => {
      const hits = rules.filter((rule) => matches(rule, subject)).filter(isDue);
      const [first] = hits;
      if (first) first.fired += 1;
      return first;
    },
  };
}

function deletion(): Pick<Armed, "deleted" | "noteDeleted"> {
  let noteDeleted = () => {};
  const deleted = new Promise<void>((resolve) => {
    noteDeleted = resolve;
  });
  return { deleted, noteDeleted };
}

/** Operation of one item of a batch; only rules that name it hit items. */
export const BATCH_ITEM = "batch.item";

function matches({ match, path }: Armed, subject: FaultSubject): boolean {
  if (subject.operation === BATCH_ITEM && !namesItem(match, subject)) return false;
  if (path !== null && !path.test(subject.path)) return false;
  return EXACT.every((trait) => match?.[trait] === undefined || match[trait] === subject[trait]);
}

const EXACT = ["method", "realmId", "operation", "repeat"] as const;

/** An item answered before gets the same answer; only rules for repeats take precedence. */
const namesItem = (match: FaultRule["match"], { repeat }: FaultSubject) =>
  match?.operation === BATCH_ITEM && (!repeat || match.repeat === true);

function isDue(rule: Armed): boolean {
  rule.matched += 1;
  const luck = rule.draw();
  if (rule.fired >= (rule.once ? 1 : (rule.count ?? Infinity))) return false;
  if (rule.everyN !== undefined && rule.matched % rule.everyN !== 0) return false;
  return rule.probability === undefined || luck < rule.probability;
}

/** Creates a small seeded generator (mulberry32): the same seed gives the same numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
