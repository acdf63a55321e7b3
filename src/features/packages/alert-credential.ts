import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey, type SealingKeys } from "#platform/crypto/seal.ts";

const sign = (key: Buffer, realmId: string) =>
  createHmac("sha256", deriveKey(key, "ups-alert")).update(realmId).digest("base64url");

/** A credential that UPS sends back with a company's events. */
export function makeCredential(keys: SealingKeys, realmId: string): string {
  const [first] = keys;
  if (!first) throw new Error("No sealing key is configured.");
  return `${realmId}.${sign(first.key, realmId)}`;
}

/** @returns the company that a credential of ours is for; null for any other text */
export function readCredential(keys: SealingKeys, credential: string | undefined): string | null {
  const [realmId = "", signature = ""] = (credential ?? "").replace(/^Bearer /, "").split(".");
  const given = Buffer.from(signature);
  const isOurs = keys.some(({ key }) => {
    const wanted = Buffer.from(sign(key, realmId));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isOurs ? realmId : null;
}
