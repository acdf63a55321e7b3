import type { Cause, Evidence, WriteAnswer } from "#platform/writes/evidence.ts";
import { roundWaitMs, type WritePolicy } from "#platform/writes/policy.ts";

/** Facts of an open write that a decision depends on. */
export type OpenWrite = {
  /** `planned`: never sent, or certainly not done. `sent`: it may have been done. */
  state: "planned" | "sent";
  /** Whether the vendor itself refuses a duplicate, by number or version. */
  keyed: boolean;
  /** Whether a call before the one that gave the evidence may have done it. */
  repeated: boolean;
  lastSentAt: Date | null;
  /** When a sent write is due for a lookup. */
  dueAt: Date | null;
  /** Number of searches that found nothing so far. */
  rounds: number;
  /** Refusal of a call that is not conclusive, because an earlier call may have done the write. */
  refusal: Refusal | null;
};

/**
 * `conflict`: the vendor reported that its data differ from what the write expects, on the first call that
 * may have done it or later.
 */
export type Refusal = Cause & { conflict: "none" | "first" | "later" };

export type Decision =
  /** Send it for the first time; a keyed one may share a call with others. */
  | { kind: "send" }
  /** Resend it, alone and under its own request id. */
  | { kind: "resend" }
  /** Search the vendor's data for it. */
  | { kind: "lookUp"; refusal: Refusal | null }
  | { kind: "settle"; outcome: "done"; answer: WriteAnswer }
  | { kind: "settle"; outcome: "refused" | "unresolved"; cause: Cause }
  /** Do nothing until then. In state `planned`, it is sent again when the run continues. */
  | { kind: "wait"; state: "planned" | "sent"; until: Date };

type Facts = { write: OpenWrite; evidence: Evidence; now: Date; policy: WritePolicy };
type Decide = (facts: Facts) => Decision;

/** `when`: the condition in words. `does`: the decision in words. */
type Condition = { when: string; holds(facts: Facts): boolean };
type Rule = Partial<Condition> & { does: string; decide: Decide };
type Rules = Partial<Record<Evidence["kind"], readonly Rule[]>>;

const NOT_DUE: Condition = {
  when: "it is not due yet",
  holds: ({ write, now }) => write.dueAt !== null && now < write.dueAt,
};
const NOT_REPEATED: Condition = {
  when: "no earlier call may have done it",
  holds: ({ write }) => !write.repeated,
};
const NOT_PROVEN: Condition = {
  when: "a search may not show it yet",
  holds: (facts) => facts.now < provenAt(facts),
};
const FIRST_CONFLICT: Condition = {
  when: "the first call met a conflict",
  holds: ({ write }) => write.refusal?.conflict === "first",
};
const LATER_CONFLICT: Condition = {
  when: "a repeated call met a conflict",
  holds: ({ write }) => write.refusal?.conflict === "later",
};
const REFUSED: Condition = { when: "a call was refused", holds: ({ write }) => write.refusal !== null };
const ONCE: Condition = {
  when: "the vendor does not recognize a repeated call",
  holds: ({ policy }) => policy.repeats === "never",
};
const ONCE_AND_SPENT: Condition = {
  when: "the vendor does not recognize a repeated call, and all searches are used up",
  holds: (facts) => ONCE.holds(facts) && ROUNDS_SPENT.holds(facts),
};
const ROUNDS_SPENT: Condition = {
  when: "all searches are used up",
  holds: ({ write, policy }) => write.rounds >= policy.maxRounds,
};

const send: Decide = () => ({ kind: "send" });
const resend: Decide = () => ({ kind: "resend" });
const waitUntilDue: Decide = ({ write, now }) => waitUntil(write.dueAt ?? now);
const waitUntilProven: Decide = (facts) => waitUntil(provenAt(facts));
const waitForVendor: Decide = ({ now, policy }) => waitUntil(after(now, policy.outageMs));
const waitAsPlanned: Decide = ({ now, policy }) => waitUntil(after(now, policy.outageMs), "planned");
const waitForRound: Decide = ({ write, now, policy }) =>
  waitUntil(after(now, Math.max(policy.firstLookMs, roundWaitMs(policy, write.rounds))));
const waitForLook: Decide = (facts) => waitUntil(nextLook(facts, facts.write.rounds));
const waitForNextLook: Decide = (facts) => waitUntil(nextLook(facts, facts.write.rounds + 1));
const lookUp: Decide = ({ write }) => ({ kind: "lookUp", refusal: write.refusal });
const lookUpRefused: Decide = ({ evidence }) => ({
  kind: "lookUp",
  refusal: { ...toCause(evidence), conflict: "none" },
});
const lookUpConflict: Decide = ({ write, evidence }) => ({
  kind: "lookUp",
  refusal: { ...toCause(evidence), conflict: write.repeated ? "later" : "first" },
});

const PLANNED: Rules = {
  nothing: [{ does: "send", decide: send }],
  absent: [{ does: "send", decide: send }],
  found: [{ does: "settle as done: a previous holder of this run made it", decide: done }],
  similar: [
    {
      does: "settle as unresolved: it may already exist, so it is never sent",
      decide: settleAs("unresolved"),
    },
  ],
  excluded: [{ does: "settle as refused", decide: settleAs("refused") }],
  notDone: [{ does: "wait as planned", decide: waitAsPlanned }],
};

const SENT: Rules = {
  nothing: [
    { ...NOT_DUE, does: "wait until it is due", decide: waitUntilDue },
    { does: "look it up", decide: lookUp },
  ],
  accepted: [{ does: "settle as done", decide: done }],
  refused: [
    { ...NOT_REPEATED, does: "settle as refused", decide: settleAs("refused") },
    { does: "look it up: the refusal of a repeated call is not conclusive", decide: lookUpRefused },
  ],
  conflict: [{ does: "look it up: the object there may be ours", decide: lookUpConflict }],
  notDone: [
    { ...NOT_REPEATED, does: "wait as planned", decide: waitAsPlanned },
    { does: "wait for an outage to end", decide: waitForVendor },
  ],
  inDoubt: [{ does: "wait for the first search, later for the next one", decide: waitForLook }],
  found: [{ does: "settle as done", decide: done }],
  excluded: [{ does: "settle as refused", decide: settleAs("refused") }],
  unsearchable: [
    { ...ROUNDS_SPENT, does: "settle as unresolved", decide: settleByRefusal("unresolved") },
    { does: "wait for the next round", decide: waitForRound },
  ],
  similar: [
    {
      ...ONCE_AND_SPENT,
      does: "settle as unresolved: it may or may not be ours",
      decide: settleAs("unresolved"),
    },
    { ...ONCE, does: "wait for the next search", decide: waitForNextLook },
    { ...NOT_PROVEN, does: "wait until a search shows it", decide: waitUntilProven },
    {
      does: "settle as unresolved: it may or may not be ours",
      decide: settleAs("unresolved"),
    },
  ],
  absent: [
    {
      ...FIRST_CONFLICT,
      does: "settle as refused: the object there is not ours",
      decide: settleByRefusal("refused"),
    },
    {
      ...ONCE_AND_SPENT,
      does: "settle as unresolved: it is never resent",
      decide: settleByRefusal("unresolved"),
    },
    { ...ONCE, does: "wait for the next search: it is never resent", decide: waitForNextLook },
    { ...NOT_PROVEN, does: "wait until a search shows it", decide: waitUntilProven },
    {
      ...LATER_CONFLICT,
      does: "settle as unresolved: the vendor and the search contradict each other",
      decide: settleByRefusal("unresolved"),
    },
    {
      ...REFUSED,
      does: "settle as refused: it is not there, so the refusal stands",
      decide: settleByRefusal("refused"),
    },
    { ...ROUNDS_SPENT, does: "settle as unresolved", decide: settleByRefusal("unresolved") },
    { does: "resend alone under its own request id", decide: resend },
  ],
};

/**
 * Transitions of a write: the first row that matches its state, the evidence and the condition decides. A
 * write is keyed if the vendor itself refuses a duplicate. `docs/writes.md` is printed from this table.
 */
export const TRANSITIONS = Object.entries({ planned: PLANNED, sent: SENT }).flatMap(([state, rules]) =>
  Object.entries(rules).flatMap(([evidence, rows]) => rows.map((row) => ({ state, evidence, ...row }))),
);

/**
 * Decides what to do with an open write from its facts and new evidence.
 * @throws Error if the table has no matching row: the evidence is impossible in this state
 */
export function decide(
  write: OpenWrite,
  evidence: Evidence,
  { now, policy }: { now: Date; policy: WritePolicy },
): Decision {
  const facts = { write, evidence, now, policy };
  const row = TRANSITIONS.find(
    (transition) =>
      transition.state === write.state &&
      transition.evidence === evidence.kind &&
      (transition.holds?.(facts) ?? true),
  );
  if (!row) throw new Error(`A ${write.state} write cannot meet the evidence "${evidence.kind}".`);
  return row.decide(facts);
}

/** Neither calls nor searches show the outcome of a write. */
export const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

const waitUntil = (until: Date, state: "planned" | "sent" = "sent"): Decision => ({
  kind: "wait",
  state,
  until,
});

/**
 * Earliest time at which an empty search proves that nothing was done. A keyed write may be resent as soon as
 * no call can still be running, because the vendor refuses a duplicate; a verdict on it waits as long as for
 * any other.
 */
function provenAt({ write: { lastSentAt, keyed, refusal }, now, policy }: Facts): Date {
  const lagMs = keyed && refusal === null ? 0 : policy.indexLagMs;
  return after(lastSentAt ?? now, policy.vendorLimitMs + lagMs);
}

function nextLook({ write: { lastSentAt }, now, policy }: Facts, rounds: number): Date {
  const sentAt = lastSentAt ?? now;
  return after(sentAt, Math.max(policy.firstLookMs, roundWaitMs(policy, rounds)));
}

function done({ evidence }: Facts): Decision {
  if (!("answer" in evidence)) throw new Error(`The evidence "${evidence.kind}" holds no answer.`);
  return { kind: "settle", outcome: "done", answer: evidence.answer };
}

function settleAs(outcome: "refused" | "unresolved"): Decide {
  return ({ evidence }) => ({ kind: "settle", outcome, cause: toCause(evidence) });
}

/** The refusal of a call decides; without one the write is in doubt. */
function settleByRefusal(outcome: "refused" | "unresolved"): Decide {
  return ({ write }) => {
    const { code, params, tid } = write.refusal ?? IN_DOUBT;
    return { kind: "settle", outcome, cause: { code, params, tid } };
  };
}

function toCause(evidence: Evidence): Cause {
  return "cause" in evidence ? evidence.cause : IN_DOUBT;
}
