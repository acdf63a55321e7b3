import { createHmac, timingSafeEqual } from "node:crypto";

/** Tolerance between Stripe's clock and ours. Older events may be replays, later ones are forged. */
const WINDOW_MS = 300_000;

type Signed = { body: Buffer; signature: string | undefined; secrets: readonly string[]; now: Date };

/**
 * Whether Stripe signed this body with one of our secrets, within five minutes of now. The SDK's own check
 * accepts any time in the future.
 * @see https://docs.stripe.com/webhooks#verify-manually
 */
export function verifyEvent({ body, signature, secrets, now }: Signed): boolean {
  const parts = (signature ?? "").split(",").map((part) => part.split("=", 2));
  const at = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(at)) return false;
  if (Math.abs(now.getTime() - Number(at) * 1000) > WINDOW_MS) return false;
  const given = parts.flatMap(([name, value]) => (name === "v1" && value ? [Buffer.from(value)] : []));
  return secrets.some((secret) => {
    const wanted = Buffer.from(createHmac("sha256", secret).update(`${at}.`).update(body).digest("hex"));
    return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted));
  });
}
