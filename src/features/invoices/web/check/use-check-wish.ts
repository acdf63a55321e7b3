import type { addEqualInvoices, postCheck, UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Asks for something to be done with a check as this page shows it, and looks at the check anew, also when it is refused:
 * somebody else may have had it made again.
 */
export function useCheckWish(
  endpoint: typeof postCheck | typeof addEqualInvoices,
  realmId: string,
  { id, revision }: UploadCheck,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint, { params: { upload_id: id }, query: { realm_id: realmId, revision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
}
