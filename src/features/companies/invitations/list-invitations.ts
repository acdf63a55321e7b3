import type * as z from "zod";
import type { User } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { invitation } from "#features/companies/contract.ts";
import { findInvitations, type Invitation } from "#features/companies/store-members.ts";

type Reply = z.input<typeof invitation>;

/** Lists the open invitations for a user's sign-in e-mail, newest first. */
export async function listInvitations(ctx: Ctx, user: User): Promise<Reply[]> {
  return (await findInvitations(ctx.db, { email: user.email })).map(toReply);
}

/** @throws AppError 404 for an answered, withdrawn or unknown invitation */
export async function findInvitation(ctx: Ctx, id: string): Promise<Invitation> {
  const [found] = await findInvitations(ctx.db, { id });
  if (!found) throw invitationOver();
  return found;
}

export const invitationOver = () =>
  notFound(
    "This invitation was already answered or withdrawn. If you still need access, ask to be invited again.",
  );

export const toReply = ({ id, company, email, by, admin, invitedAt }: Invitation): Reply => ({
  id,
  company,
  email,
  by,
  admin,
  invited_at: invitedAt.toISOString(),
});

/** Finds the invitations page for a user who has open ones; null for others. */
export async function findInvitationPage(ctx: Ctx, user: User): Promise<string | null> {
  return (await findInvitations(ctx.db, { email: user.email })).length > 0 ? "/invitation/" : null;
}
