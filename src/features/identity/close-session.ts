import { auditBy } from "#features/audit/index.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { removeSession } from "#features/identity/store.ts";

/** Ends the session of a browser; a session that has ended already changes nothing. */
export async function signOut(
  ctx: Ctx,
  { secret, requestId }: { secret: string; requestId: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const userId = await removeSession(tx, hashSecret(secret));
    if (userId === null) return;
    await auditBy(ctx, { userId, realmId: null, requestId }).audit(tx, { action: "identity.sign_out" });
  });
}
