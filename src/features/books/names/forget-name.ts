import { removeNameChoice } from "#features/books/names/store.ts";
import type { ListKind } from "#features/books/names/contract.ts";
import type { CallCtx } from "#features/books/ctx.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";

/** Forgets which entry of the books a name in sheets means: it is asked for again. */
export async function forgetName(
  ctx: CallCtx,
  realmId: string,
  { kind, text }: { kind: ListKind; text: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await removeNameChoice(tx, realmId, { kind, key: looseName(text) });
    await ctx.audit(tx, { action: "choices.forget_name", before: { kind, text } });
  });
}
