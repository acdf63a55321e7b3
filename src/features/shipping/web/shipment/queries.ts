import { listOpenOrders, listShipments, type OpenOrders } from "#features/shipping/contract.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { printDocument } from "#web/kit/documents.ts";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import { notifyManager, type QueryClient, queryOptions } from "@tanstack/react-query";

/** Changes are announced; one whose hint was lost is seen after this. */
const IDLE_MS = 30_000;
/** While UPS makes labels. */
const MAKING_MS = 2_000;
/** While the server checks whether UPS made labels. */
const CHECKING_MS = 5_000;

/** Open and canceled orders, read again whenever the tab is opened. */
export const openOrdersQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.orders(realmId), "open"] as const,
    queryFn: ({ signal }) => call(listOpenOrders, { signal, realmId }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.fetchStatus === "fetching" ? false : chooseInterval(state.data)),
  });

function chooseInterval(data: OpenOrders | undefined): number {
  const states = new Set(data?.open.map(({ labels }) => labels?.state));
  if (states.has("making")) return MAKING_MS;
  return states.has("checking") ? CHECKING_MS : IDLE_MS;
}

/** As many as are made before a page is left. */
const MAX_LATEST = 200;

/** The latest labels: orders leave the list of open ones once theirs are made, and come back when these are voided. */
export const latestShipmentsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...shipmentsKey(realmId), "latest"] as const,
    queryFn: ({ signal }) => call(listShipments, { query: { limit: MAX_LATEST }, signal, realmId }),
    refetchInterval: IDLE_MS,
  });

/** Key of the lists of labels that were made. */
export const shipmentsKey = (realmId: string) => [...queryKeys.orders(realmId), "shipments"] as const;

/**
 * Reads the orders again, and marks the history as changed. Resolves when the page has drawn them: what follows would
 * else be drawn with the old ones, which shows a purchase that has started as labels that are ready.
 */
export async function refreshOrders(queries: QueryClient, realmId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: openOrdersQuery(realmId).queryKey }),
    queries.invalidateQueries({ queryKey: shipmentsKey(realmId) }),
  ]);
  await new Promise<void>((resolve) => notifyManager.schedule(resolve));
}

/** Prints labels. The lists of labels count prints, so they are read again. */
export const usePrint = (realmId: string, fetchDocument: () => Promise<ReceivedDocument>) =>
  useCommand(() => printDocument(fetchDocument), { changed: [shipmentsKey(realmId)] });
