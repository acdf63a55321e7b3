import type { Notifying } from "#features/notices/index.ts";
import { findContacts } from "#features/companies/connection-health/store.ts";
import { changeConnection, lockConnection, type Connection } from "#features/companies/store-connections.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";

export type CareCtx = Pick<Ctx, "clock"> &
  Notifying & {
    /** Called in the transaction that marks a connection as lost. */
    onConnectionLost(tx: Db, realmId: string): Promise<void>;
  };

/**
 * Marks a locked connection that Intuit no longer honors and notifies the company's admin and its programs, once
 * each time it ends.
 */
export async function endConnection(
  ctx: CareCtx,
  tx: Db,
  { realm_id: realmId, state }: Connection,
): Promise<void> {
  if (state !== "connected") return;
  await changeConnection(tx, realmId, { state: "reconnect_needed", updated_at: ctx.clock.now() });
  const { company, recipients } = await findContacts(tx, realmId);
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "reconnect_needed", realmId, recipient, params: { company } });
  await ctx.onConnectionLost(tx, realmId);
}

/**
 * Marks a company whose authorization Intuit no longer honors as to be reconnected, unless it was
 * reconnected since. Holds the connection's row until the transaction ends, so that the call that
 * next connects the company sees work that starts to wait in it.
 * @returns false if the company has a newer authorization: then nothing needs to wait
 */
export async function markReconnectNeeded(
  ctx: CareCtx,
  tx: Db,
  { realmId, grant }: { realmId: string; grant: string | null },
): Promise<boolean> {
  const connection = await lockConnection(tx, realmId);
  if (connection?.state === "connected" && connection.id !== grant) return false;
  if (connection) await endConnection(ctx, tx, connection);
  return true;
}
