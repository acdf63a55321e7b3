import { isIPv6 } from "node:net";

/** Messages one sender may send within the time (ms); senders remembered at most. */
export const SENDER_LIMIT = { messages: 5, withinMs: 10 * 60_000, senders: 10_000 } as const;

/** Days after which messages are deleted. */
export const MESSAGE_RETENTION_DAYS = 400;

/**
 * Groups addresses by sender: an IPv4 address, or the /64 network of an IPv6 address, because one customer
 * owns a whole network.
 */
export function senderNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = address.replace(/%.*$/, "");
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

/** Times of messages in ms, by sender. */
export type Senders = Map<string, readonly number[]>;

/**
 * Counts a message of a sender, unless the sender has reached the limit.
 * @param now ms
 * @returns null if counted, else the ms until the next one is accepted
 */
export function countMessage(senders: Senders, sender: string, now: number): number | null {
  const recent = (senders.get(sender) ?? []).filter((time) => time > now - SENDER_LIMIT.withinMs);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= SENDER_LIMIT.messages) {
    return oldest + SENDER_LIMIT.withinMs - now;
  }
  // Removed and added again, so that the map stays in the order of the last message.
  senders.delete(sender);
  senders.set(sender, [...recent, now]);
  const [first] = senders.keys();
  if (senders.size > SENDER_LIMIT.senders && first !== undefined) senders.delete(first);
  return null;
}
