import type { CompanyView } from "#features/companies/contract.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Mutation that replies with the changed company. Refetches the user afterwards. */
export function useCompanyCommand<Args, Reply extends CompanyView>(
  change: (args: Args) => Promise<Reply>,
  onDone: (args: Args, reply: Reply) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (company, args) => {
      queries.setQueryData<{ companies: CompanyView[] }>(queryKeys.companies, (known) =>
        known
          ? { companies: known.companies.map((each) => (each.id === company.id ? company : each)) }
          : known,
      );
      onDone(args, company);
      await queries.invalidateQueries({ queryKey: queryKeys.user });
    },
  });
}
