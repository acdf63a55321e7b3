import { answerUnresolved } from "#features/invoices/post/contract.ts";
import { invoiceWords } from "#features/invoices/web/receipt/invoice-words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

const words = invoiceWords.answer;

/** Upload that a receipt is of. */
export type ReceiptUpload = { realmId: string; uploadId: string };

type Props = { upload: ReceiptUpload; seq: number; rows: string };

/** Asks whether an invoice that QuickBooks never confirmed is there. */
export function AnswerButtons({ upload: { realmId, uploadId }, seq, rows }: Props) {
  const client = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (isInBooks: boolean) =>
      call(answerUnresolved, {
        params: { upload_id: uploadId, seq: String(seq) },
        query: { realm_id: realmId },
        body: { is_in_books: isInBooks },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.invoices(realmId) }),
  });
  return (
    <span role="group" aria-label={words.question(rows)} data-print="never">
      {[true, false].map((isInBooks) => (
        <BusyButton
          key={String(isInBooks)}
          variant="text"
          size="small"
          label={isInBooks ? words.yes : words.no}
          isBusy={isPending && variables === isInBooks}
          onClick={() => mutate(isInBooks)}
        />
      ))}
      <FailedCall error={error} />
    </span>
  );
}
