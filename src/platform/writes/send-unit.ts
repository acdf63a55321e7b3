import type { Ctx } from "#platform/ctx.ts";
import { decide, IN_DOUBT, type Decision } from "#platform/writes/decide.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import { ReadAgain, type Drive, type Item, type Outcome, type Pass } from "#platform/writes/operation.ts";
import { saveDecisions, type Decided } from "#platform/writes/save-decisions.ts";
import { markWritesSent, type Write } from "#platform/writes/store.ts";

/** What is known of a write now. `repeated`: a call before the one that told it may have done the write. */
type Judged<Body> = { item: Item<Body>; evidence: Evidence; repeated: boolean };

/** Makes one call, for one write or for several keyed ones, and saves what came of it. */
export async function sendUnit<Body, Request, Answer>(
  ctx: Ctx,
  drive: Drive<Body, Request, Answer>,
  { pass, items }: { pass: Pass; items: readonly Item<Body>[] },
): Promise<void> {
  const { outcomes, sentAt, isRefused, isOutdated } = await call(ctx, drive, items);
  if (isOutdated) return putBack(ctx, drive, { pass, items });
  // Refused as a whole nothing was done, and nobody says for which of them: each goes alone, as at first.
  if (isRefused) {
    for (const item of items) await sendUnit(ctx, drive, { pass, items: [item] });
    return;
  }
  const judged = items.map((item, index) => {
    const outcome = outcomes[index] ?? { error: new Error("A call told nothing of one of its writes.") };
    if ("error" in outcome) pass.halt ??= drive.operation.haltOf(outcome.error);
    const told = drive.operation.classify(item, outcome);
    const evidence: Evidence = sentAt ? told : { kind: "notDone", cause: causeOf(told) };
    const write: Write = { ...item.write, state: "sent", lastSentAt: sentAt ?? item.write.lastSentAt };
    return { item: { ...item, write }, evidence, repeated: item.write.firstSentAt !== null };
  });
  const isSilent = judged.every(({ evidence }) => evidence.kind === "inDoubt" || evidence.kind === "notDone");
  pass.silentCalls = isSilent ? pass.silentCalls + 1 : 0;
  pass.isTurnedAway ||= judged.some(({ evidence }) => evidence.kind === "notDone");
  await judge(ctx, drive, { pass, judged });
}

/** Nothing was done: who goes on reads again, and sends. */
async function putBack<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  { pass, items }: { pass: Pass; items: readonly Item<B>[] },
): Promise<void> {
  const evidence = { kind: "notDone", cause: IN_DOUBT } as const;
  const judged = items.map(({ write, body }) => ({
    item: { body, write: { ...write, state: "sent" as const } },
    evidence,
    repeated: write.firstSentAt !== null,
  }));
  await judge(ctx, drive, { pass, judged });
}

const causeOf = (evidence: Evidence): Cause => ("cause" in evidence ? evidence.cause : IN_DOUBT);

/**
 * The row turns `sent` under the fence, between the budget and the socket.
 * @returns what came of each item; `sentAt` is null when nothing ever left; `isRefused` when several were refused as one
 */
async function call<B, R, A>(
  ctx: Ctx,
  drive: Drive<B, R, A>,
  items: readonly Item<B>[],
): Promise<{
  outcomes: readonly Outcome<A>[];
  sentAt: Date | null;
  isRefused?: boolean;
  isOutdated?: boolean;
}> {
  const { operation, command, policy } = drive;
  const parts = items.map(({ write }) => write.part);
  let sentAt: Date | null = null;
  const beforeSend = async () => {
    const now = ctx.clock.now();
    const dueAt = new Date(now.getTime() + policy.firstLookMs);
    await drive.withFence((tx) => markWritesSent(tx, command, { parts, now, dueAt }));
    sentAt = now;
    // An answer may take its time, and what is on its way is shown as that meanwhile.
    await drive.onProgress();
  };
  const requests = items.map((item) => operation.toRequest(item));
  const [first] = requests;
  const [only, ...others] = items;
  if (first === undefined || !only) return { outcomes: [], sentAt };
  try {
    const outcomes =
      others.length > 0
        ? await operation.sendTogether(requests, { beforeSend })
        : [{ ok: await operation.sendAlone(first, { requestId: only.write.requestId, beforeSend }) }];
    return { outcomes, sentAt };
  } catch (error) {
    if (error instanceof ReadAgain) return { outcomes: [], sentAt, isOutdated: true };
    if (!operation.isVendorFailure(error)) throw error;
    const { kind } = operation.classify(only, { error });
    const isRefused = others.length > 0 && (kind === "refused" || kind === "conflict");
    return { outcomes: items.map(() => ({ error })), sentAt, isRefused };
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
  const found = await drive.operation.lookUp(lookUps);
  const then = lookUps.map((item) => ({
    item,
    evidence: found.get(item.write.part) ?? ({ kind: "absent" } as const),
    repeated: true,
  }));
  return [...resend, ...(await judge(ctx, drive, { pass, judged: then }))];
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
  for (const { evidence, decision } of changes) {
    if (evidence.kind === "inDoubt") pass.inDoubt += 1;
    if (
      decision.kind === "wait" &&
      decision.state === "sent" &&
      (pass.dueAt ?? decision.until) >= decision.until
    )
      pass.dueAt = decision.until;
  }
  await drive.onProgress();
}
