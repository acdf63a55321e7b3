import { DAY_MS } from "#platform/time.ts";

/** A user who is added, removed and added again within this time gets one mail about it. */
export const SAME_MAIL_MS = DAY_MS;

/**
 * Maximum mails that one company causes in that time: far above any office, far below what a spammer needs.
 */
export const MAX_MAILS_OF_COMPANY = 200;

/** The waits between attempts add up to about six hours. */
export const MAX_ATTEMPTS = 15;
