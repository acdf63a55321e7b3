import { randomBytes } from "node:crypto";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

/** A user's consent; a code represents it until it is used once. */
export type Consent = {
  clientId: string;
  sub: string;
  realmId: string | null;
  scope: string;
  redirectUri: string;
  nonce?: string;
};

export function issueCode(sim: Simulator, consent: Consent): string {
  const code = `AB1${randomBytes(24).toString("base64url")}`;
  const expiresAt = sim.clock.now().getTime() + readSettings(sim).codeTtlS * 1000;
  sim.db
    .prepare("INSERT INTO code (code, doc, expires_at) VALUES (?, ?, ?)")
    .run(code, JSON.stringify(consent), expiresAt);
  return code;
}

/** Redeems a code. @returns undefined if it is unknown, already used or too old */
export function redeemCode(sim: Simulator, code: string): Consent | undefined {
  const row = sim.db.prepare("SELECT doc, expires_at, used FROM code WHERE code = ?").get(code);
  if (!row || Number(row["used"]) === 1 || Number(row["expires_at"]) <= sim.clock.now().getTime())
    return undefined;
  sim.db.prepare("UPDATE code SET used = 1 WHERE code = ?").run(code);
  return JSON.parse(String(row["doc"])) as Consent;
}
