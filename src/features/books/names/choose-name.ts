import { formatCount } from "#formats/text/phrases.ts";
import { conflict, notFound } from "#platform/errors.ts";
import type { ListKind, NameChoice } from "#features/books/names/contract.ts";
import { readEntries } from "#features/books/lists/search-list.ts";
import { countOtherChoices, removeNameChoice, saveNameChoice } from "#features/books/names/store.ts";
import type { CallCtx } from "#features/books/ctx.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";

/** Matched names of one company: each upload reads all of them. */
export const MAX_CHOICES = 20_000;

type Input = { kind: ListKind; text: string; target_id: string };

/**
 * Remembers which entry of the books a name in sheets means for this company. Used only if the
 * books have no entry with that exact name.
 * @throws AppError 404 if the entry is not an active one of the list, 409 for too many saved names
 */
export async function chooseName(
  ctx: CallCtx,
  who: { realmId: string; by: string },
  input: Input,
): Promise<NameChoice> {
  const target = (await readEntries(ctx, who.realmId, input.kind)).find(({ id }) => id === input.target_id);
  if (!target) throw notFound("That entry is no longer active in QuickBooks. Search again.");
  const choice = { ...input, target_name: target.name };
  const key = looseName(input.text);
  await ctx.db.transaction().execute(async (tx) => {
    if ((await countOtherChoices(tx, who.realmId, { kind: input.kind, key })) >= MAX_CHOICES)
      throw conflict(
        "too_many_choices",
        `This company has ${formatCount(MAX_CHOICES)} saved matches, the most it can have. Forget some of them, then try again.`,
      );
    await saveNameChoice(tx, { ...who, now: ctx.clock.now() }, { ...choice, key });
    await ctx.audit(tx, { action: "choices.choose_name", after: choice });
  });
  return choice;
}

/** Forgets which entry of the books a name in sheets means, so that users are asked again. */
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
