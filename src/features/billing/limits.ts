/** A mirror younger than this is shown as it is: Settings may be opened again and again. */
export const MIRROR_FRESH_MS = 10_000;
/** Of one whose payment is under way: whoever has just paid is waiting. */
export const UNPAID_FRESH_MS = 2_000;
/** The catalog changes when its owner changes it, and events say so at once. */
export const CATALOG_FRESH_MS = 10 * 60_000;
/** After the death of its holder a lease ends by itself, sooner than others give up waiting. */
export const LEASE_MS = 8_000;
/** The living renew it, however long Stripe takes. */
export const LEASE_RENEW_MS = 2_000;
/** How long a caller waits for somebody else who works on the same payment. */
export const LEASE_WAIT_MS = 15_000;
export const LEASE_POLL_MS = 100;
/** How long a page may show a price that has changed since. */
export const PRICE_READ_MS = 60_000;
/** Stripe keeps idempotency keys at least 24 hours: an older attempt is not repeated under its own. */
export const KEY_LIFE_MS = 20 * 3_600_000;
/** A subscription may lag behind its payment: how long after a payment it is read again, in turn. */
export const LAG_WAITS_MS = [500, 1_000, 2_000] as const;
/** Events may be listed late: each look goes back this much before the last one. */
export const EVENT_OVERLAP_MS = 10 * 60_000;
/** The first look of a new database: what is older, the sweep finds. */
export const FIRST_LOOK_MS = 24 * 3_600_000;
/** Webhook bodies: Stripe's are a few KB. */
export const MAX_EVENT_BYTES = 256 * 1024;
