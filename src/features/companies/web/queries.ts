import { type DataExport, listExports } from "#features/companies/data-export/contract.ts";
import { readStorage } from "#features/companies/storage/contract.ts";
import { listGrants } from "#features/companies/support/contract.ts";
import { listTrail } from "#features/companies/trail/contract.ts";
import { listDevices } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

const POLL_MS = 2_000;
export const isMaking = ({ state }: DataExport) => state === "making";

/** Exports of all data of a company. */
export const exportsQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.dataExports(realmId),
    queryFn: ({ signal }) => call(listExports, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.exports.some(isMaking) ? POLL_MS : false),
  });

/** How much is stored for a company, by kind. */
export const storageQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.storage(realmId),
    queryFn: ({ signal }) => call(readStorage, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });

/** Grants under which operators may open files of a company. */
export const grantsQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.supportGrants(realmId),
    queryFn: ({ signal }) => call(listGrants, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });

/** Entries of a company's audit trail, newest first, a page at a time. */
export const trailQuery = (realmId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.trail(realmId, search),
    queryFn: ({ signal, pageParam }) =>
      call(listTrail, {
        query: { realm_id: realmId, search, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Devices that the user is signed in on. */
export const devicesQuery = queryOptions({
  queryKey: queryKeys.devices,
  queryFn: ({ signal }) => call(listDevices, { signal }),
});
