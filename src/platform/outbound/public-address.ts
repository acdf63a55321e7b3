import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = networks([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

/** Networks that are not the public internet, by IANA's registries of special addresses: a user's server there may be one of ours. */
const NOT_PUBLIC = networks([
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's host, which gives its virtual machines their settings.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["::", 96],
  // Addresses that a translator passes on to one of IPv4 (SIIT, RFC 7915).
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 63],
  // Protocols of the IETF; in it and behind it tunnels, whose addresses contain one of IPv4.
  ["2001::", 23],
  ["2002::", 16],
  ["2001:db8::", 32],
  ["3fff::", 20],
  // Segments of a router's own network (RFC 9602).
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
]);

/** A list of networks. An IPv6 address that stands for one of IPv4 is looked up as that one. */
function networks(list: readonly (readonly [string, number])[]): BlockList {
  const made = new BlockList();
  for (const [network, prefix] of list) made.addSubnet(network, prefix, family(network));
  return made;
}

function family(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** Finds all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true });

/** Addresses that may be called: those of the public internet, these and this machine's own, or any. */
export type Reach = "public" | "loopback" | "any";

/** @param address of IPv4 or IPv6 */
export function isReachable(address: string, reach: Reach): boolean {
  if (reach === "any" || !NOT_PUBLIC.check(address, family(address))) return true;
  return reach === "loopback" && LOOPBACK.check(address, family(address));
}

/**
 * Finds the address of a host that a user typed. The caller connects to this address, so that a second look-up can't give
 * another one.
 * @returns fault "private" for a host with an address out of reach; "unknown" for no host
 */
export async function findAddress(
  host: string,
  reach: Reach,
  resolve: Resolve = systemResolve,
): Promise<{ address: string } | { fault: "private" | "unknown" }> {
  const found = await resolve(host).catch(() => []);
  const [first] = found;
  if (!first) return { fault: "unknown" };
  return found.every(({ address }) => isReachable(address, reach))
    ? { address: first.address }
    : { fault: "private" };
}
