import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hashSecret } from "#platform/crypto/seal.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers that proxies add: a proxy on this machine passes on requests of other machines. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/**
 * Whether a caller may read metrics and facts: from this machine and not through a proxy, or with the token.
 * @param caller.address of the connection, undefined if it is closed
 */
export function mayReadMetrics(
  { address, headers }: { address: string | undefined; headers: Headers },
  token: string | null,
): boolean {
  const given = /^Bearer (.+)$/i.exec(String(headers["authorization"] ?? ""))?.[1];
  if (given !== undefined) return token !== null && timingSafeEqual(hashSecret(given), hashSecret(token));
  return isLoopback(address ?? "") && PROXY_HEADERS.every((name) => headers[name] === undefined);
}

const isLoopback = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) === 4 ? plain.startsWith("127.") : plain === "::1";
};
