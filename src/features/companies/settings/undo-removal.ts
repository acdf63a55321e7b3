import * as z from "zod";
import { seal, unseal } from "#platform/crypto/seal.ts";
import { conflict } from "#platform/errors.ts";
import type { ConnectCtx } from "#features/companies/connect-company.ts";
import type { Member } from "#features/companies/store-members.ts";

/** The page offers it for ten seconds; a call may be slow. */
const GOOD_FOR_MS = 60_000;

type UndoCtx = Pick<ConnectCtx, "sealingKeys" | "clock">;

/** Whose removal, from which company, by whom. */
type Removal = { realmId: string; userId: string; email: string };

const removed = z.object({
  until: z.number(),
  members: z.array(z.object({ userId: z.string().nullable(), email: z.string() })),
});

/**
 * What brings members back whom an admin has just removed: as the users that they were, since by then somebody else may
 * have their e-mail, and an invitation would wait for whoever signs in with it.
 */
export function sealRemoval(ctx: UndoCtx, removal: Removal, members: readonly Member[]): string {
  const until = ctx.clock.now().getTime() + GOOD_FOR_MS;
  return seal(ctx.sealingKeys, purposeOf(removal), JSON.stringify({ until, members }));
}

/** @throws AppError 409 for what was sealed for another removal, too long ago, or never */
export function openRemoval(ctx: UndoCtx, removal: Removal, sealed: string): Member[] {
  try {
    const { until, members } = removed.parse(JSON.parse(unseal(ctx.sealingKeys, purposeOf(removal), sealed)));
    if (until > ctx.clock.now().getTime()) return members;
  } catch {
    // Made up, or of another removal: as good as one that is too old.
  }
  throw conflict("too_late_to_undo", "This removal can't be undone any more. Add the user again.");
}

const purposeOf = ({ realmId, userId, email }: Removal) => `removal:${realmId}:${userId}:${email}`;
