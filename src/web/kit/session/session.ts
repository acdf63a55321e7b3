import { GROUPS, type Group } from "#contract/endpoint.ts";
import type { SessionCompany, UserData } from "#features/identity/contract.ts";
import { createContext, use } from "react";

export type AuthStatus = "unknown" | "loading" | "success" | "error";

/** The signed-in user and the company the page acts for. */
export type Session = {
  realmId: string | null;
  authStatus: AuthStatus;
  authError: Error | null;
  company: SessionCompany | null;
  /** The companies known so far: a page starts with the current one and loads the others. */
  companies: readonly SessionCompany[];
  companyCount: number;
  userName: string;
  email: string;
  groups: readonly Group[];
  isCompanyAdmin: boolean;
  /** Makes a company of the list current; an unknown id is ignored. */
  switchCompany(realmId: string): void;
  /** Drops a company from the list; the first that remains becomes current. */
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

/** The session of the page. */
export function useSession(): Session {
  return use(SessionContext);
}

/** First name, space, last name; trimmed when one is empty. */
export function fullName(user: Pick<UserData, "first_name" | "last_name">): string {
  return `${user.first_name} ${user.last_name}`.trim();
}

/** The groups this product knows; others are ignored. */
export function knownGroups(groups: readonly string[]): Group[] {
  return GROUPS.filter((group) => groups.includes(group));
}

/** The company with the stored realm id, else the first, else none. */
export function chooseCompany(
  companies: readonly SessionCompany[],
  realmId: string | null,
): SessionCompany | null {
  return companies.find((company) => company.id === realmId) ?? companies[0] ?? null;
}

/** Company admin: the company has no admin, or its admin is this e-mail. Compared as is: the server stores lower case. */
export function isCompanyAdmin(company: SessionCompany | null, email: string): boolean {
  if (company === null) return false;
  return company.admin === null || company.admin === "" || company.admin === email;
}

type QueryState = { status: "pending" | "error" | "success"; fetchStatus: "fetching" | "paused" | "idle" };

/** Status of the sign-in from the state of the user query: unknown until it was asked, then loading, then the outcome. */
export function toAuthStatus({ status, fetchStatus }: QueryState): AuthStatus {
  if (status === "success") return "success";
  if (fetchStatus === "fetching") return "loading";
  return status === "error" ? "error" : "unknown";
}

/** With this many companies a search field replaces the list: accountants have dozens. */
export const FIND_COMPANY_FROM = 8;

/** The companies whose names contain this text, ignoring case; all of them for an empty text. */
export function findCompanies(companies: readonly SessionCompany[], text: string): readonly SessionCompany[] {
  const wanted = text.trim().toLowerCase();
  return companies.filter(({ name }) => name.toLowerCase().includes(wanted));
}
