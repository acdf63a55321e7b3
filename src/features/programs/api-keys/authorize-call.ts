import type { FastifyRequest } from "fastify";
import { listKeyScopes, type Access, type Group, type KeyScope } from "#contract/endpoint.ts";
import {
  AREAS,
  authorizeBySession,
  type Caller,
  findCompany,
  type CallingKey,
  type Company,
} from "#features/companies/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { hasBearer } from "#platform/http/has-bearer.ts";
import { findKeyBySecret, noteUse } from "#features/programs/api-keys/store.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { AppError, forbidden } from "#platform/errors.ts";

/** Authorizes a request by its key or its session: 401 without, 403 without scope, group, membership or admin right. */
export function createAuthorize(ctx: Ctx, cookie: SafeCookie) {
  const bySession = authorizeBySession(ctx, cookie);
  return async (request: FastifyRequest, access: Access): Promise<Caller> =>
    access.kind === "key" || isByKey(request, access)
      ? { session: null, ...(await findCallingKey(ctx, request, access)) }
      : bySession(request, access);
}

/** Names the key that a call claims instead of a session, for limits; null if it has none, undefined for sessions. */
export const claimedKey = (request: FastifyRequest, access: Access): string | null | undefined =>
  isByKey(request, access) ? keyOfLimits(request) : undefined;

/** Whether a call is made with a key instead of a session. */
const isByKey = (request: FastifyRequest, access: Access): boolean =>
  access.kind === "key" || (listKeyScopes(access).length > 0 && hasBearer(request));

/** Begins every secret, so that scanners of source code recognize one. */
export const KEY_PREFIX = "dk_";
const BEARER = /^Bearer (dk_[\w-]{43})$/i;
/** Uses within a minute are noted as one. */
const NOTE_EVERY_MS = 60_000;

/**
 * Finds the company's key of a call. A call that names another company than the key's is refused too; one that names
 * none is about the key's.
 * @throws AppError 401 without a key in use; 403 for a key without a scope of the call, and where its maker has no access
 */
async function findCallingKey(
  ctx: Ctx,
  request: FastifyRequest,
  access: Access,
): Promise<{ key: CallingKey; company: Company }> {
  const secret = readSecret(request);
  const found = secret === null ? undefined : await findKeyBySecret(ctx.db, hashSecret(secret));
  if (!found) throw keyRequired();
  const { realm_id: realmId, id, name } = found;
  const query = request.query as { realm_id?: unknown };
  const named = [query.realm_id, request.headers["x-realm-id"]];
  if (named.some((company) => company !== undefined && company !== realmId)) throw keyRequired();
  const company = await findCompany(ctx.db, realmId);
  if (!company) throw keyRequired();
  const scopes = listKeyScopes(access);
  if (!scopes.some((scope) => found.scopes.includes(scope))) throw missingScope(scopes);
  const group = "group" in access ? access.group : undefined;
  if (group && !found.groups?.includes(group)) throw missingGroup(group);
  query.realm_id = realmId;
  const now = ctx.clock.now();
  if (now.getTime() - (found.last_used_at?.getTime() ?? 0) >= NOTE_EVERY_MS)
    await noteUse(ctx.db, { realmId, id, now });
  return { key: { id, name }, company };
}

/** Names the key that a request claims, for limits, without its secret; null for none. */
function keyOfLimits(request: FastifyRequest): string | null {
  const secret = readSecret(request);
  return secret === null ? null : `key ${hashSecret(secret).toString("base64")}`;
}

const readSecret = ({ headers }: FastifyRequest): string | null =>
  BEARER.exec(headers.authorization ?? "")?.[1] ?? null;

const missingScope = (scopes: readonly KeyScope[]) =>
  forbidden(
    "missing_scope",
    `This call needs an API key that may do this: ${scopes.join(" or ")}. The company's admin creates one in Settings.`,
  );

const missingGroup = (group: Group) =>
  forbidden(
    "missing_group",
    `The user who made this API key doesn't have access to ${AREAS[group]}. Ask a company admin who has it for a key.`,
  );

const keyRequired = () =>
  new AppError({
    status: 401,
    code: "key_required",
    detail:
      "This call needs an active API key of the company: Authorization: Bearer dk_… A company admin creates one in Settings.",
  });
