import { downloadProblemRows, type UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/download-button.tsx";

const { problemRows } = uploadWords.results;

/** Saves a workbook of the rows that need correcting, ready to upload again. */
export function ProblemRowsDownload({ realmId, upload }: { realmId: string; upload: UploadSummary }) {
  return (
    <DownloadButton
      type={problemRows.type}
      detail={problemRows.of(upload.filename)}
      fileName={problemRows.fileName(upload.filename)}
      fetchDocument={() =>
        call(downloadProblemRows, { params: { upload_id: upload.id }, query: { realm_id: realmId } })
      }
    />
  );
}
