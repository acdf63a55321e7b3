import type { FastifyRequest } from "fastify";
import { listKeyScopes, type Access } from "#contract/endpoint.ts";
import { authorizeBySession, type Caller } from "#features/companies/index.ts";
import { findCallingKey, keyOfLimits } from "#features/programs/api-keys/find-calling-key.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { hasBearer } from "#platform/http/has-bearer.ts";

/** Authorizes a request by its key or its session: 401 without, 403 without scope, group, membership or admin right. */
export function createAuthorize(ctx: Ctx, cookie: SafeCookie) {
  const bySession = authorizeBySession(ctx, cookie);
  return async (request: FastifyRequest, access: Access): Promise<Caller> =>
    access.kind === "key" || isByKey(request, access)
      ? { session: null, ...(await findCallingKey(ctx, request, listKeyScopes(access))) }
      : bySession(request, access);
}

/** Names the key that a call claims instead of a session, for limits; null if it has none, undefined for sessions. */
export const claimedKey = (request: FastifyRequest, access: Access): string | null | undefined =>
  isByKey(request, access) ? keyOfLimits(request) : undefined;

/** Whether a call is made with a key instead of a session. */
const isByKey = (request: FastifyRequest, access: Access): boolean =>
  access.kind === "key" || (listKeyScopes(access).length > 0 && hasBearer(request));
