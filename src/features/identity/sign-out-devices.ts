import type { Audited } from "#features/audit/index.ts";
import type { Device } from "#features/identity/contract.ts";
import type { Session } from "#features/identity/find-session.ts";
import { findSessionsOf, removeSessionsOf } from "#features/identity/store.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Where a user is signed in, the last used first. The id of a device is the hash that its session is stored by. */
export async function listDevices({ db, clock }: Ctx, { user, idHash }: Session): Promise<Device[]> {
  const sessions = await findSessionsOf(db, user.id, clock.now());
  return sessions.map((session) => ({
    id: session.idHash.toString("hex"),
    name: session.device,
    signed_in_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    is_this: session.idHash.equals(idHash),
  }));
}

/** Signs a user out on one device, or on all but the one that asks. Ids of others' devices end nothing. */
export async function signOutDevices(
  ctx: Ctx & Audited,
  { user, idHash }: Session,
  id: string,
): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const which = id === "others" ? { allBut: idHash } : { only: Buffer.from(id, "hex") };
    const count = await removeSessionsOf(tx, user.id, which);
    await ctx.audit(tx, { action: "identity.sign_out_devices", after: { count } });
    return count;
  });
}
