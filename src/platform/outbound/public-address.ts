import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";

/** Networks that are not the public internet, by RFC 6890: a user's server there may be one of ours. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");

/**
 * Finds the address of a host that a user typed. The caller connects to this address, so that a second look-up can't give
 * another one.
 * @returns fault "private" for a host with an address that is not public, unless those are allowed; "unknown" for no host
 */
export async function findAddress(
  host: string,
  allowPrivate: boolean,
): Promise<{ address: string } | { fault: "private" | "unknown" }> {
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first] = found;
  if (!first) return { fault: "unknown" };
  const isPrivate = found.some(({ address }) => NOT_PUBLIC.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
  return isPrivate && !allowPrivate ? { fault: "private" } : { address: first.address };
}
