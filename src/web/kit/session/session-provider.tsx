import { switchCompany as switchCompanyCall } from "#features/companies/contract.ts";
import { getUser, type PageUser, type UserData } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { httpStatus } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { readUser } from "#web/kit/boot.ts";
import { showTimesIn } from "#web/kit/format.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { useReporter } from "#web/kit/reporter.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import {
  toAuthStatus,
  chooseCompany,
  isCompanyAdmin,
  knownGroups,
  type Session,
  SessionContext,
  fullName,
} from "#web/kit/session/session.ts";
import { useLiveChanges } from "#web/kit/live-changes.ts";
import { kitWords } from "#web/kit/words.ts";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";

/** Loads the signed-in user and keeps the current company. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const userQuery = useQuery<KnownUser>({
    queryKey: queryKeys.user,
    queryFn: ({ signal }) => call(getUser, { signal }),
    initialData: startingUser,
    // Starts with one of several companies; the others are fetched at once.
    initialDataUpdatedAt: () => (hasAllCompanies(startingUser()) ? Date.now() : 0),
  });
  const storedRealm = useSyncExternalStore(realmStore.subscribe, realmStore.get);
  const authStatus = isStillKnown(userQuery) ? "success" : toAuthStatus(userQuery);
  // The cache still has the data of an ended session; none of it may be shown.
  const user = authStatus === "success" ? (userQuery.data ?? null) : null;
  const company = chooseCompany(user?.companies ?? [], storedRealm);
  // Before the pages below are drawn: an effect would come after them.
  showTimesIn(company?.time_zone);

  useEffect(() => {
    // Read again here: a child page may have chosen another company since the last render.
    if (user) realmStore.set(chooseCompany(user.companies, realmStore.get())?.id ?? null);
  }, [user]);
  useLiveChanges(user !== null);
  useIdentify(user, authStatus);

  const { error, refetch } = userQuery;
  const session = useMemo<Session>(
    () => ({
      ...describeUser(user, company),
      authStatus,
      authError: authStatus === "error" ? error : null,
      switchCompany(realmId) {
        const next = user?.companies.find((candidate) => candidate.id === realmId);
        if (!next || next.id === company?.id) return;
        realmStore.set(next.id);
        announce(kitWords.nowWorkingIn(next.name));
        // Stores only the default for calls that name no company; the page works without it.
        call(switchCompanyCall, { query: { realm_id: next.id } }).catch(() => undefined);
      },
      removeCompany: (realmId) => dropCompany(queries, realmId),
      retry: () => void refetch(),
    }),
    [user, company, authStatus, error, refetch, queries, announce],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * A refetch that fails because of a rate limit or a restarting server says nothing about the user: the page
 * stays unchanged, with everything typed in it. Only a 401 or 403 ends the session.
 */
function isStillKnown({ data, error }: { data: KnownUser | undefined; error: Error | null }): boolean {
  const hasEnded = [401, 403].includes(httpStatus(error) ?? 0);
  return data !== undefined && hasAllCompanies(data) && !hasEnded;
}

type KnownUser = UserData & Partial<PageUser>;

/**
 * Returns the page's embedded user, unless this browser should start with another company: the stored one,
 * else the first.
 */
function startingUser(): KnownUser | undefined {
  const user = readUser(document);
  const stored = realmStore.get();
  const isOurs = stored === null ? user?.company_is_first : user?.companies[0]?.id === stored;
  return hasAllCompanies(user) || isOurs ? user : undefined;
}

const hasAllCompanies = (user: KnownUser | undefined) =>
  user === undefined || user.companies.length === companyCount(user);

const companyCount = (user: KnownUser) => user.company_count ?? user.companies.length;

function describeUser(user: KnownUser | null, company: Session["company"]) {
  const email = user?.email ?? "";
  return {
    realmId: company?.id ?? null,
    company,
    companies: user?.companies ?? [],
    companyCount: user ? companyCount(user) : 0,
    userName: user ? fullName(user) : "",
    email,
    groups: knownGroups(user?.groups ?? []),
    isCompanyAdmin: isCompanyAdmin(company, email),
  };
}

function dropCompany(queries: QueryClient, realmId: string) {
  queries.setQueryData<KnownUser>(queryKeys.user, (user) => {
    if (!user) return user;
    const companies = user.companies.filter((company) => company.id !== realmId);
    return {
      ...user,
      companies,
      company_count: companyCount(user) - user.companies.length + companies.length,
    };
  });
}

function useIdentify(user: UserData | null, authStatus: Session["authStatus"]) {
  const reporter = useReporter();
  const name = user ? fullName(user) : null;
  const username = user?.username ?? null;
  const email = user?.email ?? null;
  useEffect(() => {
    if (username !== null && name !== null && email !== null) reporter.identify({ username, name, email });
    else if (authStatus === "error") reporter.identify(null);
    // oxlint-disable-next-line react/exhaustive-deps -- identifies on first load and when the name changes, not by e-mail
  }, [reporter, username, name, authStatus === "error"]);
}
