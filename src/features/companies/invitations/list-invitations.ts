import type * as z from "zod";
import type { User } from "#features/identity/index.ts";
import { findAllInvitations } from "#features/companies/across-cells.ts";
import type { Cell, Installation } from "#platform/cells.ts";
import { notFound } from "#platform/errors.ts";
import type { invitation } from "#features/companies/contract.ts";
import type { Invitation } from "#features/companies/store-members.ts";

type Reply = z.input<typeof invitation>;

/** Lists the open invitations for a user's sign-in e-mail, newest first. */
export async function listInvitations(ctx: Installation, user: User): Promise<Reply[]> {
  return (await findAllInvitations(ctx, { email: user.email })).map(({ invitation }) => toReply(invitation));
}

/**
 * Finds an open invitation and the database of its company.
 * @throws AppError 404 for an answered, withdrawn or unknown invitation
 */
export async function findInvitation(
  ctx: Installation,
  id: string,
): Promise<{ cell: Cell; invitation: Invitation }> {
  const [found] = await findAllInvitations(ctx, { id });
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
