import { downloadProblemRows, type UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { messageOf } from "#web/kit/api-error.ts";
import { saveDocument } from "#web/kit/save-document.ts";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";

const words = uploadWords.results;

/** Saves a workbook of the rows that need correcting, ready to upload again. */
export function ProblemRowsDownload({ realmId, upload }: { realmId: string; upload: UploadSummary }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(downloadProblemRows, { params: { upload_id: upload.id }, query: { realm_id: realmId } }),
    onSuccess: (received) => saveDocument(received, `problems-${upload.filename}`),
  });
  return (
    <span>
      <Button
        variant="outlined"
        disabled={isPending}
        aria-label={isPending ? words.downloading : words.downloadOf(upload.filename)}
        onClick={() => mutate()}
      >
        {words.download}
      </Button>{" "}
      {error ? <span role="alert">{messageOf(error)}</span> : null}
    </span>
  );
}
