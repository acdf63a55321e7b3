import type { Mount } from "#platform/http/mount.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/authorize-call.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import * as contract from "#features/companies/contract.ts";
import { acceptInvitation, declineInvitation } from "#features/companies/invitations/answer-invitation.ts";
import { leaveCompany } from "#features/companies/invitations/leave-company.ts";
import {
  findInvitation,
  listInvitations,
  toReply,
} from "#features/companies/invitations/list-invitations.ts";

/** Invitations to companies for invited users, and leaving a company. */
export function invitationRoutes(mount: Mount<Caller>, ctx: ConnectCtx): void {
  mount(contract.listInvitations, async (_input, call) => ({
    invitations: await listInvitations(ctx, currentUser(call)),
  }));

  mount(contract.readInvitation, async ({ query }) => toReply(await findInvitation(ctx, query.invitation)));

  mount(contract.acceptInvitation, async ({ query }, call) => {
    const invitation = await findInvitation(ctx, query.invitation);
    await acceptInvitation(withAudit(ctx, call, invitation.realmId), invitation, currentUser(call));
    return { realm_id: invitation.realmId };
  });

  mount(contract.declineInvitation, async ({ query }, call) => {
    const invitation = await findInvitation(ctx, query.invitation);
    await declineInvitation(withAudit(ctx, call, invitation.realmId), invitation);
  });

  mount(contract.leaveCompany, (_input, call) =>
    leaveCompany(withAudit(ctx, call), currentCompany(call), currentUser(call)),
  );
}
