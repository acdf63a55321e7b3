import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { printDocument } from "#web/kit/print-document.ts";
import { kitWords } from "#web/kit/words.ts";
import { useMutation } from "@tanstack/react-query";

type Props = {
  /** What distinguishes it from other print buttons: "the label of PO # 123". */
  detail?: string;
  fetchDocument: () => Promise<ReceivedDocument>;
};

/** Prints a PDF as it is, by the browser's own print. */
export function PrintButton({ detail, fetchDocument }: Props) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => printDocument(fetchDocument) });
  return (
    <TriedButton
      label={kitWords.print}
      detail={detail}
      isBusy={isPending}
      error={error}
      onClick={() => mutate()}
    />
  );
}
