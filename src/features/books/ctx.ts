import type { Audited } from "#features/audit/index.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { Ctx } from "#platform/ctx.ts";

export type BooksCtx = Ctx & { books(realmId: string): Books };

/** Context of verbs that change data. */
export type CallCtx = BooksCtx & Audited;
