import type * as z from "zod";
import type { User } from "#features/identity/index.ts";
import { seal, unseal, type SealingKeys } from "#platform/crypto/seal.ts";
import { notFound } from "#platform/errors.ts";
import * as contract from "#features/companies/contract.ts";
import type { Company } from "#features/companies/rules.ts";

type RefusalCtx = { sealingKeys: SealingKeys };

type Refusal = z.output<typeof contract.readRefusal.response>;

/**
 * Opens what `sealRefusal` made: whose company a user tried to connect.
 * @throws AppError 404 for anything that was not sealed for this user
 */
export function readRefusal(ctx: RefusalCtx, user: User, sealed: string): Refusal {
  try {
    return contract.readRefusal.response.parse(JSON.parse(unseal(ctx.sealingKeys, purposeOf(user), sealed)));
  } catch {
    throw notFound("Nothing is known of this refusal. Connect the company again to see whom to ask.");
  }
}

/**
 * Company and admin for an address of ours: an address can be made by anybody, so what our page says in our name must
 * come from us, and an admin's e-mail is for the eyes of the user who proved access to the books only.
 */
export function sealRefusal(ctx: RefusalCtx, user: User, { name, adminEmail }: Company): string {
  const shown: Refusal = { company: name, admin: adminEmail };
  return seal(ctx.sealingKeys, purposeOf(user), JSON.stringify(shown));
}

const purposeOf = (user: User) => `refusal:${user.id}`;
