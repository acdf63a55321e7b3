import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { addEntry } from "#features/audit/store.ts";

/** Who acts, for which company, by which request; null for guests and for what belongs to no company. */
export type Actor = { userId: string | null; realmId: string | null; requestId: string };

type Facts = Record<string, unknown>;

/** What was done: a code, the ids of what it was done to, and what was there before and after where that is small. */
export type Action = { action: `${string}.${string}`; ids?: Facts; before?: Facts; after?: Facts };

/** What a verb that changes something needs: it records its action in its own transaction. */
export type Audited = { audit(tx: Db, action: Action): Promise<void> };

/** Records actions of one actor. Each is one row, and there is no way to change it. */
export const auditBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, actor: Actor): Audited => ({
  audit: (tx, done) =>
    addEntry(tx, {
      realm_id: actor.realmId ?? "",
      at: clock.now(),
      id: ids.uuid(),
      user_id: actor.userId,
      action: done.action,
      ids: toJson(done.ids ?? {}),
      before: done.before ? toJson(done.before) : null,
      after: done.after ? toJson(done.after) : null,
      request_id: actor.requestId,
    }),
});
