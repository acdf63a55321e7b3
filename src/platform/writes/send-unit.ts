import type { Ctx } from "#platform/ctx.ts";
import { decide, IN_DOUBT, type Decision } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import { OutdatedRead, type Drive, type Item, type Outcome, type Pass } from "#platform/writes/operation.ts";
import { saveDecisions, type Decided } from "#platform/writes/save-decisions.ts";
import { markWritesSent, type Write } from "#platform/writes/store.ts";

/** What is known of a write now. `repeated`: a call before the one it is known by may have done the write. */
type Judged<Body> = { item: Item<Body>; evidence: Evidence; repeated: boolean };

/** Makes one call, for one write or for several keyed ones, and saves what came of it. */
export async function sendUnit<Body, Request, Answer>(
  ctx: Ctx,
  drive: Drive<Body, Request, Answer>,
  { pass, items }: { pass: Pass; items: readonly Item<Body>[] },
): Promise<void> {
  const result = await call(ctx, drive, items);
  if (!result) return;
  const { outcomes, sentAt, isRefusedTogether } = result;
  const judged = items.map((item, index) => {
    const outcome = outcomes[index] ?? { error: new Error("An answer leaves out one of the writes.") };
    if ("error" in outcome) pass.halt ??= drive.operation.haltOf(outcome.error);
    const answered = drive.operation.classify(item, outcome);
    const isAnswered = sentAt !== null && !isRefusedTogether;
    const evidence: Evidence = isAnswered ? answered : { kind: "notDone", cause: causeOf(answered) };
    const { firstSentAt, lastSentAt } = item.write;
    const times = { firstSentAt: firstSentAt ?? sentAt, lastSentAt: sentAt ?? lastSentAt };
    const write: Write = { ...item.write, ...times, state: "sent" };
    return { item: { ...item, write }, evidence, repeated: firstSentAt !== null };
  });
  const isUnanswered = judged.every(({ evidence: { kind } }) => kind === "inDoubt" || kind === "notDone");
  pass.unansweredCalls = isUnanswered && !isRefusedTogether ? pass.unansweredCalls + 1 : 0;
  pass.isPostponed ||= !isRefusedTogether && judged.some(({ evidence }) => evidence.kind === "notDone");
  await judge(ctx, drive, { pass, judged });
  // None of them was done, and the vendor does not say because of which: planned again, each goes alone.
  for (const item of isRefusedTogether ? items : [])
    if (maySend(ctx, drive, pass)) await sendUnit(ctx, drive, { pass, items: [item] });
}

/** Whether planned writes may be sent now. What is in doubt is settled as soon as it can be, also during a long file. */
export const maySend = <B, R, A>(ctx: Ctx, drive: Drive<B, R, A>, pass: Pass): boolean =>
  mayGoOn(drive, pass) && !isDue(ctx, pass) && pass.inDoubt < drive.policy.maxInDoubt;

export const isDue = ({ clock }: Ctx, { dueAt }: Pass): boolean => dueAt !== null && dueAt <= clock.now();

export const mayGoOn = <B, R, A>(
  { stop, sliceEnds, policy }: Drive<B, R, A>,
  { halt, unansweredCalls }: Pass,
): boolean => halt === null && !stop.aborted && unansweredCalls < policy.maxUnansweredCalls && !sliceEnds();

const causeOf = (evidence: Evidence): Cause => ("cause" in evidence ? evidence.cause : IN_DOUBT);

/**
 * The row turns `sent` under the fence, between the budget and the socket.
 * @returns the outcome of each item; `sentAt` is null when nothing left. Null when what was read for it is outdated: then
 * nothing left and nothing changed
 */
async function call<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  items: readonly Item<B>[],
): Promise<{ outcomes: readonly Outcome<A>[]; sentAt: Date | null; isRefusedTogether?: boolean } | null> {
  const { operation, command, policy } = drive;
  const parts = items.map(({ write }) => write.part);
  let sentAt: Date | null = null;
  const beforeSend = async () => {
    const now = ctx.clock.now();
    const dueAt = new Date(now.getTime() + policy.firstLookMs);
    await drive.withFence((tx) => markWritesSent(tx, command, { parts, now, dueAt }));
    sentAt = now;
    // An answer may take minutes, and users see meanwhile what is on its way.
    await drive.onProgress();
  };
  const [first, ...others] = items;
  if (!first) return null;
  try {
    if (others.length > 0 && operation.sendTogether) {
      const requests = items.map((item) => operation.toRequest(item));
      return { outcomes: await operation.sendTogether(requests, { beforeSend }), sentAt };
    }
    const { requestId } = first.write;
    const ok = await operation.sendAlone(operation.toRequest(first), { requestId, beforeSend });
    return { outcomes: [{ ok }], sentAt };
  } catch (error) {
    if (error instanceof OutdatedRead) return null;
    if (!operation.isVendorFailure(error)) throw error;
    const { kind } = operation.classify(first, { error });
    const isRefusedTogether = others.length > 0 && (kind === "refused" || kind === "conflict");
    return { outcomes: items.map(() => ({ error })), sentAt, isRefusedTogether };
  }
}

/**
 * Decides by what is known, saves it, and looks up at once what a call left to a search.
 * @returns the writes that are to be sent again
 */
export async function judge<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, judged }: { pass: Pass; judged: readonly Judged<B>[] },
): Promise<Item<B>[]> {
  const decided = judged.map((one) => ({ ...one, decision: decisionOf(ctx, drive, one) }));
  await save(ctx, drive, { pass, decided });
  const lookUps = decided.flatMap(({ item, decision }) =>
    decision.kind === "lookUp" ? [{ ...item, write: { ...item.write, refusal: decision.refusal } }] : [],
  );
  const resend = decided.flatMap(({ item, decision }) =>
    decision.kind === "resend" ? [{ ...item, write: { ...item.write, rounds: item.write.rounds + 1 } }] : [],
  );
  if (lookUps.length === 0) return resend;
  const found = await lookUp(drive, lookUps);
  return [...resend, ...(await judge(ctx, drive, { pass, judged: found }))];
}

/** Searches the vendor's data for what is in doubt. */
export async function lookUp<B, R, A>(
  { operation }: Drive<B, R, A>,
  items: readonly Item<B>[],
): Promise<Judged<B>[]> {
  const found = await operation.lookUp(items);
  return items.map((item) => ({
    item,
    evidence: found.get(item.write.part) ?? { kind: "absent" },
    repeated: true,
  }));
}

function decisionOf<B, R, A>(
  { clock }: Ctx,
  { policy }: Drive<B, R, A>,
  { item: { write }, evidence, repeated }: Judged<B>,
): Decision {
  return decide({ ...write, keyed: write.vendorKey !== null, repeated }, evidence, {
    now: clock.now(),
    policy,
  });
}

async function save<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, decided }: { pass: Pass; decided: readonly (Judged<B> & { decision: Decision })[] },
): Promise<void> {
  const changes = decided.flatMap(({ item: { write }, evidence, decision }): Decided[] =>
    decision.kind === "send" || decision.kind === "resend" ? [] : [{ write, evidence, decision }],
  );
  if (changes.length === 0) return;
  const { command, vendor } = drive;
  const now = ctx.clock.now();
  await drive.withFence((tx) => saveDecisions(tx, { command, vendor }, { decided: changes, now }));
  pass.inDoubt += changes.filter(({ evidence }) => evidence.kind === "inDoubt").length;
  for (const { decision } of changes)
    if (decision.kind === "wait" && decision.state === "sent" && !(pass.dueAt && pass.dueAt < decision.until))
      pass.dueAt = decision.until;
  await drive.onProgress();
}
