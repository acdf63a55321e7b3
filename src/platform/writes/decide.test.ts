import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, TRANSITIONS, type Decision, type OpenWrite } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import { WRITE_POLICY, type WritePolicy } from "#platform/writes/policy.ts";
import { printTransitions, WRITES_FILE } from "../../../test/support/rules/print-writes.ts";

const SENT_AT = new Date("2026-11-02T09:00:00Z");
const at = (seconds: number) => new Date(SENT_AT.getTime() + seconds * 1000);
const CAUSE: Cause = { code: "validation", params: { detail: "no" }, tid: "t-1" };
const ANSWER = { id: "41", facts: {}, tid: "t-2" };
const done: Decision = { kind: "settle", outcome: "done", answer: ANSWER };
const refused: Decision = { kind: "settle", outcome: "refused", cause: CAUSE };
const unresolved: Decision = { kind: "settle", outcome: "unresolved", cause: CAUSE };
const refusal = { ...CAUSE, conflict: "none" as const };
const conflict = { ...CAUSE, conflict: "first" as const };
const laterConflict = { ...CAUSE, conflict: "later" as const };
const wait = (until: Date, state: "planned" | "sent" = "sent"): Decision => ({ kind: "wait", state, until });

const planned: OpenWrite = {
  state: "planned",
  keyed: false,
  repeated: false,
  lastSentAt: null,
  dueAt: null,
  rounds: 0,
  refusal: null,
};
const sent: OpenWrite = { ...planned, state: "sent", lastSentAt: SENT_AT, dueAt: at(10) };
const repeated: OpenWrite = { ...sent, repeated: true };
const keyed: OpenWrite = { ...sent, keyed: true };

const nothing: Evidence = { kind: "nothing" };
const absent: Evidence = { kind: "absent" };
const similar: Evidence = { kind: "similar", cause: CAUSE };
const CASES: [what: string, write: OpenWrite, evidence: Evidence, seconds: number, decision: Decision][] = [
  ["a planned write is sent", planned, nothing, 0, { kind: "send" }],
  ["also when nothing was made before", planned, absent, 0, { kind: "send" }],
  ["an invoice made by a previous holder is adopted", planned, { kind: "found", answer: ANSWER }, 0, done],
  ["an invoice that it may have made is never sent", planned, similar, 0, unresolved],
  ["a write that cannot be done is refused", planned, { kind: "excluded", cause: CAUSE }, 0, refused],
  [
    "a planned write of which the vendor does not say whether it can be done waits",
    planned,
    { kind: "notDone", cause: CAUSE },
    0,
    wait(at(300), "planned"),
  ],
  ["a sent write waits until it is due", sent, nothing, 9, wait(at(10))],
  ["a sent write is looked up when due", sent, nothing, 10, { kind: "lookUp", refusal: null }],
  ["a confirmed write is done", sent, { kind: "accepted", answer: ANSWER }, 1, done],
  ["a refusal of the first call stands", sent, { kind: "refused", cause: CAUSE }, 1, refused],
  [
    "a refusal of a repeated call is not conclusive",
    repeated,
    { kind: "refused", cause: CAUSE },
    1,
    { kind: "lookUp", refusal },
  ],
  [
    "a conflict is not conclusive either",
    sent,
    { kind: "conflict", cause: CAUSE },
    1,
    { kind: "lookUp", refusal: conflict },
  ],
  [
    "what was surely not done is planned again",
    sent,
    { kind: "notDone", cause: CAUSE },
    1,
    wait(at(301), "planned"),
  ],
  [
    "a write that was not done waits longer if an earlier call may have done it",
    repeated,
    { kind: "notDone", cause: CAUSE },
    1,
    wait(at(301)),
  ],
  ["a lost answer is searched for soon", sent, { kind: "inDoubt", cause: CAUSE }, 1, wait(at(10))],
  [
    "a lost answer is searched for less often later",
    { ...sent, rounds: 6 },
    { kind: "inDoubt", cause: CAUSE },
    1,
    wait(at(600)),
  ],
  ["a write that a search finds is done", sent, { kind: "found", answer: ANSWER }, 10, done],
  ["a write that a search excludes is refused", sent, { kind: "excluded", cause: CAUSE }, 10, refused],
  ["a refused search is made again", sent, { kind: "unsearchable" }, 10, wait(at(20))],
  [
    "a search is not refused forever",
    { ...sent, rounds: WRITE_POLICY.maxRounds },
    { kind: "unsearchable" },
    10,
    { kind: "settle", outcome: "unresolved", cause: { code: "in_doubt", params: {}, tid: null } },
  ],
  ["a possible match is searched for again", keyed, similar, 10, wait(at(125))],
  ["a possible match is unresolved in the end", keyed, similar, 125, unresolved],
  ["a keyed write waits out the vendor's own limit", keyed, absent, 124, wait(at(125))],
  ["a keyed write is sent again after that", keyed, absent, 125, { kind: "resend" }],
  ["a write without a key also waits out the index lag", sent, absent, 424, wait(at(425))],
  ["a write without a key is sent again after that", sent, absent, 425, { kind: "resend" }],
  ["a refusal stands if nothing is there", { ...repeated, refusal }, absent, 425, refused],
  ["the refusal of a keyed write has to wait as long", { ...keyed, refusal }, absent, 125, wait(at(425))],
  [
    "a conflict of the first call with nothing of ours is a refusal",
    { ...keyed, refusal: conflict },
    absent,
    1,
    refused,
  ],
  [
    "the conflict of a repeated call is unresolved",
    { ...keyed, refusal: laterConflict },
    absent,
    425,
    unresolved,
  ],
  [
    "after the last round it is unresolved",
    { ...sent, rounds: WRITE_POLICY.maxRounds },
    absent,
    425,
    { kind: "settle", outcome: "unresolved", cause: { code: "in_doubt", params: {}, tid: null } },
  ],
];

/** A vendor that does not recognize a repeated call: searched for after 10, 60 and 300 seconds. */
const ONCE: WritePolicy = {
  ...WRITE_POLICY,
  repeats: "never",
  maxRounds: 2,
  roundWaitsMs: [0, 60_000, 300_000],
};
const ONCE_CASES: typeof CASES = [
  ["a write that is never repeated is searched for again", sent, absent, 10, wait(at(60))],
  ["and again, however long its answer is lost", { ...sent, rounds: 1 }, absent, 3_000, wait(at(300))],
  ["a possible match of it too", { ...sent, rounds: 1 }, similar, 60, wait(at(300))],
  [
    "after the last search it is unresolved, and never sent again",
    { ...sent, rounds: 2 },
    absent,
    300,
    { kind: "settle", outcome: "unresolved", cause: { code: "in_doubt", params: {}, tid: null } },
  ],
  ["its possible match is unresolved in the end", { ...sent, rounds: 2 }, similar, 300, unresolved],
];

test.each(ONCE_CASES)("%s", (_what, write, evidence, seconds, decision) => {
  expect(decide(write, evidence, { now: at(seconds), policy: ONCE })).toEqual(decision);
});

test.each(CASES)("%s", (_what, write, evidence, seconds, decision) => {
  expect(decide(write, evidence, { now: at(seconds), policy: WRITE_POLICY })).toEqual(decision);
});

test("the cases above use every row of the table", () => {
  const used = new Set(
    [
      ...CASES.map((row) => ({ row, policy: WRITE_POLICY })),
      ...ONCE_CASES.map((row) => ({ row, policy: ONCE })),
    ].map(({ row: [, write, evidence, seconds], policy }) => {
      const facts = { write, evidence, now: at(seconds), policy };
      return TRANSITIONS.findIndex(
        (row) => row.state === write.state && row.evidence === evidence.kind && (row.holds?.(facts) ?? true),
      );
    }),
  );
  expect(used).toEqual(new Set(TRANSITIONS.keys()));
});

test("docs/writes.md is what the table says", async () => {
  expect((await readFile(WRITES_FILE, "utf8")).startsWith(printTransitions())).toBe(true);
});

/** The vendor's treatment of one call. `commitS`: when it creates the object, null for never; `lagS`: until a search shows it. */
type Reply = { answer: "accepted" | "refused" | "lost" | "throttled"; commitS: number | null; lagS: number };
type World = { keyed: boolean; remembers: boolean; dies: readonly boolean[]; replies: readonly Reply[] };

const LIMIT_S = WRITE_POLICY.vendorLimitMs / 1000;
const LAG_S = WRITE_POLICY.indexLagMs / 1000;

const reply = fc
  .record({
    answer: fc.constantFrom("accepted", "refused", "lost", "throttled"),
    commitS: fc.option(fc.integer({ min: 0, max: LIMIT_S - 1 })),
    lagS: fc.integer({ min: 0, max: LAG_S - 1 }),
  })
  .map((text): Reply => text as Reply);

const world: fc.Arbitrary<World> = fc.record({
  keyed: fc.boolean(),
  remembers: fc.boolean(),
  dies: fc.array(fc.boolean(), { maxLength: 12 }),
  replies: fc.array(reply, { maxLength: 30 }),
});

const MAX_STEPS = 400;

test("nothing is created twice, nothing is reported wrongly, and every path ends, for any behavior of the vendor", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { made, outcome, resentTooEarly } = live(given);
      expect(made.length).toBeLessThanOrEqual(1);
      expect(resentTooEarly).toBe(false);
      expect(outcome).not.toBe("open");
      if (outcome === "done") expect(made).toHaveLength(1);
      if (outcome === "refused") expect(made).toHaveLength(0);
    }),
    { numRuns: 3_000 },
  );
});

/** Runs one write with a vendor that answers, loses answers, refuses, commits late, forgets and shows data late. */
function live({ keyed: isKeyed, remembers, dies, replies }: World) {
  let write: OpenWrite = { ...planned, keyed: isKeyed };
  let evidence: Evidence = { kind: "nothing" };
  let nowS = 0;
  let calls = 0;
  let resentTooEarly = false;
  const made: { atS: number; shownS: number }[] = [];
  const call = (isFirst: boolean): Evidence => {
    const { answer, commitS, lagS } = replies[calls] ?? { answer: "accepted", commitS: 0, lagS: 0 };
    const dead = dies[calls] ?? false;
    calls += 1;
    const earlier = made.length > 0;
    write = { ...write, state: "sent", repeated: !isFirst, lastSentAt: at(nowS), dueAt: at(nowS + 10) };
    // A first refusal, and a throttled call, are the vendor's word that it did nothing.
    const isUndone = answer === "throttled" || (answer === "refused" && isFirst);
    const commits =
      !isUndone && !(earlier && (isKeyed || remembers)) && (answer === "accepted" || commitS !== null);
    if (commits) {
      const atS = nowS + (answer === "accepted" ? 0 : (commitS ?? 0));
      made.push({ atS, shownS: atS + lagS });
    }
    if (dead) return { kind: "nothing" };
    if (answer === "throttled") return { kind: "notDone", cause: CAUSE };
    if (answer === "lost") return { kind: "inDoubt", cause: CAUSE };
    if (answer === "refused") return { kind: "refused", cause: CAUSE };
    if (earlier && isKeyed && !remembers) return { kind: "conflict", cause: CAUSE };
    return { kind: "accepted", answer: ANSWER };
  };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const decision = decide(write, evidence, { now: at(nowS), policy: WRITE_POLICY });
    const isFruitless = evidence.kind === "absent" || evidence.kind === "similar";
    if (isFruitless) write = { ...write, rounds: write.rounds + 1 };
    evidence = { kind: "nothing" };
    if (decision.kind === "settle") return { made, outcome: decision.outcome, resentTooEarly };
    if (decision.kind === "send") evidence = call(true);
    if (decision.kind === "resend") {
      const sinceS = nowS - ((write.lastSentAt?.getTime() ?? 0) - SENT_AT.getTime()) / 1000;
      resentTooEarly ||= sinceS < LIMIT_S + (isKeyed ? 0 : LAG_S) || !isFruitless;
      evidence = call(false);
    }
    if (decision.kind === "lookUp") {
      write = { ...write, refusal: decision.refusal };
      const shown = made.some(({ shownS }) => shownS <= nowS);
      evidence = shown ? { kind: "found", answer: ANSWER } : { kind: "absent" };
    }
    if (decision.kind === "wait") {
      nowS = Math.max(nowS, (decision.until.getTime() - SENT_AT.getTime()) / 1000);
      const isPlanned = decision.state === "planned";
      write = { ...write, state: decision.state, dueAt: isPlanned ? null : decision.until };
      if (isPlanned) write = { ...write, lastSentAt: null, rounds: 0 };
    }
  }
  return { made, outcome: "open" as const, resentTooEarly };
}
