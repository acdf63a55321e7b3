import * as z from "zod";
import { DAY_MS } from "#platform/time.ts";

/** A company inside the server. */
export type Company = {
  realmId: string;
  name: string;
  /** Id of the admin; null if none is set. */
  adminId: string | null;
  adminEmail: string | null;
};

/** Intuit's company ids are digits. PostgreSQL refuses some other texts. */
export const isRealmId = (text: string): boolean => /^\d{1,32}$/.test(text);

/** Pacific time, Intuit's own, for companies without a known time zone. */
const TIME_ZONE = "America/Los_Angeles";

/** @param name an IANA name such as "America/New_York" */
export function knownTimeZone(name: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name ?? TIME_ZONE }).resolvedOptions().timeZone;
  } catch {
    return TIME_ZONE;
  }
}

/** Maximum time between refreshes of a connection; Intuit's own limit is 100 days. */
export const KEEP_ALIVE_AFTER_MS = 30 * DAY_MS;
/** Remaining time that triggers a refresh, should Intuit ever shorten its limit. */
export const IDLE_MARGIN_MS = 7 * DAY_MS;
/** Time before the hard end of a connection when we announce it, as Intuit does. */
export const WARN_BEFORE_END_MS = 30 * DAY_MS;

/** Access tokens with less than this left are renewed before use. */
export const RENEW_BEFORE_MS = 5 * 60_000;

/** Whether the user is the admin. Every member is if no admin is set. Compares ids, since e-mails change. */
export function isCompanyAdmin(company: Pick<Company, "adminId">, userId: string): boolean {
  return company.adminId === null || company.adminId === userId;
}

export const isEmail = (text: string): boolean => z.email().safeParse(text).success;

export const INVALID_EMAIL = "Enter an email address in the format name@example.com.";

/** Reason for a failed connection, as the page's texts name it. */
export type ConnectFailure = "refused" | "already_connected" | "wrong_country" | "other";
