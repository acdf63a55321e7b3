import { wasDoneSince, type Audited } from "#features/audit/index.ts";
import { findMailedInvitation, type Notifying } from "#features/notices/index.ts";
import type { User } from "#features/identity/index.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import { requireStillAdmin } from "#features/companies/authorize-call.ts";
import { INVALID_EMAIL, isEmail, type Company } from "#features/companies/rules.ts";
import { changeCompany, lockCompany } from "#features/companies/store.ts";
import {
  addInvitation,
  addMember,
  findMembersCalled,
  type Member,
  removeMembers,
} from "#features/companies/store-members.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ctx } from "#platform/ctx.ts";
import { foldEmail } from "#platform/email.ts";
import { AppError, badRequest, conflict } from "#platform/errors.ts";
import * as z from "zod";
import { seal, unseal } from "#platform/crypto/seal.ts";

/** Company, its admin, and the e-mail the admin typed. */
type By = { company: Company; user: User; email: string };

type UsersCtx = Ctx & Audited & Notifying & Pick<ConnectCtx, "sealingKeys" | "findRenewingPayer">;

/**
 * Invites a user to a company, or undoes a removal.
 * @param undo token of a removal to undo
 * @returns whether a mail goes to them: not if one of the last day already leads to the invitation
 * @throws AppError 400 for an invalid e-mail, 409 for a member, for a removal that is too old to undo, and for one after
 * which the user left or declined
 */
export async function addUser(
  ctx: UsersCtx,
  { undo, ...by }: By & { undo?: string | undefined },
): Promise<boolean> {
  const email = readEmail(by.email);
  return asAdmin(ctx, by, async (tx, { realmId, name: company }) => {
    if ((await findMembersCalled(tx, realmId, email)).length > 0)
      throw conflict("already_authorized", `${email} is already authorized.`);
    let isMailed = false;
    if (undo === undefined) {
      const now = ctx.clock.now();
      const mailed = await findMailedInvitation(tx, { realmId, email, now });
      const id = mailed ?? ctx.ids.uuid();
      await addInvitation(tx, realmId, { id, email, by: by.user.id, now });
      const params = { company, by: by.user.email, invitation: id };
      const mail = { kind: "invitation", realmId, recipient: email, params } as const;
      isMailed = mailed === null && (await ctx.notify(tx, mail));
    } else {
      const removal = { realmId, userId: by.user.id, email };
      const { members, at } = openRemoval(ctx, removal, undo);
      await refuseWhoLeft(tx, { ...removal, members, since: at });
      for (const member of members) await restoreMember({ ...ctx, db: tx }, realmId, member);
    }
    await ctx.audit(tx, { action: "companies.add_user", after: { email } });
    return isMailed;
  });
}

/** Refuses to undo a removal for a user who was put back by it before, and then went by their own choice. */
async function refuseWhoLeft(
  tx: Db,
  {
    realmId,
    email,
    members,
    since,
  }: { realmId: string; email: string; members: readonly Member[]; since: Date },
): Promise<void> {
  const userIds = members.flatMap(({ userId }) => userId ?? []);
  const actions = ["companies.leave", "companies.decline_invitation"];
  if (await wasDoneSince(tx, { realmId, actions, of: { userIds, email }, since }))
    throw conflict(
      "left_since",
      `${email} has left or declined in the meantime. Invite them again if they agree.`,
    );
}

/** Restores a removed user or invitation. */
async function restoreMember(
  { db, clock, ids }: Ctx,
  realmId: string,
  { userId, email, invitationId, invitedBy: by }: Member,
): Promise<void> {
  const now = clock.now();
  if (userId !== null) return addMember(db, realmId, { userId, now });
  await addInvitation(db, realmId, { id: invitationId ?? ids.uuid(), email, by, now });
}

/**
 * Ends a user's access to a company. Their uploads continue for the company.
 * @returns token that undoes the removal
 * @throws AppError 400 for an invalid e-mail, 404 for no member, 409 for the admin, the payer, and the caller
 */
export async function removeUser(ctx: UsersCtx, by: By): Promise<string> {
  const email = readEmail(by.email);
  return asAdmin(ctx, by, async (tx, { realmId, adminId }) => {
    const members = await findMembersCalled(tx, realmId, email);
    if (members.length === 0) throw notAuthorized(email);
    if (members.some(({ userId }) => userId !== null && userId === adminId))
      throw conflict(
        "is_company_admin",
        `${email} is the company admin and can't be removed. Transfer the admin role first.`,
      );
    if (members.some(({ userId }) => userId === by.user.id))
      throw conflict("is_self", "You can't remove yourself.");
    const payerId = await ctx.findRenewingPayer(tx, realmId);
    if (members.some(({ userId }) => userId !== null && userId === payerId)) throw payerStays(email);
    await removeMembers(tx, realmId, email);
    await ctx.audit(tx, { action: "companies.remove_user", before: { email } });
    return sealRemoval(ctx, { realmId, userId: by.user.id, email }, members);
  });
}

/**
 * Makes another member the company's admin.
 * @throws AppError 400 for an invalid e-mail, 404 for no member, 409 for an open invitation and for an e-mail of two users
 */
export async function handOver(ctx: Ctx & Audited & Notifying, by: By): Promise<void> {
  const email = readEmail(by.email);
  await asAdmin(ctx, by, async (tx, { realmId, adminEmail, name: company }) => {
    const members = await findMembersCalled(tx, realmId, email);
    if (members.length === 0) throw notAuthorized(email);
    const [userId, second] = members.flatMap((member) => member.userId ?? []);
    if (!userId)
      throw conflict(
        "not_signed_in",
        `${email} hasn't accepted the invitation yet. Ask them to, then try again.`,
      );
    if (second) throw conflict("several_users", severalUsers(email));
    await changeCompany(tx, realmId, { admin_id: userId });
    const params = { company, by: by.user.email, admin: email };
    for (const recipient of new Set([by.user.email, email]))
      await ctx.notify(tx, { kind: "new_admin", realmId, recipient, params });
    await ctx.audit(tx, {
      action: "companies.hand_over",
      before: { admin: adminEmail },
      after: { admin: email },
    });
  });
}

/** Runs one change of the members at a time, and checks again that the caller is the admin. */
async function asAdmin<Result>(
  { db }: Ctx,
  { company, user }: By,
  change: (tx: Db, company: Company) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockCompany(tx, company.realmId);
    await requireStillAdmin(tx, locked, user);
    return change(tx, locked);
  });
}

/** Refuses to remove the payer, who would keep paying without access. */
const payerStays = (email: string) =>
  conflict(
    "pays_for_company",
    `${email} pays for this company's services and can't be removed. Take over billing in Current Services first.`,
  );

const severalUsers = (email: string) =>
  `Two users of this company sign in with ${email}. Remove this user, add them again, and ask the one who will be the admin to accept.`;

function readEmail(typed: string): string {
  const email = foldEmail(typed);
  if (!isEmail(email)) throw badRequest("invalid_email", INVALID_EMAIL);
  return email;
}

const notAuthorized = (email: string) =>
  new AppError({
    status: 404,
    code: "not_authorized",
    detail: `No user of this company has the email ${email}. Reload the page.`,
  });

/** The page offers undo for ten seconds; calls can be slow. */
const GOOD_FOR_MS = 60_000;

type UndoCtx = Pick<ConnectCtx, "sealingKeys" | "clock">;

/** Company, admin, and removed e-mail. */
type Removal = { realmId: string; userId: string; email: string };

const removed = z.object({
  until: z.number(),
  members: z.array(
    z.object({
      userId: z.string().nullable(),
      email: z.string(),
      invitationId: z.string().nullable(),
      invitedBy: z.string().nullable(),
    }),
  ),
});

/**
 * Seals the members an admin has just removed, so that undo restores the same users. By then another user may have the
 * e-mail, and an invitation would go to that user.
 */
function sealRemoval(ctx: UndoCtx, removal: Removal, members: readonly Member[]): string {
  const until = ctx.clock.now().getTime() + GOOD_FOR_MS;
  return seal(ctx.sealingKeys, sealPurpose(removal), JSON.stringify({ until, members }));
}

/** @throws AppError 409 for a token that is forged, expired, or of another removal */
function openRemoval(ctx: UndoCtx, removal: Removal, sealed: string): { members: Member[]; at: Date } {
  try {
    const { until, members } = removed.parse(
      JSON.parse(unseal(ctx.sealingKeys, sealPurpose(removal), sealed)),
    );
    if (until > ctx.clock.now().getTime()) return { members, at: new Date(until - GOOD_FOR_MS) };
  } catch {
    // Forged or of another removal: treated like an expired one.
  }
  throw conflict("too_late_to_undo", "This removal can't be undone anymore. Add the user again.");
}

const sealPurpose = ({ realmId, userId, email }: Removal) => `removal:${realmId}:${userId}:${email}`;
