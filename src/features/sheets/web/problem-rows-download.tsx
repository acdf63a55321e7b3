import { problemRowsWords as words } from "#features/sheets/web/words.ts";
import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";

type Props = {
  fileName: string;
  fetchDocument: () => Promise<ReceivedDocument>;
  look?: "button" | "action";
};

/** Saves a workbook of the rows of a file that need correcting, ready to upload again. */
export function ProblemRowsDownload({ fileName, fetchDocument, look = "button" }: Props) {
  return (
    <DownloadButton
      type={words.type}
      detail={words.of(fileName)}
      fileName={words.fileName(fileName)}
      fetchDocument={fetchDocument}
      look={look}
    />
  );
}
