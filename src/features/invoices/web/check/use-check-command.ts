import type { allowDuplicates, postCheck, UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Sends a command for a check as this page shows it, and reads the check again, also after a refusal:
 * somebody else may have had it made again.
 */
export function useCheckCommand(
  endpoint: typeof postCheck | typeof allowDuplicates,
  realmId: string,
  { id, revision }: UploadCheck,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint, { params: { upload_id: id }, query: { realm_id: realmId, revision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
}
