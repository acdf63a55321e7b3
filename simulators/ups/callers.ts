import { findBearer, type Bearer } from "./tokens.ts";
import { UpsFault } from "./replies.ts";
import type { Simulator } from "./simulator.ts";
import type { WireRequest } from "../kit/http.ts";
import { findUser } from "./users.ts";

/** The holder of a request's token, and the shipper accounts that it may use. */
export type Caller = Bearer & { accounts: readonly string[] };

/** @throws UpsFault when the request has no live token */
export function readCaller(sim: Simulator, { headers }: WireRequest): Caller {
  const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  const bearer = findBearer(sim, token);
  if (!bearer) throw new UpsFault(401, "250002", "Invalid Authentication Information.");
  const own = bearer.merchant === null ? [] : [bearer.merchant];
  return { ...bearer, accounts: bearer.user === null ? own : (findUser(bearer.user)?.accounts ?? []) };
}
