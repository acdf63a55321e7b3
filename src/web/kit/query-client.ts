import { type ApiError, httpStatus } from "#web/kit/api-error.ts";
import type { Reporter } from "#web/kit/reporter.ts";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** Keys of everything the page keeps; the realm is in each that belongs to a company. */
export const queryKeys = {
  user: ["user"] as const,
  companies: ["company"] as const,
  connection: (realmId: string) => ["connection", realmId] as const,
  devices: ["devices"] as const,
  trail: (realmId: string, search: string) => ["trail", realmId, search] as const,
  refusal: (refusal: string | null) => ["refusal", refusal] as const,
  subscriptions: (realmId: string) => ["subscriptions", realmId] as const,
  invoices: (realmId: string | null) => ["invoices", realmId] as const,
  labels: (realmId: string) => ["labels", realmId] as const,
};

const RETRY_LIMIT = 2;

/**
 * The library's own would keep a call back while the line is gone, without a word and beyond cancelling, and send it
 * once the line is back: nobody may find an upload made long after they gave it up.
 */
const NETWORK_MODE = "always";

/** Tries again unless the server said 4xx; at most twice. `failures` is 0 at the first failure. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== null && status >= 400 && status < 500) return false;
  return failures < RETRY_LIMIT;
}

/** The page's query client: a 401 anywhere ends the session on screen, other failures are reported. */
export function createQueryClient(reporter: Reporter): QueryClient {
  const onError = (error: unknown) => {
    if (httpStatus(error) === 401) endSession(client, error as ApiError);
    else if (isWorthReporting(error)) reporter.report(error);
  };
  const onUnsent = (error: unknown) => {
    if (httpStatus(error) === 401) unsent.add(error as ApiError);
    onError(error);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError: onUnsent }),
    defaultOptions: {
      queries: {
        gcTime: 1_800_000,
        staleTime: 900_000,
        networkMode: NETWORK_MODE,
        refetchOnMount: true,
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
        retry: shouldRetry,
      },
      mutations: { networkMode: NETWORK_MODE, retry: false },
    },
  });
  return client;
}

/** Refusals of what users asked for, not of what the page reads by itself. */
const unsent = new WeakSet<Error>();

/** Whether a session ended with something that a user sent, which then did not happen. */
export const isUnsent = (error: Error | null): boolean => error !== null && unsent.has(error);

/** The page may notice the end by a list that it reads while the user's own call is still on its way: that one counts. */
function endSession(client: QueryClient, error: ApiError) {
  const user = client.getQueryCache().find({ queryKey: queryKeys.user });
  const hasEnded = user?.state.status === "error" && httpStatus(user.state.error) === 401;
  if (user?.state.status === "success" || (hasEnded && isUnsent(error)))
    user.setState({ status: "error", error, fetchStatus: "idle" });
}

/** A browser that keeps Stripe's script out is nothing of ours; the page says so where it matters. */
const NOT_OURS: ReadonlySet<string> = new Set(["Failed to load Stripe.js", "Stripe.js not available"]);

function isWorthReporting(error: unknown): boolean {
  if (error instanceof Error && NOT_OURS.has(error.message)) return false;
  return (
    error instanceof Error || (typeof error === "object" && error !== null && Object.keys(error).length > 0)
  );
}
