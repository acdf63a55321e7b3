import type { Audited } from "#features/audit/index.ts";
import type { User } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { forbidden } from "#platform/errors.ts";
import { invitationOver } from "#features/companies/invitations/list-invitations.ts";
import { findMembership, lockCompany } from "#features/companies/store.ts";
import { addMember, removeInvitation, type Invitation } from "#features/companies/store-members.ts";

/**
 * Makes the invited user a member; idempotent. Their current company stays as it is.
 * @throws AppError 403 for a user with another e-mail, 404 for an invitation that was answered or withdrawn
 */
export async function acceptInvitation(
  ctx: Ctx & Audited,
  invitation: Invitation,
  user: User,
): Promise<void> {
  const { realmId, email } = invitation;
  if (email !== user.email)
    throw forbidden(
      "other_invited",
      `This invitation is for ${email}. Sign in with the Intuit account for that email to accept it.`,
    );
  await ctx.db.transaction().execute(async (tx) => {
    await lockCompany(tx, realmId);
    const isOpen = await removeInvitation(tx, invitation);
    const isMember = await findMembership(tx, realmId, user.id);
    if (!isOpen && !isMember) throw invitationOver();
    if (!isOpen || isMember) return;
    await addMember(tx, realmId, { userId: user.id, now: ctx.clock.now() });
    await ctx.audit(tx, { action: "companies.accept_invitation", after: { email } });
  });
}

/**
 * Ends an invitation; the link alone is enough, without signing in.
 * @throws AppError 404 for an invitation that was answered or withdrawn
 */
export async function declineInvitation(ctx: Ctx & Audited, invitation: Invitation): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await removeInvitation(tx, invitation))) throw invitationOver();
    await ctx.audit(tx, { action: "companies.decline_invitation", before: { email: invitation.email } });
  });
}
