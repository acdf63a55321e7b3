import type { Audited } from "#features/audit/index.ts";
import { endUserSessions, findUserIds, lockOperators, setBlocked } from "#features/identity/store.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ctx } from "#platform/ctx.ts";
import { foldEmail } from "#platform/email.ts";
import { conflict, notFound } from "#platform/errors.ts";

type UserCommand = "sign-out" | "block" | "unblock";

const ACTIONS = {
  "sign-out": "identity.sign_out_user",
  block: "identity.block_user",
  unblock: "identity.unblock_user",
} as const;

/**
 * Signs every user with an e-mail out on all devices, and keeps them from signing in or lets them in again. Running it
 * twice is harmless.
 * @param by user who asked; null for the command line
 * @returns number of devices signed out
 * @throws AppError 404 if no user has signed in with the e-mail; 409 for a block of the caller, or one that leaves no operator
 */
export async function applyUserCommand(
  ctx: Ctx & Audited,
  command: UserCommand,
  { email: typed, by, reason }: { email: string; by: string | null; reason?: string },
): Promise<number> {
  const email = foldEmail(typed);
  return ctx.db.transaction().execute(async (tx) => {
    const userIds = await findUserIds(tx, email);
    if (userIds.length === 0) throw notFound(`No user has signed in with ${email}.`);
    if (command === "block") await refuseLockout(tx, userIds, { email, by });
    if (command !== "sign-out") await setBlocked(tx, userIds, command === "block" ? ctx.clock.now() : null);
    const count = command === "unblock" ? 0 : await endUserSessions(tx, userIds);
    await ctx.audit(tx, {
      action: ACTIONS[command],
      ids: { users: userIds },
      after: { email, count, ...(reason ? { reason } : {}) },
    });
    return count;
  });
}

async function refuseLockout(
  tx: Db,
  userIds: readonly string[],
  { email, by }: { email: string; by: string | null },
): Promise<void> {
  if (by !== null && userIds.includes(by))
    throw conflict("own_user", "You can't block yourself. Ask another operator.");
  const operators = await lockOperators(tx);
  if (operators.some((id) => userIds.includes(id)) && operators.every((id) => userIds.includes(id)))
    throw conflict(
      "last_operator",
      `${email} is the last operator. Add another one to GROUP_ADMIN and have them sign in before you block this one.`,
    );
}
