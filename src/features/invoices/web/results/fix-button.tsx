import { downloadProblemRows, type UploadSummary } from "#features/invoices/contract.ts";
import { useUpload } from "#features/invoices/web/upload/use-upload.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { useMutation } from "@tanstack/react-query";

const words = uploadWords.results;

type Props = {
  upload: Pick<UploadSummary, "id" | "filename">;
  /** Replaces "Fix" if the button is the next step of the page. */
  mainLabel?: string;
};

/** Opens a review of the invoices that were not posted, as in the file. */
export function FixButton({ upload, mainLabel }: Props) {
  const { company } = useSession();
  const view = useView();
  const review = useUpload(company, { moved: () => undefined, done: (_, { id }) => view.open("check", id) });
  const rest = useMutation({
    mutationFn: () =>
      call(downloadProblemRows, { params: { upload_id: upload.id }, query: { realm_id: company?.id ?? "" } }),
    onSuccess: ({ blob }) => {
      const file = new File([blob], words.fixName(upload.filename), { type: blob.type });
      review.send({ file, mode: "invoice", purpose: "check", fixes: upload.id });
    },
  });
  const isBusy = rest.isPending || review.isSending;
  return (
    <>
      <BusyButton
        label={mainLabel ?? words.fix}
        {...(mainLabel ? { variant: "contained" } : { detail: upload.filename, size: "small" })}
        isBusy={isBusy}
        onClick={rest.mutate}
      />
      <FailedCall title={null} error={isBusy ? null : (rest.error ?? review.error)} />
    </>
  );
}
