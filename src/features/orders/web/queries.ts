import { readFolder } from "#features/orders/folders/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** The folder from which a company's orders are fetched. */
export const folderQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.orderFolder(realmId),
    queryFn: ({ signal }) => call(readFolder, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
