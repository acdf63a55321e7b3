import { randomBytes } from "node:crypto";
import type { Simulator } from "./simulator.ts";

const CODE_MS = 5 * 60_000;
export const ACCESS_S = 3_599;
export const REFRESH_S = 5_183_999;

/** A user's consent to an app; a code represents it until it is used once. */
export type Consent = { clientId: string; user: string; redirectUri: string; challenge: string | null };

const secret = (bytes: number) => randomBytes(bytes).toString("base64url");
const nowMs = (sim: Simulator) => sim.clock.now().getTime();

export function issueCode(sim: Simulator, consent: Consent): string {
  const code = secret(24);
  sim.db
    .prepare("INSERT INTO code (code, doc, expires_at) VALUES (?, ?, ?)")
    .run(code, JSON.stringify(consent), nowMs(sim) + CODE_MS);
  return code;
}

/** Uses a code up. @returns undefined when it is unknown, used before, or too old */
export function redeemCode(sim: Simulator, code: string): Consent | undefined {
  const row = sim.db.prepare("DELETE FROM code WHERE code = ? RETURNING doc, expires_at").get(code);
  if (!row || Number(row["expires_at"]) <= nowMs(sim)) return undefined;
  return JSON.parse(String(row["doc"])) as Consent;
}

/** The holder of an access token: a user's UPS ID, or an app for itself and perhaps one account. */
export type Bearer = { clientId: string; user: string | null; merchant: string | null };

export function issueAccessToken(sim: Simulator, { clientId, user, merchant }: Bearer): string {
  const token = secret(48);
  sim.db
    .prepare("INSERT INTO access_token (token, client_id, user, merchant, expires_at) VALUES (?, ?, ?, ?, ?)")
    .run(token, clientId, user, merchant, nowMs(sim) + ACCESS_S * 1000);
  return token;
}

type Refresh = { clientId: string; user: string; count: number };

export function issueRefreshToken(sim: Simulator, { clientId, user, count }: Refresh): string {
  const token = secret(48);
  sim.db
    .prepare("INSERT INTO refresh_token (token, client_id, user, count, expires_at) VALUES (?, ?, ?, ?, ?)")
    .run(token, clientId, user, count, nowMs(sim) + REFRESH_S * 1000);
  return token;
}

/** Uses up a refresh token, which works once. @returns undefined when it is unknown, used before, or too old */
export function redeemRefreshToken(sim: Simulator, token: string): Refresh | undefined {
  const row = sim.db.prepare("DELETE FROM refresh_token WHERE token = ? RETURNING *").get(token);
  if (!row || Number(row["expires_at"]) <= nowMs(sim)) return undefined;
  return { clientId: String(row["client_id"]), user: String(row["user"]), count: Number(row["count"]) };
}

/** The holder of a live access token; undefined for none. */
export function findBearer(sim: Simulator, token: string): Bearer | undefined {
  const row = sim.db.prepare("SELECT * FROM access_token WHERE token = ?").get(token);
  if (!row || Number(row["expires_at"]) <= nowMs(sim)) return undefined;
  const textOrNull = (value: unknown) => (value === null ? null : String(value));
  return {
    clientId: String(row["client_id"]),
    user: textOrNull(row["user"]),
    merchant: textOrNull(row["merchant"]),
  };
}

/** Makes all access tokens expire now. */
export function expireAccessTokens(sim: Simulator): number {
  return Number(sim.db.prepare("UPDATE access_token SET expires_at = 0").run().changes);
}

/** Ends a user's consent: revokes their refresh and access tokens. */
export function revokeUser(sim: Simulator, user: string): number {
  sim.db.prepare("DELETE FROM access_token WHERE user = ?").run(user);
  return Number(sim.db.prepare("DELETE FROM refresh_token WHERE user = ?").run(user).changes);
}
