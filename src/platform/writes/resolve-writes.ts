import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { decide, IN_DOUBT, type Decision } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { Item, JobState, WriteJob } from "#platform/writes/operation.ts";
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

/**
 * A write with new evidence. `repeated`: an earlier call than the one that gave the evidence may have executed
 * the write.
 */
export type Resolved<Body> = { item: Item<Body>; evidence: Evidence; repeated: boolean };

/** A decision that changes a write's row. */
export type Decided = {
  write: Write;
  evidence: Evidence;
  decision: Exclude<Decision, { kind: "send" | "resend" }>;
};

/** The vendor's object belongs to another write, so the outcome of this one is unknown. */
const CLAIMED = "claimed";

/**
 * Decides from the evidence, saves the decisions, and immediately looks up writes that need a search.
 * @returns the writes to resend
 */
export async function resolve<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  { state, resolved }: { state: JobState; resolved: readonly Resolved<B>[] },
): Promise<Item<B>[]> {
  const { command, vendor, policy } = job;
  const now = ctx.clock.now();
  const [resend, lookUps, decided]: [Item<B>[], Item<B>[], Decided[]] = [[], [], []];
  for (const { item, evidence, repeated } of resolved) {
    const { write } = item;
    const decision = decide({ ...write, keyed: write.vendorKey !== null, repeated }, evidence, {
      now,
      policy,
    });
    if (decision.kind === "resend") resend.push({ ...item, write: { ...write, rounds: write.rounds + 1 } });
    if (decision.kind === "lookUp") lookUps.push({ ...item, write: { ...write, refusal: decision.refusal } });
    if (decision.kind !== "send" && decision.kind !== "resend") decided.push({ write, evidence, decision });
  }
  if (decided.length > 0) {
    await job.withFence((tx) => saveDecisions(tx, { command, vendor }, { decided, now }));
    for (const { evidence, decision } of decided) {
      if (evidence.kind === "inDoubt") state.inDoubt += 1;
      if (decision.kind !== "wait" || decision.state !== "sent") continue;
      if (state.dueAt === null || decision.until <= state.dueAt) state.dueAt = decision.until;
    }
    await job.onStored?.();
    await job.onProgress();
  }
  if (lookUps.length === 0) return resend;
  return [...resend, ...(await lookUpAndResolve(ctx, job, { state, items: lookUps }))];
}

/** Pairs writes with the evidence found for some of them. */
export const matchEvidence = <B>(
  items: readonly Item<B>[],
  found: ReadonlyMap<string, Evidence>,
): Resolved<B>[] =>
  items.flatMap((item) => {
    const evidence = found.get(item.write.part);
    return evidence ? [{ item, evidence, repeated: item.write.firstSentAt !== null }] : [];
  });

/** Searches the vendor's data for writes in doubt, and resolves them. @returns the writes to resend */
export async function lookUpAndResolve<B, R, A>(
  ctx: Ctx,
  job: WriteJob<B, R, A>,
  { state, items }: { state: JobState; items: readonly Item<B>[] },
): Promise<Item<B>[]> {
  const found = await search(ctx, job, () => job.operation.lookUp(items));
  const resolved = items.map((item): Resolved<B> => {
    const evidence: Evidence = found
      ? (found.get(item.write.part) ?? { kind: "absent" })
      : { kind: "unsearchable" };
    return { item, evidence, repeated: true };
  });
  return resolve(ctx, job, { state, resolved });
}

/**
 * Runs a search. If the vendor refuses it outside of an outage, a retry would be refused too.
 * @returns null if the search was refused
 */
export async function search<B, R, A, Found>(
  ctx: Ctx,
  { operation, command }: Pick<WriteJob<B, R, A>, "operation" | "command">,
  ask: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await ask();
  } catch (error) {
    if (!operation.isVendorFailure(error) || operation.findHalt(error) || operation.isOutage(error))
      throw error;
    ctx.log.error({ err: error, ...command }, "A vendor refused a search for writes in doubt");
    return null;
  }
}

/**
 * Saves decisions in the caller's transaction. One vendor object never belongs to two writes: if an answer
 * names an object that an equal write of the command only adopted, that write is reopened; any other conflict
 * is unresolved.
 * @returns number of reopened writes
 */
export async function saveDecisions(
  tx: Db,
  { command, vendor }: { command: Command; vendor: string },
  { decided, now, from }: { decided: readonly Decided[]; now: Date; from?: readonly WriteState[] },
): Promise<number> {
  const ids = decided.flatMap(({ decision }) => createdId(decision) ?? []);
  const claims = new Map<string, Claim>();
  for (const claim of await findClaims(tx, { realmId: command.realmId, vendor }, ids))
    claims.set(claim.vendorId, claim);
  const changes: Change[] = [];
  let reopened = 0;
  for (const decision of decided) {
    const { write, evidence } = decision;
    const id = createdId(decision.decision);
    const claim = id === null ? undefined : claims.get(id);
    const change = toChange(decision, now);
    const isEqualAdopted =
      claim?.adopted &&
      evidence.kind === "accepted" &&
      claim.subject === command.subject &&
      claim.commandId === command.commandId &&
      claim.fingerprint === write.fingerprint;
    if (isEqualAdopted) {
      await reopenWrite(tx, command, { part: claim.part, now });
      reopened += 1;
    } else if (claim) {
      const cause: Cause = { code: CLAIMED, params: {}, tid: change.answer?.tid ?? null };
      changes.push({ ...change, state: "unresolved", vendorId: null, answer: null, cause });
      continue;
    }
    if (id !== null) {
      const { subject, commandId } = command;
      const { part, fingerprint } = write;
      const adopted = evidence.kind === "found";
      claims.set(id, { vendorId: id, subject, commandId, part, fingerprint, adopted });
    }
    changes.push(change);
  }
  await changeWrites(tx, command, { changes, now, ...(from && { from }) });
  return reopened;
}

/** The vendor's id of the object that a settled write created; null if it created none. */
const createdId = (decision: Decision): string | null =>
  decision.kind === "settle" && decision.outcome === "done" ? decision.answer.id : null;

/** Row changes of a decision. A search that did not find the object counts as a round. */
function toChange({ write, evidence, decision }: Decided, now: Date): Change {
  // A search's own call id says nothing about the write, so keep the id of the call that left it open: the
  // vendor's support asks for it.
  const answered = evidence.kind === "inDoubt" ? evidence.cause.tid : null;
  const lastTid = answered ?? write.refusal?.tid ?? write.lastTid;
  const openCause = lastTid === null ? null : { ...IN_DOUBT, tid: lastTid };
  const foundNothing = ["absent", "similar", "unsearchable"].includes(evidence.kind);
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
  // Saved before the search, so that a process that dies here does not lose the refusal.
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
