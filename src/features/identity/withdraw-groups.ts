import { GROUPS, type Group } from "#contract/endpoint.ts";
import { withdrawGroup } from "#features/identity/store.ts";
import type { Ctx } from "#platform/ctx.ts";

/**
 * Takes the groups away that the configuration no longer gives, so that sessions which are open lose them at their next
 * request. Those that it gives come with a sign-in.
 * @param members e-mails by group, `*` for everyone
 */
export async function withdrawGroups(
  { db }: Pick<Ctx, "db">,
  members: Record<Group, readonly string[]>,
): Promise<void> {
  for (const group of GROUPS)
    if (!members[group].includes("*")) await withdrawGroup(db, group, members[group]);
}
