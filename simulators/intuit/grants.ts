import { randomBytes, randomUUID } from "node:crypto";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

/** A user's consent to an app: sign-in only, or also for one company. Times in epoch milliseconds. */
export type Grant = {
  id: string;
  clientId: string;
  sub: string;
  realmId: string | null;
  scope: string;
  createdAt: number;
  revokedAt: number | null;
};

export const ACCOUNTING_SCOPE = "com.intuit.quickbooks.accounting";

export function createGrant(sim: Simulator, grant: Omit<Grant, "id" | "createdAt" | "revokedAt">): Grant {
  const created: Grant = {
    ...grant,
    id: randomUUID(),
    createdAt: sim.clock.now().getTime(),
    revokedAt: null,
  };
  sim.db
    .prepare(
      "INSERT INTO app_grant (id, client_id, sub, realm_id, scope, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(created.id, created.clientId, created.sub, created.realmId, created.scope, created.createdAt);
  return created;
}

export function findGrant(sim: Simulator, id: string): Grant | undefined {
  const row = sim.db.prepare("SELECT * FROM app_grant WHERE id = ?").get(id);
  return row ? toGrant(row) : undefined;
}

/** Live grants of a company, newest first. */
export function grantsOfRealm(sim: Simulator, realmId: string): Grant[] {
  return sim.db
    .prepare("SELECT * FROM app_grant WHERE realm_id = ? AND revoked_at IS NULL ORDER BY created_at DESC")
    .all(realmId)
    .map(toGrant);
}

/** Ends a grant and both its tokens. */
export function revokeGrant(sim: Simulator, id: string): void {
  sim.db
    .prepare("UPDATE app_grant SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
    .run(sim.clock.now().getTime(), id);
}

/** Ends every grant an app (or any app) has for a company; returns their number. */
export function revokeRealm(sim: Simulator, realmId: string, clientId?: string): number {
  const grants = grantsOfRealm(sim, realmId).filter(
    (grant) => clientId === undefined || grant.clientId === clientId,
  );
  for (const grant of grants) revokeGrant(sim, grant.id);
  return grants.length;
}

export function issueAccessToken(sim: Simulator, grantId: string): string {
  const token = `eyJlbmMiOiJBMTI4Q0JDLUhTMjU2In0.${randomBytes(48).toString("base64url")}`;
  const expiresAt = sim.clock.now().getTime() + readSettings(sim).accessTtlS * 1000;
  sim.db
    .prepare("INSERT INTO access_token (token, grant_id, expires_at) VALUES (?, ?, ?)")
    .run(token, grantId, expiresAt);
  return token;
}

/** Finds the live grant of an access token. */
export function findGrantByToken(sim: Simulator, token: string): Grant | undefined {
  const row = sim.db.prepare("SELECT grant_id, expires_at FROM access_token WHERE token = ?").get(token);
  if (!row || Number(row["expires_at"]) <= sim.clock.now().getTime()) return undefined;
  const grant = findGrant(sim, String(row["grant_id"]));
  return grant?.revokedAt === null ? grant : undefined;
}

/** Finds the grant of an access or refresh token, ended or not. */
export function grantOfAnyToken(sim: Simulator, token: string): Grant | undefined {
  const row = sim.db
    .prepare(
      "SELECT grant_id FROM access_token WHERE token = ?1 UNION SELECT grant_id FROM refresh_token WHERE token = ?1",
    )
    .get(token);
  return row ? findGrant(sim, String(row["grant_id"])) : undefined;
}

/** Expires the access tokens of a company (or one token) now. */
export function expireAccessTokens(sim: Simulator, which: { realmId: string } | { token: string }): number {
  const result =
    "token" in which
      ? sim.db.prepare("UPDATE access_token SET expires_at = 0 WHERE token = ?").run(which.token)
      : sim.db
          .prepare(
            "UPDATE access_token SET expires_at = 0 WHERE grant_id IN (SELECT id FROM app_grant WHERE realm_id = ?)",
          )
          .run(which.realmId);
  return Number(result.changes);
}

function toGrant(row: Record<string, unknown>): Grant {
  return {
    id: String(row["id"]),
    clientId: String(row["client_id"]),
    sub: String(row["sub"]),
    realmId: row["realm_id"] === null ? null : String(row["realm_id"]),
    scope: String(row["scope"]),
    createdAt: Number(row["created_at"]),
    revokedAt: row["revoked_at"] === null ? null : Number(row["revoked_at"]),
  };
}
