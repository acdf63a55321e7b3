import { queryOptions, useQuery } from "@tanstack/react-query";
import { listCompanies } from "#features/companies/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";

/** The user's companies with their services and the state of their connection. */
export const companiesQuery = queryOptions({
  queryKey: queryKeys.companies,
  queryFn: ({ signal }) => call(listCompanies, { signal }),
});

/** Whether QuickBooks no longer accepts our connection to a company; false until that is known. */
export function useIsConnectionLost(realmId: string | null): boolean {
  const { data } = useQuery({ ...companiesQuery, enabled: realmId !== null });
  return data?.companies.find(({ id }) => id === realmId)?.connection === "reconnect_needed";
}
