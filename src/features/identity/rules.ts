import { GROUPS, type Group } from "#contract/endpoint.ts";
import { DAY_MS } from "#platform/time.ts";

export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: readonly Group[];
};

/** Sessions end after 12 h without a request and 7 days after sign-in; an authorization request expires in 10 minutes. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_LIFE_MS = 7 * DAY_MS;
export const AUTHORIZATION_LIFE_MS = 10 * 60_000;

/** Maximum number of live sessions of one user; a sign-in ends the oldest ones. */
export const MAX_SESSIONS = 20;

/** Reason for a failed sign-in, as the page's texts name it. */
export type SignInFailure =
  | "refused"
  | "expired"
  | "cookies"
  | "unavailable"
  | "unverified"
  | "not_an_email"
  | "blocked"
  | "other";

/**
 * Validates the path to open after sign-in: a path of this site that starts with one slash, else null. What does something
 * by GET is refused: a link of another site can't sign a user out, or end a request at Intuit's, through signing in.
 * Browsers read a backslash as a slash and drop tabs and line breaks, so any of them refuses the path.
 */
export function safeNextPath(next: unknown): string | null {
  if (typeof next !== "string" || !next.startsWith("/") || /^\/[/\\]/.test(next)) return null;
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  if (/[\\\u0000-\u001f\u007f]/.test(next)) return null;
  const url = URL.canParse(next, "http://site.invalid") ? new URL(next, "http://site.invalid") : null;
  if (url?.host !== "site.invalid" || url.pathname.startsWith("//")) return null;
  return isAction(url.pathname) ? null : `${url.pathname}${url.search}${url.hash}`;
}

/** Decodes the path as the router does, so that "/%6Cogout/" counts too. */
function isAction(pathname: string): boolean {
  try {
    return /^\/(logout|oauth|api\/v1)(\/|$)/.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
}

/** Pages to return to after connecting a company. Other pages only link to connecting. */
const WORK_PAGE = /^\/(app|label|add-in|settings)(?=[/?#]|$)/;

/** Validates the page to return to after connecting a company; null for other pages. */
export function safeWorkPath(next: unknown): string | null {
  const path = safeNextPath(next);
  return path !== null && WORK_PAGE.test(path) ? path : null;
}

/** Sign-in path for a guest, or another user, who wants to connect a company. */
export function signInToConnect(nextPath: string | null): string {
  const connect = nextPath
    ? `/get-app/connect?${new URLSearchParams({ next: nextPath })}`
    : "/get-app/connect";
  return `/login/?next=${encodeURIComponent(connect)}`;
}

/** Path of the page that explains a failed connection. */
export function connectFailedPath(facts: Record<string, string>, nextPath: string | null): string {
  return `/get-app/?${new URLSearchParams({ ...facts, ...(nextPath ? { next: nextPath } : {}) })}`;
}

/** Landing page of a user: Invoices or Labels by group, else Settings. */
export function landingPath(groups: readonly Group[]): string {
  if (groups.includes("app")) return "/app/";
  return groups.includes("brainchild") ? "/label/" : "/settings/";
}

/** First page of a user who gets started: without a company Invoices could only lead on to connecting one. */
export function startPath(groups: readonly Group[], realmId: string | null): string {
  const path = landingPath(groups);
  return path === "/app/" && realmId === null ? `/get-app/?${new URLSearchParams({ next: path })}` : path;
}

/** Groups a user gets at sign-in. @param members e-mails by group, `*` for everyone */
export function configuredGroups(email: string, members: Record<Group, readonly string[]>): Group[] {
  return GROUPS.filter((group) => members[group].includes("*") || members[group].includes(email));
}
