import * as z from "zod";

/** A company as the server's verbs know it. */
export type Company = {
  realmId: string;
  name: string;
  /** The user who administers it; null when none is set. */
  adminId: string | null;
  adminEmail: string | null;
};

/** Intuit's ids of company files are digits. Anything else is no company's id, and PostgreSQL refuses some of it. */
export const isRealmId = (text: string): boolean => /^\d{1,32}$/.test(text);

/** Pacific time, which Intuit itself goes by, when a company names no time zone or none that is known here. */
const TIME_ZONE = "America/Los_Angeles";

/** @param name an IANA name, as "America/New_York" */
export function knownTimeZone(name: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name ?? TIME_ZONE }).resolvedOptions().timeZone;
  } catch {
    return TIME_ZONE;
  }
}

const DAY_MS = 24 * 3_600_000;

/** A connection is refreshed at least so often; Intuit's own limit is 100 days. */
export const KEEP_ALIVE_AFTER_MS = 30 * DAY_MS;
/** Should Intuit ever allow less, it is refreshed when so much is left. */
export const IDLE_MARGIN_MS = 7 * DAY_MS;
/** The hard end of a connection is announced so long before: Intuit's own notice comes then too. */
export const WARN_BEFORE_END_MS = 30 * DAY_MS;

/** Access tokens with less than this left are renewed before use. */
export const RENEW_BEFORE_MS = 5 * 60_000;

/** Company admin: when no admin is set, or when it is this user, whatever e-mail they have now. */
export function isCompanyAdmin(company: Pick<Company, "adminId">, userId: string): boolean {
  return company.adminId === null || company.adminId === userId;
}

/** E-mails are stored and compared trimmed and in lower case. */
export const toEmail = (typed: string): string => typed.trim().toLowerCase();

export const isEmail = (text: string): boolean => z.email().safeParse(text).success;

export const INVALID_EMAIL = "Enter an email address in the format name@example.com.";

/** Why connecting a company did not succeed, as the page's words know it. */
export type ConnectFailure = "refused" | "already_connected" | "wrong_country" | "other";
