/**
 * Maximum mails that one company causes in a day: far above any office, far below what a spammer needs.
 */
export const MAX_MAILS_PER_COMPANY = 200;

/** The waits between attempts add up to about six hours. */
export const MAX_ATTEMPTS = 15;

/** Wait between attempts while the mail server refuses our login. */
export const SENDER_WAIT_MS = 15 * 60_000;
