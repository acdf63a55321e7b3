import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** Keys for sealing secrets at rest: the first one seals, all of them open. */
export type SealingKeys = readonly { id: string; key: Buffer }[];

/**
 * A sealed secret that cannot be opened. `unknown_key`: this process lacks the key, but another may have it.
 * `altered`: no key opens it, because the text or its key was changed.
 */
export class UnreadableSecret extends Error {
  readonly reason: "unknown_key" | "altered";

  constructor(reason: UnreadableSecret["reason"], options?: ErrorOptions) {
    super(`A sealed secret cannot be opened: ${reason}.`, options);
    this.name = "UnreadableSecret";
    this.reason = reason;
  }
}

const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a secret with AES-256-GCM as `v1.<key id>.<base64url of iv, tag, cipher text>`.
 * @param purpose owner of the secret (for example a connection id); it can't be opened for another
 */
export function seal(keys: SealingKeys, purpose: string, secret: string): string {
  const first = keys[0];
  if (!first) throw new Error("No sealing key is configured.");
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", first.key, iv).setAAD(Buffer.from(purpose));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return [VERSION, first.id, Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url")].join(".");
}

/**
 * Opens the result of `seal`. @throws UnreadableSecret if the key is unknown, the text was altered or the
 * purpose differs
 */
export function unseal(keys: SealingKeys, purpose: string, sealed: string): string {
  const [version, keyId, body] = sealed.split(".");
  if (version !== VERSION || !keyId || !body) throw new UnreadableSecret("altered");
  const key = keys.find((candidate) => candidate.id === keyId)?.key;
  if (!key) throw new UnreadableSecret("unknown_key");
  try {
    const bytes = Buffer.from(body, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString("utf8");
  } catch (error) {
    throw new UnreadableSecret("altered", { cause: error });
  }
}

/** Derives a key for one purpose other than sealing, by HKDF: what is made with it says nothing about the sealing key. */
export const deriveKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), purpose, 32));

/** Id of the key that sealed a text. */
export const sealedWith = (sealed: string): string => sealed.split(".")[1] ?? "";

/** SHA-256 of a text, for looking up a secret without storing it. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Parses keys: comma-separated `id:base64` pairs, each key 32 bytes. */
export function parseSealingKeys(text: string): SealingKeys {
  return text.split(",").map((pair) => {
    const [id = "", encoded = ""] = pair.trim().split(":");
    const key = Buffer.from(encoded, "base64");
    if (!/^[\w-]+$/.test(id) || key.length !== 32)
      throw new Error("each key must be written id:base64 of 32 bytes");
    return { id, key };
  });
}
