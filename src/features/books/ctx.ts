import type { Audited } from "#features/audit/index.ts";
import type { Books } from "#integrations/intuit/client.ts";
import type { Ctx } from "#platform/ctx.ts";

export type BooksCtx = Ctx & { books(realmId: string): Books };

/** What the verb of a call needs that changes something. */
export type CallCtx = BooksCtx & Audited;
