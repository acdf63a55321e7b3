import { GROUPS, type Group } from "#contract/endpoint.ts";
import type { SessionCompany, UserData } from "#features/identity/contract.ts";
import { createContext, use } from "react";

export type AuthStatus = "unknown" | "loading" | "success" | "error";

/** The signed-in user and the current company. */
export type Session = {
  realmId: string | null;
  authStatus: AuthStatus;
  authError: Error | null;
  company: SessionCompany | null;
  /** Companies known so far: a page starts with the current one and loads the others. */
  companies: readonly SessionCompany[];
  companyCount: number;
  userName: string;
  email: string;
  groups: readonly Group[];
  isCompanyAdmin: boolean;
  /** Makes a company of the list current; ignores unknown ids. */
  switchCompany(realmId: string): void;
  /** Removes a company from the list; the first remaining one becomes current. */
  removeCompany(realmId: string): void;
  retry(): void;
};

export const signedOutSession: Session = {
  realmId: null,
  authStatus: "unknown",
  authError: null,
  company: null,
  companies: [],
  companyCount: 0,
  userName: "",
  email: "",
  groups: [],
  isCompanyAdmin: false,
  switchCompany: () => undefined,
  removeCompany: () => undefined,
  retry: () => undefined,
};

export const SessionContext = createContext<Session>(signedOutSession);

/** Returns the page's session. */
export function useSession(): Session {
  return use(SessionContext);
}

/** First name, space, last name; trimmed if one is empty. */
export function fullName(user: Pick<UserData, "first_name" | "last_name">): string {
  return `${user.first_name} ${user.last_name}`.trim();
}

/** Filters the groups this product knows. */
export function knownGroups(groups: readonly string[]): Group[] {
  return GROUPS.filter((group) => groups.includes(group));
}

/** Finds the company with the stored realm id, else the first, else none. */
export function chooseCompany(
  companies: readonly SessionCompany[],
  realmId: string | null,
): SessionCompany | null {
  return companies.find((company) => company.id === realmId) ?? companies[0] ?? null;
}

/**
 * Whether the user is the company's admin: it has no admin, or its admin has this e-mail. Compared unchanged,
 * because the server stores lowercase.
 */
export function isCompanyAdmin(company: SessionCompany | null, email: string): boolean {
  if (company === null) return false;
  return company.admin === null || company.admin === "" || company.admin === email;
}

type QueryState = { status: "pending" | "error" | "success"; fetchStatus: "fetching" | "paused" | "idle" };

/**
 * Derives the sign-in status from the user query: unknown before the request, then loading, then the outcome.
 */
export function toAuthStatus({ status, fetchStatus }: QueryState): AuthStatus {
  if (status === "success") return "success";
  if (fetchStatus === "fetching") return "loading";
  return status === "error" ? "error" : "unknown";
}

/** Number of companies from which a search field replaces the list: accountants have dozens. */
export const FIND_COMPANY_FROM = 8;

/** Finds companies whose names contain a text, ignoring case; all for an empty text. */
export function findCompanies(companies: readonly SessionCompany[], text: string): readonly SessionCompany[] {
  const wanted = text.trim().toLowerCase();
  return companies.filter(({ name }) => name.toLowerCase().includes(wanted));
}
