import type { Mailer } from "#integrations/mail/send-mail.ts";
import { renderMail } from "#features/notices/rules.ts";
import { footerOf, textOf } from "#features/notices/sentences.ts";
import { settleMail, takeMail } from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";

export type NoticesCtx = Ctx & { mailer: Mailer; product: string; publicUrl: string };

/**
 * Sends a mail that is queued. One that the mail server may have is never sent again.
 * @throws when it certainly was not sent: the job is tried again
 */
export async function sendMail(ctx: NoticesCtx, { id }: { id: string }): Promise<void> {
  const mail = await takeMail(ctx.db, id, ctx.clock.now());
  if (!mail) return;
  const content = renderMail(textOf(mail, ctx), footerOf(ctx));
  const outcome = await ctx.mailer({ id, to: mail.recipient, ...content });
  const settle = (state: "queued" | "sent" | "refused" | "in_doubt", cause: string | null) =>
    settleMail(ctx.db, id, { state, cause, now: ctx.clock.now() });
  if (outcome.kind === "accepted") return settle("sent", null);
  if (outcome.kind !== "not_sent") {
    ctx.log.warn({ mail: id, cause: outcome.cause, state: outcome.kind }, "A mail was not accepted");
    return settle(outcome.kind, outcome.cause);
  }
  await settle("queued", outcome.cause);
  throw new Error(`The mail server did not take the mail: ${outcome.cause}.`);
}
