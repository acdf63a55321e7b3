import { GROUPS, type Group } from "#contract/endpoint.ts";

export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: readonly Group[];
};

/** Sessions end after 12 h without a request and 7 days after sign-in; an authorization request to Intuit is good for 10 minutes. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;
export const AUTHORIZATION_LIFE_MS = 10 * 60_000;

/** Why a sign-in did not complete, as the page's words know it. */
export type SignInFailure = "refused" | "expired" | "cookies" | "unavailable" | "unverified" | "other";

/**
 * The path to go to after sign-in: only a path of this site that starts with one slash, else null.
 * Browsers read a backslash as a slash and drop tabs and line breaks, so any of them refuses the path.
 */
export function safeNextPath(next: unknown): string | null {
  if (typeof next !== "string" || !next.startsWith("/") || /^\/[/\\]/.test(next)) return null;
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  if (/[\\\u0000-\u001f\u007f]/.test(next)) return null;
  const url = URL.canParse(next, "http://site.invalid") ? new URL(next, "http://site.invalid") : null;
  if (url?.host !== "site.invalid" || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Pages that one works on. Others only lead to a connection: after it, the work is what follows. */
const WORK_PAGE = /^\/(app|label|add-in|settings)(?=[/?#]|$)/;

/** The page to come back to from connecting a company; null for one that nobody works on, or that is none of ours. */
export function safeWorkPath(next: unknown): string | null {
  const path = safeNextPath(next);
  return path !== null && WORK_PAGE.test(path) ? path : null;
}

/** Where a guest, or another user, signs in to connect a company. */
export function signInToConnect(nextPath: string | null): string {
  const connect = nextPath
    ? `/get-app/connect?${new URLSearchParams({ next: nextPath })}`
    : "/get-app/connect";
  return `/login/?next=${encodeURIComponent(connect)}`;
}

/** The page that says why a company was not connected. */
export function connectFailedPath(facts: Record<string, string>, nextPath: string | null): string {
  return `/get-app/?${new URLSearchParams({ ...facts, ...(nextPath ? { next: nextPath } : {}) })}`;
}

/** Where a user without a requested page lands: their work, else Settings. */
export function landingPath(groups: readonly Group[]): string {
  if (groups.includes("app")) return "/app/";
  return groups.includes("brainchild") ? "/label/" : "/settings/";
}

/** Groups of a user as they sign in. @param members e-mails by group, `*` for everyone */
export function groupsOf(email: string, members: Record<Group, readonly string[]>): Group[] {
  return GROUPS.filter((group) => members[group].includes("*") || members[group].includes(email));
}
