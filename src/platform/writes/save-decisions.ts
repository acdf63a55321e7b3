import type { Db } from "#platform/db/connect.ts";
import { IN_DOUBT, type Decision } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { WriteState } from "#platform/writes/tables.ts";
import {
  changeWrites,
  findClaims,
  reopenWrite,
  type Change,
  type Claim,
  type Command,
  type Write,
} from "#platform/writes/store.ts";

/** A decision that changes a write's row. */
export type Decided = {
  write: Write;
  evidence: Evidence;
  decision: Exclude<Decision, { kind: "send" | "resend" }>;
};

/** The vendor's object belongs to another write, so that nobody knows what became of this one. */
const CLAIMED = "claimed";

/**
 * Writes decisions, in the caller's transaction. One object of the vendor never belongs to two writes: where its answer
 * names what an equal write of the command only adopted, that one is opened again; any other is unresolved.
 * @returns how many writes were opened again
 */
export async function saveDecisions(
  tx: Db,
  { command, vendor }: { command: Command; vendor: string },
  { decided, now, from }: { decided: readonly Decided[]; now: Date; from?: readonly WriteState[] },
): Promise<number> {
  const ids = decided.flatMap(({ decision }) => idOf(decision) ?? []);
  const claims = new Map(
    (await findClaims(tx, { realmId: command.realmId, vendor }, ids)).map((claim) => [claim.vendorId, claim]),
  );
  const changes: Change[] = [];
  let reopened = 0;
  for (const one of decided) {
    const id = idOf(one.decision);
    const claim = id === null ? undefined : claims.get(id);
    const change = changeOf(one, now);
    if (claim && isEqualAdopted(claim, { command, one })) {
      await reopenWrite(tx, command, { part: claim.part, now });
      reopened += 1;
    } else if (claim) {
      const cause: Cause = { code: CLAIMED, params: {}, tid: change.answer?.tid ?? null };
      changes.push({ ...change, state: "unresolved", vendorId: null, answer: null, cause });
      continue;
    }
    if (id !== null) claims.set(id, claimOf(one, { id, command }));
    changes.push(change);
  }
  await changeWrites(tx, command, { changes, now, ...(from && { from }) });
  return reopened;
}

function isEqualAdopted(claim: Claim, { command, one }: { command: Command; one: Decided }): boolean {
  return (
    claim.adopted &&
    one.evidence.kind === "accepted" &&
    claim.subject === command.subject &&
    claim.commandId === command.commandId &&
    claim.fingerprint === one.write.fingerprint
  );
}

const claimOf = ({ write, evidence }: Decided, { id, command }: { id: string; command: Command }): Claim => ({
  vendorId: id,
  subject: command.subject,
  commandId: command.commandId,
  part: write.part,
  fingerprint: write.fingerprint,
  adopted: evidence.kind === "found",
});

const idOf = (decision: Decision): string | null =>
  decision.kind === "settle" && decision.outcome === "done" ? decision.answer.id : null;

/** The row after a decision. A search that did not find it counts as a round. */
function changeOf({ write, evidence, decision }: Decided, now: Date): Change {
  const lastTid = lastTidOf(write, evidence);
  const openCause = lastTid === null ? null : { ...IN_DOUBT, tid: lastTid };
  const foundNothing = evidence.kind === "absent" || evidence.kind === "similar";
  const open = {
    part: write.part,
    rounds: write.rounds + (foundNothing ? 1 : 0),
    vendorId: null,
    answer: null,
    dueAt: null,
  };
  if (decision.kind === "wait") {
    const { state, until } = decision;
    return state === "planned"
      ? { ...open, state, rounds: 0, cause: null }
      : { ...open, state, dueAt: until, cause: write.refusal ?? openCause };
  }
  // Saved before the search, so that a process that dies here does not forget the refusal.
  if (decision.kind === "lookUp")
    return { ...open, state: "sent", dueAt: now, cause: decision.refusal ?? openCause };
  if (decision.outcome !== "done") {
    const { cause, outcome } = decision;
    return { ...open, state: outcome, cause: { ...cause, tid: cause.tid ?? lastTid } };
  }
  const { id, facts, tid } = decision.answer;
  const answer = { facts, tid: tid ?? lastTid, adopted: evidence.kind === "found" };
  return { ...open, state: "done", vendorId: id, answer, cause: null };
}

/**
 * Searches have no id that concerns the write: what they settle keeps that of the exchange that left it open, because the
 * vendor's support asks for it.
 */
function lastTidOf(write: Write, evidence: Evidence): string | null {
  const answered = evidence.kind === "inDoubt" ? evidence.cause.tid : null;
  return answered ?? write.refusal?.tid ?? write.lastTid;
}
