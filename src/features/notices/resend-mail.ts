import type { Audited } from "#features/audit/index.ts";
import { addSendMail } from "#features/notices/runs.ts";
import { requeueMail } from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { conflict } from "#platform/errors.ts";

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
