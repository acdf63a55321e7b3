import { DAY_MS } from "#platform/time.ts";

/**
 * Age up to which a recorded subscription is shown without another read: Settings may be opened
 * again and again.
 */
export const STORED_FRESH_MS = 10_000;
/** The same during its payment, while the payer is waiting. */
export const UNPAID_FRESH_MS = 2_000;
/** The catalog changes only when its owner changes it, and events announce that at once. */
export const CATALOG_FRESH_MS = 10 * 60_000;
/**
 * Concurrent payments of one process: each holds one of its twelve database connections during the
 * calls to Stripe.
 */
export const MAX_PAYMENTS = 3;
/** Maximum wait for other payments of this process. */
export const TURN_WAIT_MS = 15_000;
/**
 * Maximum wait for a payment of the same company in another process; below the statement timeout of
 * a request.
 */
export const LOCK_WAIT_MS = 4_000;
/**
 * Time after which a stalled process loses a company's payment lock. A payment that Stripe answers
 * takes seconds.
 */
export const LOCK_IDLE_MS = 60_000;
/** Maximum reads of a subscription while another process keeps recording it. */
export const MAX_READS = 8;
/** Maximum age of a price on a page. */
export const PRICE_READ_MS = 60_000;
/**
 * Stripe keeps idempotency keys at least 24 hours; an older attempt is not repeated under its own
 * key.
 */
export const KEY_LIFE_MS = 20 * 3_600_000;
/** A subscription may lag behind its payment: waits before each re-read after a payment. */
export const LAG_WAITS_MS = [500, 1_000, 2_000] as const;
/** Events may be listed late: each poll overlaps the last one by this much. */
export const EVENT_OVERLAP_MS = 10 * 60_000;
/** Reach of the first poll of a new database; the nightly sync covers older events. */
export const FIRST_LOOK_MS = DAY_MS;
/** Limit for webhook bodies; Stripe's are a few KB. */
export const MAX_EVENT_BYTES = 256 * 1024;
