import { createHmac } from "node:crypto";

/** Begins every secret, as the Standard Webhooks specification says. */
export const SECRET_PREFIX = "whsec_";

type Signed = { id: string; at: Date; body: string };

/**
 * Builds the headers of a message by the Standard Webhooks specification, version 1.0.0.
 * @param secrets each `whsec_` and base64; one signature for each
 */
export function signMessage({ id, at, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  };
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map(sign).join(" "),
  };
}
