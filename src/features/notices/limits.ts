/**
 * Maximum mails that one company causes in a day: far above any office, far below what a spammer needs.
 */
export const MAX_MAILS_PER_COMPANY = 200;

/** The waits between attempts add up to about six hours. */
export const MAX_ATTEMPTS = 15;
