/** A company as the server's verbs know it. */
export type Company = { realmId: string; name: string; adminEmail: string | null };

/** Intuit's ids of company files are digits. Anything else is no company's id, and PostgreSQL refuses some of it. */
export const isRealmId = (text: string): boolean => /^\d{1,32}$/.test(text);

/** Access tokens with less than this left are renewed before use. */
export const RENEW_BEFORE_MS = 5 * 60_000;

/** Company admin: when no admin is set, or when the admin's e-mail is the user's. Both are stored in lower case. */
export function isCompanyAdmin(company: Pick<Company, "adminEmail">, email: string): boolean {
  return company.adminEmail === null || company.adminEmail === email;
}

/** Why connecting a company did not succeed, as the page's words know it. */
export type ConnectFailure = "refused" | "already_connected" | "wrong_country" | "other";
