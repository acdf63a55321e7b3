import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hashSecret } from "#platform/crypto/seal.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Request headers that proxies add. A proxy on this machine forwards requests from other machines. */
const PROXY_HEADERS = /forwarded|^via$|real-ip|(?:client|connecting|cluster|remote)-?(?:ip|addr)/;

/**
 * Whether a caller may read metrics and facts: with the token, or from this machine unless a proxy is in front of it.
 * @param caller.address of the connection, undefined if it is closed
 * @param isBehindProxy as configured: a proxy need not add a header
 */
export function mayReadMetrics(
  { address, headers }: { address: string | undefined; headers: Headers },
  { token, isBehindProxy }: { token: string | null; isBehindProxy: boolean },
): boolean {
  const given = /^Bearer (.+)$/i.exec(String(headers["authorization"] ?? ""))?.[1];
  if (given !== undefined) return token !== null && timingSafeEqual(hashSecret(given), hashSecret(token));
  return (
    !isBehindProxy &&
    isLoopback(address ?? "") &&
    !Object.keys(headers).some((name) => PROXY_HEADERS.test(name))
  );
}

const isLoopback = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) === 4 ? plain.startsWith("127.") : plain === "::1";
};
