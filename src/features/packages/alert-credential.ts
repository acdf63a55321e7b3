import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { CarrierCtx } from "#features/carrier/index.ts";
import type { PackagesCtx } from "#features/packages/ctx.ts";
import { forgetSignedBefore } from "#features/packages/store.ts";
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

/** Makes packages due whose events UPS sends with a credential of an older sealing key, so that it gets one of the first. */
export async function renewAlertSeals({ db, clock, sealingKeys: [first] }: CarrierCtx): Promise<void> {
  if (first) await forgetSignedBefore(db, { key: first.id, now: clock.now() });
}

const TOKEN_SECONDS = 3_600;

const signToken = (key: Buffer, text: string) =>
  createHmac("sha256", deriveKey(key, "ups-alert-token")).update(text).digest("base64url");

const isEqual = (given: string, wanted: string) => {
  const [first, second] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
};

/** Gives UPS a token for the events of accounts. @returns null for a caller who isn't UPS's client */
export function giveToken(
  { sealingKeys: [first], alertClient: client, clock }: PackagesCtx,
  authorization: string | undefined,
): { access_token: string; token_type: "Bearer"; expires_in: number } | null {
  if (!client || !first) return null;
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
  if (!isEqual(authorization ?? "", `Basic ${basic}`)) return null;
  const until = String(clock.now().getTime() + TOKEN_SECONDS * 1_000);
  return {
    access_token: `${until}.${signToken(first.key, until)}`,
    token_type: "Bearer",
    expires_in: TOKEN_SECONDS,
  };
}

/** Whether a caller has a token that was given to UPS within the hour. */
export function isToken({ sealingKeys, clock }: PackagesCtx, authorization: string | undefined): boolean {
  const [until = "", signature = ""] = (authorization ?? "").replace(/^Bearer /, "").split(".");
  const isOurs = sealingKeys.some(({ key }) => isEqual(signature, signToken(key, until)));
  return isOurs && Number(until) >= clock.now().getTime();
}
