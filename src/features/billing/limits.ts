/** A recorded subscription younger than this is shown as it is: Settings may be opened again and again. */
export const STORED_FRESH_MS = 10_000;
/** The same while its payment is under way: the payer is waiting. */
export const UNPAID_FRESH_MS = 2_000;
/** The catalog changes when its owner changes it, and events say so at once. */
export const CATALOG_FRESH_MS = 10 * 60_000;
/** Payments that one process starts or ends at a time: each holds one of its twelve connections while Stripe is asked. */
export const MAX_PAYMENTS = 3;
/** How long a caller waits for other payments of this process. */
export const TURN_WAIT_MS = 15_000;
/** How long for a payment of the same company in another process; less than a statement of a request may take. */
export const LOCK_WAIT_MS = 4_000;
/** How long a process that stands still keeps others from a company's payments. A payment that Stripe answers takes seconds. */
export const LOCK_IDLE_MS = 60_000;
/** How often a subscription is read again because another process recorded it meanwhile. */
export const MAX_READS = 8;
/** How long a page may show a price that has changed since. */
export const PRICE_READ_MS = 60_000;
/** Stripe keeps idempotency keys at least 24 hours: an older attempt is not repeated under its own. */
export const KEY_LIFE_MS = 20 * 3_600_000;
/** A subscription may lag behind its payment: how long after a payment it is read again, in turn. */
export const LAG_WAITS_MS = [500, 1_000, 2_000] as const;
/** Events may be listed late: each look goes back this much before the last one. */
export const EVENT_OVERLAP_MS = 10 * 60_000;
/** The first look of a new database: older events are covered by the nightly look. */
export const FIRST_LOOK_MS = 24 * 3_600_000;
/** Webhook bodies: Stripe's are a few KB. */
export const MAX_EVENT_BYTES = 256 * 1024;
