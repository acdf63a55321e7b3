import { createPrivateKey, createPublicKey, createSign, generateKeyPairSync } from "node:crypto";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

const KID = "simulated-intuit-1";

/** Key set of the simulated issuer. */
export function publicKeySet(sim: Simulator): { keys: Record<string, unknown>[] } {
  const jwk = createPublicKey(createPrivateKey(privateKey(sim))).export({ format: "jwk" });
  return { keys: [{ kty: jwk.kty, e: jwk.e, use: "sig", kid: KID, alg: "RS256", n: jwk.n }] };
}

/** Signs `claims` as a token (JWS compact, RS256). */
export function signToken(sim: Simulator, claims: Record<string, unknown>): string {
  const input = `${encode({ kid: KID, alg: "RS256" })}.${encode(claims)}`;
  return `${input}.${createSign("RSA-SHA256").update(input).sign(privateKey(sim), "base64url")}`;
}

/**
 * Clears the settings but keeps the key: apps cache the key set, and a new key with the same id would look
 * like a forgery.
 */
export function dropAllButSigningKey(sim: Simulator): void {
  sim.db.exec("DELETE FROM setting WHERE key <> 'signing_key'");
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function privateKey(sim: Simulator): string {
  const stored = readSetting<string>(sim.db, "signing_key");
  if (stored) return stored;
  keyOfProcess ??= generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  writeSetting(sim.db, "signing_key", keyOfProcess);
  return keyOfProcess;
}

/** Shared by all simulators of a process: generating one takes longer than starting a simulator. */
let keyOfProcess: string | undefined;
