import type { Audited } from "#features/audit/index.ts";
import { endUserSessions, findUserIds, setBlocked } from "#features/identity/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { foldEmail } from "#platform/email.ts";
import { notFound } from "#platform/errors.ts";

type UserCommand = "sign-out" | "block" | "unblock";

const ACTIONS = {
  "sign-out": "identity.sign_out_user",
  block: "identity.block_user",
  unblock: "identity.unblock_user",
} as const;

/**
 * Signs every user with an e-mail out on all devices, and keeps them from signing in or lets them in again. Running it
 * twice is harmless.
 * @returns number of devices signed out
 * @throws AppError 404 if no user has signed in with the e-mail
 */
export async function applyUserCommand(
  ctx: Ctx & Audited,
  command: UserCommand,
  { email: typed, reason }: { email: string; reason?: string },
): Promise<number> {
  const email = foldEmail(typed);
  return ctx.db.transaction().execute(async (tx) => {
    const userIds = await findUserIds(tx, email);
    if (userIds.length === 0) throw notFound(`No user has signed in with ${email}.`);
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
