import { LoadingPart } from "./loading-part.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import { type Session, SessionContext, signedOutSession } from "#web/kit/session/session.ts";
import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";

export const acme: SessionCompany = { id: "sample-1", name: "Acme Tools", admin: "olive@acme.example" };

/** Somebody who may do everything in one company. */
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

/** What the server has said to a question: data, a failure, nothing yet, or data that is being asked for again. */
export type Said = { key: QueryKey; data?: unknown; error?: Error; waits?: boolean };

type Props = { session?: Session; said?: readonly Said[]; children: ReactNode };

/** Shows components as if this user were signed in and the server had answered this; nothing is requested from it. */
export function Stage({ session = olive, said = [], children }: Props) {
  const [queries] = useState(() => clientThatKnows(said));
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <Suspense fallback={<LoadingPart />}>{children}</Suspense>
      </QueryClientProvider>
    </SessionContext>
  );
}

function clientThatKnows(said: readonly Said[]): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, refetchOnMount: false, retryOnMount: false } },
  });
  for (const { key, data, error, waits } of said) {
    if (data !== undefined) client.setQueryData(key, data);
    const query = client.getQueryCache().build(client, { queryKey: key });
    if (error) query.setState({ status: "error", error, errorUpdatedAt: 1, fetchStatus: "idle" });
    // What is being asked for already is not asked for again, however often the component looks.
    if (waits) void query.fetch({ queryKey: key, queryFn: () => new Promise(() => undefined) });
  }
  return client;
}
