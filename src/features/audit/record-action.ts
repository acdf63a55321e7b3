import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { addEntry, type Action, type Actor } from "#features/audit/store.ts";

/** What a verb that changes something needs: it records its action in its own transaction. */
export type Audited = { audit(tx: Db, action: Action): Promise<void> };

/** Records actions of one actor. Each is one row, and there is no way to change it. */
export const auditBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, actor: Actor): Audited => ({
  audit: (tx, done) => addEntry(tx, { ...actor, id: ids.uuid(), at: clock.now() }, done),
});
