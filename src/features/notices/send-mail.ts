import type { Mailer } from "#integrations/mail/send-mail.ts";
import { MAX_ATTEMPTS, SENDER_WAIT_MS } from "#features/notices/limits.ts";
import { renderMail } from "#features/notices/rules.ts";
import { notifyBy, sendMailRun, addSendMail } from "#features/notices/runs.ts";
import { writeText } from "#features/notices/sentences.ts";
import { settleMail, takeMail, type MailState, type NewMail, requeueMail } from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import { retryAfterMs } from "#platform/runs/times.ts";
import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";
import type { Audited } from "#features/audit/index.ts";
import { conflict } from "#platform/errors.ts";

type NoticesCtx = Ctx & { mailer: Mailer; product: string; publicUrl: string };

export const writeFooter = ({ product, publicUrl }: Pick<NoticesCtx, "product" | "publicUrl">): string =>
  `Sent by ${product}, ${publicUrl}`;

/** The runs of notices. */
export const noticeRuns = (ctx: NoticesCtx): BoundRun[] => [bindRun(sendMailRun, sendMail, ctx)];

/**
 * Sends the mail of a run. Never resends one that the mail server may have received; retries one that it
 * surely has not.
 */
async function sendMail(ctx: NoticesCtx, { run }: RunWork): Promise<Ending | EndInTransaction> {
  const { realmId, subject: id } = run;
  const mail = await withFence(ctx.db, run, (tx) => takeMail(tx, { realmId, id }, ctx.clock.now()));
  const settle =
    (state: MailState, cause: string | null, ending: Ending = { state: "done" }): EndInTransaction =>
    async (tx, save) => {
      await settleMail(tx, { realmId, id }, { state, cause, now: ctx.clock.now() });
      if (mail && (state === "in_doubt" || state === "refused"))
        await notifyInviter(ctx, tx, { mail, state });
      await save(ending);
    };
  // Removed with its company, or already settled.
  if (!mail) return { state: "done" };
  if (mail.wasSending) return settle("in_doubt", "no outcome was recorded");
  const content = renderMail(writeText(mail, ctx), writeFooter(ctx));
  const outcome = await ctx.mailer({ id, to: mail.recipient, ...content });
  if (outcome.kind === "accepted") return settle("sent", null);
  const { kind, cause } = outcome;
  const failures = run.failures + 1;
  // Only the operator can fix a refused login: until then no mail is given up.
  const isOurs = kind === "sender_refused";
  if (isOurs) ctx.log.error({ mail: id, cause }, "The mail server refuses our login or sender: mails wait");
  if (isOurs || (kind === "not_sent" && failures < MAX_ATTEMPTS)) {
    const waitMs = isOurs ? SENDER_WAIT_MS : retryAfterMs(failures);
    return settle("queued", cause, {
      state: "waiting",
      cause: { code: "mail_not_taken", params: { answer: cause } },
      dueAt: new Date(ctx.clock.now().getTime() + waitMs),
      failed: !isOurs,
    });
  }
  const state = kind === "in_doubt" ? kind : "refused";
  ctx.log.warn({ mail: id, cause, state }, "A mail was not accepted");
  return settle(state, cause);
}

type Unsure = { mail: NewMail; state: "in_doubt" | "refused" };

/** Mails the inviter that the invitation may not have arrived. */
async function notifyInviter(ctx: Ctx, tx: Db, { mail, state }: Unsure): Promise<void> {
  if (mail.kind !== "invitation") return;
  const { realmId, recipient: email, params } = mail;
  await notifyBy(ctx, true).notify(tx, {
    realmId,
    recipient: params.by,
    kind: "invitation_unsure",
    params: { company: params.company, email, cause: state },
  });
}

/**
 * Resends an email that was refused or whose delivery is in doubt, on behalf of an operator.
 * @throws Conflict for any other email
 */
export async function resendMail(
  ctx: Ctx & Audited,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    const mail = await requeueMail(tx, id, now);
    if (!mail) throw conflict("mail_not_unsent", "This email no longer needs to be resent. Reload the list.");
    await addSendMail(ctx, tx, { realmId: mail.realmId, mailId: id, now });
    const { kind, recipient, realmId } = mail;
    await ctx.audit(tx, {
      action: "admin.resend_mail",
      ids: { mail: id, company: realmId },
      after: { kind, recipient, reason },
    });
  });
}
