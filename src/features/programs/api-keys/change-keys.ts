import { GROUP_OF, KEY_SCOPES, type KeyScope } from "#contract/endpoint.ts";
import type { Audited } from "#features/audit/index.ts";
import type { User } from "#features/identity/index.ts";
import type { ApiKey } from "#features/programs/api-keys/contract.ts";
import { KEY_PREFIX } from "#features/programs/api-keys/authorize-call.ts";
import { addKey, findKeys, markRevoked, type StoredKey } from "#features/programs/api-keys/store.ts";
import { lockCompany, requireGroup, requireStillAdmin, type Company } from "#features/companies/index.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { conflict, notFound } from "#platform/errors.ts";

/** A company has a key for each of its programs, and one more while it changes one. */
const MAX_KEYS_IN_USE = 20;
/** Keys that Settings lists. */
const MAX_LISTED = 100;

export const listKeys = async ({ db }: Ctx, { realmId }: Company): Promise<ApiKey[]> =>
  (await findKeys(db, realmId, MAX_LISTED)).map(toReply);

/**
 * Makes a key. Only a hash of its secret is stored, so the answer is the only place that shows it.
 * @throws AppError 403 for a user who is no longer the admin or has no access to what a scope is for; 409 for a name in use, and for too many keys
 */
export async function makeKey(
  ctx: Ctx & Audited,
  {
    company,
    user,
    name,
    scopes,
  }: { company: Company; user: User; name: string; scopes: readonly KeyScope[] },
): Promise<{ key: ApiKey; secret: string }> {
  const { realmId } = company;
  for (const scope of scopes) requireGroup(user, GROUP_OF[scope]);
  const secret = KEY_PREFIX + ctx.ids.secret();
  const key: StoredKey = {
    realm_id: realmId,
    id: ctx.ids.uuid(),
    name,
    scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    secret_hash: hashSecret(secret),
    ending: secret.slice(-4),
    created_at: ctx.clock.now(),
    created_by: user.email,
    maker_id: user.id,
    last_used_at: null,
    revoked_at: null,
  };
  await ctx.db.transaction().execute(async (tx) => {
    await requireStillAdmin(tx, await lockCompany(tx, realmId), user);
    const inUse = (await findKeys(tx, realmId, MAX_KEYS_IN_USE)).filter(
      (apiKey) => apiKey.revoked_at === null,
    );
    if (inUse.some((used) => used.name.toLowerCase() === name.toLowerCase()))
      throw conflict("key_name_used", `A key named ${name} is in use. Choose another name.`);
    if (inUse.length === MAX_KEYS_IN_USE)
      throw conflict("too_many_keys", `A company has at most ${MAX_KEYS_IN_USE} keys. Revoke one first.`);
    await addKey(tx, key);
    await ctx.audit(tx, {
      action: "companies.make_key",
      ids: { key: key.id },
      after: { name, scopes: key.scopes },
    });
  });
  return { key: toReply(key), secret };
}

/**
 * Revokes a key: the next call with it is refused. Again is harmless.
 * @throws AppError 404 for a key that the company does not have
 */
export async function revokeKey(ctx: Ctx & Audited, { realmId }: Company, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const name = await markRevoked(tx, { realmId, id, now: ctx.clock.now() });
    if (name === undefined) throw notFound("We can't find this key. Reload the page.");
    if (name !== null)
      await ctx.audit(tx, { action: "companies.revoke_key", ids: { key: id }, before: { name } });
  });
}

const toReply = ({ id, name, scopes, ending, created_by, ...times }: StoredKey): ApiKey => ({
  id,
  name,
  scopes: [...scopes],
  ending,
  created_at: times.created_at.toISOString(),
  created_by,
  last_used_at: times.last_used_at?.toISOString() ?? null,
  revoked_at: times.revoked_at?.toISOString() ?? null,
});
