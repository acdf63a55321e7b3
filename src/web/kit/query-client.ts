import { type ApiError, AWAY_RETRIES, AWAY_RETRY_MS, httpStatus, isAway } from "#web/kit/api-error.ts";
import { isWorthReporting } from "#web/kit/report-rules.ts";
import type { Reporter } from "#web/kit/reporter.ts";
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useAnnounce } from "#web/kit/live-region.tsx";

/** Keys of the query cache; keys of company data contain the realm id. */
export const queryKeys = {
  user: ["user"] as const,
  companies: ["company"] as const,
  connection: (realmId: string) => ["connection", realmId] as const,
  devices: ["devices"] as const,
  apiKeys: (realmId: string) => ["api-keys", realmId] as const,
  webhooks: (realmId: string) => ["webhooks", realmId] as const,
  orderFolder: (realmId: string) => ["order-folder", realmId] as const,
  trail: (realmId: string, search: string) => ["trail", realmId, search] as const,
  dataExports: (realmId: string) => ["data-exports", realmId] as const,
  differences: (realmId: string) => ["differences", realmId] as const,
  storage: (realmId: string) => ["storage", realmId] as const,
  supportGrants: (realmId: string) => ["support-grants", realmId] as const,
  invitations: ["invitations"] as const,
  invitation: (id: string) => ["invitation", id] as const,
  refusal: (refusal: string | null) => ["refusal", refusal] as const,
  subscriptions: (realmId: string) => ["subscriptions", realmId] as const,
  invoices: (realmId: string | null) => ["invoices", realmId] as const,
  labels: (realmId: string) => ["labels", realmId] as const,
  orders: (realmId: string) => ["orders", realmId] as const,
  tracking: (realmId: string) => ["tracking", realmId] as const,
};

const RETRY_LIMIT = 2;

/**
 * By default the library silently holds a call while the browser is offline and sends it later, with no way
 * to cancel: an upload must not be sent long after the user gave up.
 */
const NETWORK_MODE = "always";

/** Retries at most twice, for a minute while the database is away, and never after a 4xx. `failures` is 0 at the first failure. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== null && status >= 400 && status < 500) return false;
  return failures < (isAway(error) ? AWAY_RETRIES : RETRY_LIMIT);
}

/** Doubles from a second, as the library's own; steady while the database is away. */
const retryDelay = (failures: number, error: unknown): number =>
  isAway(error) ? AWAY_RETRY_MS : 1_000 * 2 ** failures;

/** Creates the page's query client: any 401 ends the session on screen; other failures are reported. */
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
        retryDelay,
      },
      mutations: { networkMode: NETWORK_MODE, retry: false },
    },
  });
  return client;
}

/** Errors of user actions, as opposed to the page's own reads. */
const unsent = new WeakSet<Error>();

/** Whether a session ended during a user action, which was therefore not carried out. */
export const isUnsent = (error: Error | null): boolean => error !== null && unsent.has(error);

/**
 * A list read may report the end of the session before the user's own call fails; the user's call takes
 * precedence.
 */
function endSession(client: QueryClient, error: ApiError) {
  const user = client.getQueryCache().find({ queryKey: queryKeys.user });
  const hasEnded = user?.state.status === "error" && httpStatus(user.state.error) === 401;
  if (user?.state.status === "success" || (hasEnded && isUnsent(error)))
    user.setState({ status: "error", error, fetchStatus: "idle" });
}

type Options<Reply, Args> = {
  /** Announced once the change is made. */
  done?: string | ((reply: Reply, args: Args) => string);
  /** Called before that. */
  onDone?: ((reply: Reply, args: Args) => void) | undefined;
  /** Keys of the queries that are read again; the change is pending until they are. */
  changed: readonly QueryKey[];
};

/** A change that a user makes. */
export function useCommand<Reply, Args = void>(
  change: (args: Args) => Promise<Reply>,
  { done, onDone, changed }: Options<Reply, Args>,
) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: change,
    onSuccess: async (reply, args) => {
      onDone?.(reply, args);
      if (done !== undefined) announce(typeof done === "string" ? done : done(reply, args));
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
