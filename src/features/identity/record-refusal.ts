import { auditBy } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SignInFailure } from "#features/identity/rules.ts";

/** Records a sign-in that was refused, or that did not complete; nobody knows who it was. */
export async function recordRefusal(
  ctx: Ctx,
  { reason, requestId }: { reason: SignInFailure; requestId: string },
): Promise<void> {
  const { audit } = auditBy(ctx, { userId: null, realmId: null, requestId });
  await audit(ctx.db, { action: "identity.sign_in_refused", after: { reason } });
}
