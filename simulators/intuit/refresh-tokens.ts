import { randomBytes } from "node:crypto";
import { findGrant, revokeGrant, type Grant } from "./grants.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

const DAY_MS = 86_400_000;

type Stored = {
  token: string;
  grantId: string;
  issuedAt: number;
  expiresAt: number;
  replacedAt: number | null;
};

/** Issues a refresh token for a grant. */
export function issueRefreshToken(sim: Simulator, grant: Grant): string {
  const token = `RT1-${randomBytes(2).readUInt16BE() % 1000}-H0-${randomBytes(24).toString("base64url")}`;
  const now = sim.clock.now().getTime();
  sim.db
    .prepare("INSERT INTO refresh_token (token, grant_id, issued_at, expires_at) VALUES (?, ?, ?, ?)")
    .run(token, grant.id, now, now + readSettings(sim).rollingTtlS * 1000);
  return token;
}

/** Seconds left until the grant ends in any case. */
export function hardExpiresIn(sim: Simulator, grant: Grant): number {
  const end = grant.createdAt + readSettings(sim).hardTtlS * 1000;
  return Math.max(0, Math.floor((end - sim.clock.now().getTime()) / 1000));
}

/**
 * Uses a refresh token: returns the same value within 24 hours, afterwards (or always, by the switch) a new
 * one.
 * @returns undefined if the token is unknown, expired, revoked, replaced or belongs to another app
 */
export function useRefreshToken(
  sim: Simulator,
  token: string,
  clientId: string,
): { grant: Grant; refreshToken: string } | undefined {
  const stored = findStored(sim, token);
  const grant = stored && findGrant(sim, stored.grantId);
  const now = sim.clock.now().getTime();
  if (!stored || !grant || grant.clientId !== clientId || grant.revokedAt !== null) return undefined;
  if (stored.expiresAt <= now || hardExpiresIn(sim, grant) === 0) return undefined;
  const settings = readSettings(sim);
  if (stored.replacedAt !== null) return useReplaced(sim, stored, grant);
  if (settings.rotation === "sticky24h" && now - stored.issuedAt < DAY_MS) {
    sim.db
      .prepare("UPDATE refresh_token SET expires_at = ? WHERE token = ?")
      .run(now + settings.rollingTtlS * 1000, token);
    return { grant, refreshToken: token };
  }
  sim.db.prepare("UPDATE refresh_token SET replaced_at = ? WHERE token = ?").run(now, token);
  return { grant, refreshToken: issueRefreshToken(sim, grant) };
}

function useReplaced(
  sim: Simulator,
  stored: Stored,
  grant: Grant,
): { grant: Grant; refreshToken: string } | undefined {
  const { reuse } = readSettings(sim);
  if (reuse === "revoke-family") revokeGrant(sim, grant.id);
  const age = sim.clock.now().getTime() - (stored.replacedAt ?? 0);
  if (reuse !== "grace24h" || age > DAY_MS) return undefined;
  const row = sim.db
    .prepare(
      "SELECT token FROM refresh_token WHERE grant_id = ? AND replaced_at IS NULL ORDER BY issued_at DESC LIMIT 1",
    )
    .get(grant.id);
  return { grant, refreshToken: row ? String(row["token"]) : issueRefreshToken(sim, grant) };
}

function findStored(sim: Simulator, token: string): Stored | undefined {
  const row = sim.db.prepare("SELECT * FROM refresh_token WHERE token = ?").get(token);
  if (!row) return undefined;
  return {
    token,
    grantId: String(row["grant_id"]),
    issuedAt: Number(row["issued_at"]),
    expiresAt: Number(row["expires_at"]),
    replacedAt: row["replaced_at"] === null ? null : Number(row["replaced_at"]),
  };
}
