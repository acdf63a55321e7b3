import type { ListedUpload } from "#features/invoices/contract.ts";
import { cancelUpload } from "#features/invoices/post/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

const words = uploadWords.results;

/** Cancels an upload that is being worked on. It stays busy until the upload has ended and the button is gone. */
export function CancelButton({ realmId, upload }: { realmId: string; upload: ListedUpload }) {
  const queries = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call(cancelUpload, { params: { upload_id: upload.id }, query: { realm_id: realmId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.invoices(realmId) }),
  });
  return (
    <SubmitButton
      variant="text"
      size="small"
      label={isSuccess ? words.canceling : words.cancel}
      detail={words.cancelDetail(upload.filename)}
      isBusy={isPending || isSuccess}
      error={error}
      onClick={() => mutate()}
    />
  );
}
