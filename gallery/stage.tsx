import type { SessionCompany } from "#features/identity/contract.ts";
import { type Session, SessionContext, signedOutSession } from "#web/kit/session/session.ts";
import { focusManager, QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";

// The samples poll nothing.
focusManager.setFocused(false);

export const acme: SessionCompany = {
  id: "sample-1",
  name: "Acme Tools",
  admin: "olive@acme.example",
  time_zone: "America/New_York",
};

/** A user with all permissions in one company. */
export const olive: Session = {
  ...signedOutSession,
  realmId: acme.id,
  authStatus: "success",
  company: acme,
  companies: [acme],
  companyCount: 1,
  userName: "Olive Owner",
  email: "olive@acme.example",
  groups: ["app", "brainchild", "admin"],
  isCompanyAdmin: true,
};

/** State of a query: data, an error, loading, or data that is being refetched. */
export type QuerySeed = { key: QueryKey; data?: unknown; error?: Error; isFetching?: boolean };

type Props = { session?: Session; seeds?: readonly QuerySeed[]; children: ReactNode };

/** Shows components with a signed-in user and given server data; makes no calls. */
export function Stage({ session = olive, seeds = [], children }: Props) {
  const [queries] = useState(() => createClient(seeds));
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <Suspense fallback={<LoadingPart />}>{children}</Suspense>
      </QueryClientProvider>
    </SessionContext>
  );
}

function createClient(seeds: readonly QuerySeed[]): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, refetchOnMount: false, retryOnMount: false } },
  });
  for (const { key, data, error, isFetching } of seeds) {
    if (data !== undefined) client.setQueryData(key, data);
    const query = client.getQueryCache().build(client, { queryKey: key });
    if (error) query.setState({ status: "error", error, errorUpdatedAt: 1, fetchStatus: "idle" });
    // A query in flight is not fetched again when a component mounts.
    if (isFetching) void query.fetch({ queryKey: key, queryFn: () => new Promise(() => undefined) });
  }
  return client;
}

/** Placeholder of a part that is still loading, distinct from the spinners shown in the gallery. */
export function LoadingPart() {
  return (
    <div data-loading>
      <Spinner label={kitWords.loadingPage} />
    </div>
  );
}
