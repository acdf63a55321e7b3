import type { Cause, Evidence, WriteAnswer } from "#platform/writes/evidence.ts";
import { roundWaitMs, type WritePolicy } from "#platform/writes/policy.ts";

/** What the decision needs to know of an open write. */
export type OpenWrite = {
  /** `planned`: it never left, or surely was not done. `sent`: it may have been done. */
  state: "planned" | "sent";
  /** The vendor itself refuses a second one, by its number or its version. */
  keyed: boolean;
  /** Whether a call before the one that gave the evidence may have done it. */
  repeated: boolean;
  lastSentAt: Date | null;
  /** When a sent write is looked at again. */
  dueAt: Date | null;
  /** Searches in vain so far. */
  rounds: number;
  /** What a call was refused with that is no verdict by itself, since an earlier call may have done it. */
  refusal: Refusal | null;
};

/** `conflict`: the vendor said that its data are not as the write expects, at the first call that may have done it or later. */
export type Refusal = Cause & { conflict: "none" | "first" | "later" };

export type Decision =
  /** Send it for the first time; a keyed one may share a call with others. */
  | { kind: "send" }
  /** Send it again, alone and under its own request id. */
  | { kind: "resend" }
  /** Search the vendor's data for it. */
  | { kind: "lookUp"; refusal: Refusal | null }
  | { kind: "settle"; outcome: "done"; answer: WriteAnswer }
  | { kind: "settle"; outcome: "refused" | "unresolved"; cause: Cause }
  /** Do nothing until then. As `planned` it is sent again when the run goes on. */
  | { kind: "wait"; state: "planned" | "sent"; until: Date };

type Facts = { write: OpenWrite; evidence: Evidence; now: Date; policy: WritePolicy };

type Row = {
  state: OpenWrite["state"];
  evidence: Evidence["kind"];
  /** The condition in words, empty for "always". */
  when: string;
  holds?: (facts: Facts) => boolean;
  /** The decision in words. */
  does: string;
  decide(facts: Facts): Decision;
};

/**
 * The transitions of a write: the first row that fits its state, the evidence and the condition decides. A write is keyed
 * when the vendor itself refuses a second one. `docs/writes.md` is printed from this table.
 */
export const TRANSITIONS: readonly Row[] = [
  {
    state: "planned",
    evidence: "nothing",
    when: "",
    does: "send",
    decide: () => ({ kind: "send" }),
  },
  {
    state: "planned",
    evidence: "absent",
    when: "",
    does: "send",
    decide: () => ({ kind: "send" }),
  },
  {
    state: "planned",
    evidence: "found",
    when: "",
    does: "settle as done: an earlier life of this run made it",
    decide: ({ evidence }) => done(evidence),
  },
  {
    state: "planned",
    evidence: "similar",
    when: "",
    does: "settle as unresolved: it may have been made already, so it is never sent",
    decide: ({ evidence }) => settled("unresolved", evidence),
  },
  {
    state: "planned",
    evidence: "excluded",
    when: "",
    does: "settle as refused",
    decide: ({ evidence }) => settled("refused", evidence),
  },
  {
    state: "sent",
    evidence: "nothing",
    when: "its due time has not come",
    holds: ({ write, now }) => write.dueAt !== null && now < write.dueAt,
    does: "wait until it is due",
    decide: ({ write, now }) => waitUntil(write.dueAt ?? now),
  },
  {
    state: "sent",
    evidence: "nothing",
    when: "",
    does: "look it up",
    decide: ({ write }) => ({ kind: "lookUp", refusal: write.refusal }),
  },
  {
    state: "sent",
    evidence: "accepted",
    when: "",
    does: "settle as done",
    decide: ({ evidence }) => done(evidence),
  },
  {
    state: "sent",
    evidence: "refused",
    when: "no earlier call may have done it",
    holds: ({ write }) => !write.repeated,
    does: "settle as refused",
    decide: ({ evidence }) => settled("refused", evidence),
  },
  {
    state: "sent",
    evidence: "refused",
    when: "",
    does: "look it up: the refusal of a repeat is no verdict",
    decide: ({ evidence }) => ({ kind: "lookUp", refusal: { ...causeOf(evidence), conflict: "none" } }),
  },
  {
    state: "sent",
    evidence: "conflict",
    when: "",
    does: "look it up: what is there may be ours",
    decide: ({ write, evidence }) => {
      const conflict = write.repeated ? "later" : "first";
      return { kind: "lookUp", refusal: { ...causeOf(evidence), conflict } };
    },
  },
  {
    state: "sent",
    evidence: "notDone",
    when: "no earlier call may have done it",
    holds: ({ write }) => !write.repeated,
    does: "wait as planned",
    decide: ({ now, policy }) => waitUntil(after(now, policy.outageMs), "planned"),
  },
  {
    state: "sent",
    evidence: "notDone",
    when: "",
    does: "wait for an outage to end",
    decide: ({ now, policy }) => waitUntil(after(now, policy.outageMs)),
  },
  {
    state: "sent",
    evidence: "inDoubt",
    when: "",
    does: "wait for the first look, later for the next round",
    decide: (facts) => waitUntil(nextLook(facts)),
  },
  {
    state: "sent",
    evidence: "found",
    when: "",
    does: "settle as done",
    decide: ({ evidence }) => done(evidence),
  },
  {
    state: "sent",
    evidence: "excluded",
    when: "",
    does: "settle as refused",
    decide: ({ evidence }) => settled("refused", evidence),
  },
  {
    state: "sent",
    evidence: "similar",
    when: "a search need not show it yet",
    holds: (facts) => facts.now < provenAt(facts),
    does: "wait until a search shows it",
    decide: (facts) => waitUntil(provenAt(facts)),
  },
  {
    state: "sent",
    evidence: "similar",
    when: "",
    does: "settle as unresolved: neither ours for sure nor surely somebody else's",
    decide: ({ evidence }) => settled("unresolved", evidence),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "the first call met a conflict",
    holds: ({ write }) => write.refusal?.conflict === "first",
    does: "settle as refused: what is there is not ours",
    decide: ({ write }) => verdict("refused", write),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "a search need not show it yet",
    holds: (facts) => facts.now < provenAt(facts),
    does: "wait until a search shows it",
    decide: (facts) => waitUntil(provenAt(facts)),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "a repeated call met a conflict",
    holds: ({ write }) => write.refusal?.conflict === "later",
    does: "settle as unresolved: the vendor and the search contradict each other",
    decide: ({ write }) => verdict("unresolved", write),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "a call was refused",
    holds: ({ write }) => write.refusal !== null,
    does: "settle as refused: it is not there, and is not taken",
    decide: ({ write }) => verdict("refused", write),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "the rounds are spent",
    holds: ({ write, policy }) => write.rounds >= policy.maxRounds,
    does: "settle as unresolved",
    decide: () => ({ kind: "settle", outcome: "unresolved", cause: IN_DOUBT }),
  },
  {
    state: "sent",
    evidence: "absent",
    when: "",
    does: "resend alone under its own request id",
    decide: () => ({ kind: "resend" }),
  },
];

/**
 * Says what to do with an open write, by what is known of it.
 * @throws Error when the table has no row for it: the evidence cannot come in this state
 */
export function decide(
  write: OpenWrite,
  evidence: Evidence,
  { now, policy }: { now: Date; policy: WritePolicy },
): Decision {
  const facts = { write, evidence, now, policy };
  const row = TRANSITIONS.find(
    (one) => one.state === write.state && one.evidence === evidence.kind && (one.holds?.(facts) ?? true),
  );
  if (!row) throw new Error(`A ${write.state} write cannot meet the evidence "${evidence.kind}".`);
  return row.decide(facts);
}

/** No call and no search told what became of a write. */
export const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

const waitUntil = (until: Date, state: "planned" | "sent" = "sent"): Decision => ({
  kind: "wait",
  state,
  until,
});

/**
 * From when on a search that shows nothing proves that nothing was done. A keyed write may be sent again as soon as no
 * call can be at work any more, since the vendor refuses a second one; a verdict on it waits as long as any other.
 */
function provenAt({ write: { lastSentAt, keyed, refusal }, now, policy }: Facts): Date {
  const lagMs = keyed && refusal === null ? 0 : policy.indexLagMs;
  return after(lastSentAt ?? now, policy.vendorLimitMs + lagMs);
}

function nextLook({ write: { lastSentAt, rounds }, now, policy }: Facts): Date {
  const sentAt = lastSentAt ?? now;
  return after(sentAt, Math.max(policy.firstLookMs, roundWaitMs(policy, rounds)));
}

function done(evidence: Evidence): Decision {
  if (!("answer" in evidence)) throw new Error(`The evidence "${evidence.kind}" holds no answer.`);
  return { kind: "settle", outcome: "done", answer: evidence.answer };
}

const settled = (outcome: "refused" | "unresolved", evidence: Evidence): Decision => ({
  kind: "settle",
  outcome,
  cause: causeOf(evidence),
});

/** What a call was refused with has become the last word. */
function verdict(outcome: "refused" | "unresolved", { refusal }: OpenWrite): Decision {
  const { code, params, tid } = refusal ?? IN_DOUBT;
  return { kind: "settle", outcome, cause: { code, params, tid } };
}

const causeOf = (evidence: Evidence): Cause => ("cause" in evidence ? evidence.cause : IN_DOUBT);
