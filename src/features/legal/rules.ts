/** Messages one sender may send within the time (ms). */
export const SENDER_LIMIT = { max: 5, withinMs: 10 * 60_000 } as const;

/** Days after which messages are deleted. */
export const MESSAGE_RETENTION_DAYS = 400;
