import { isIPv6 } from "node:net";

/**
 * Groups addresses by caller: an IPv4 address, or the /64 network of an IPv6 address, because one customer
 * owns a whole network.
 */
export function callerNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = address.replace(/%.*$/s, "");
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? address;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":").length + Number(tail.includes(".")) : 0;
  const zeros = tail === undefined ? 0 : 8 - groups.length - after;
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...(tail ? tail.split(":") : [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
