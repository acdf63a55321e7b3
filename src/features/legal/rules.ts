/** Messages one sender may send within the time (ms); senders remembered at most. */
export const SENDER_LIMIT = { messages: 5, withinMs: 10 * 60_000, senders: 10_000 } as const;

/** Who sent when: times in ms by sender. */
export type Senders = Map<string, readonly number[]>;

/**
 * Counts a message of a sender, unless they have sent their share.
 * @param now ms
 * @returns null when counted, else the ms until the next one is taken
 */
export function countMessage(senders: Senders, sender: string, now: number): number | null {
  const recent = (senders.get(sender) ?? []).filter((time) => time > now - SENDER_LIMIT.withinMs);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= SENDER_LIMIT.messages) {
    return oldest + SENDER_LIMIT.withinMs - now;
  }
  // Taken out first, so that the order of the map is the order of the last message.
  senders.delete(sender);
  senders.set(sender, [...recent, now]);
  const [first] = senders.keys();
  if (senders.size > SENDER_LIMIT.senders && first !== undefined) senders.delete(first);
  return null;
}
