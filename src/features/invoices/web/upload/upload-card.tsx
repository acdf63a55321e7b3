import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { ColumnsStepContext } from "#features/invoices/web/upload/columns-step.ts";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { SentUpload } from "#features/invoices/web/upload/sent-upload.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { MAX_FILE_ROWS } from "#features/sheets/contract.ts";
import { FilePicker, fileWords, checkFile, needsColumnMatch } from "#features/sheets/web/index.ts";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { use, useEffect, useRef, useState } from "react";

const words = uploadWords.card;

type Props = {
  company: SessionCompany | null;
  /** The chosen file, which other ways in may choose, too. */
  chosen: [File | null, (file: File | null) => void];
};

/** Chooses a file and sends it to be posted, or to be reviewed first. */
export function UploadCard({ company, chosen: [file, setFile] }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<UploadSummary | null>(null);
  const view = useView();
  const isHere = useIsHere();
  const chooseButton = useRef<HTMLButtonElement>(null);
  const sending = useSending(company, ({ purpose }, summary) => {
    // A user who left the page finds the file still chosen.
    if (purpose === "check" && !isHere()) return;
    setFile(null);
    if (purpose === "check") view.open("check", summary.id);
    else setSent(summary);
  });
  const { upload } = sending;
  const unmatched = needsColumnMatch(upload.error) ? (upload.failed?.file.name ?? null) : null;
  const { setUnmatched } = use(ColumnsStepContext);
  const { forget } = upload;
  useEffect(() => {
    setUnmatched(unmatched === null ? null : { filename: unmatched, leave: forget });
    return () => setUnmatched(null);
  }, [unmatched, setUnmatched, forget]);

  const choose = (chosen: readonly File[]) => {
    upload.forget();
    setSent(null);
    const next = chosen[0];
    const reason = chosen.length > 1 ? fileWords.refusals.several : next ? checkFile(next) : null;
    setRefusal(reason);
    setFile(reason === null ? (next ?? null) : null);
  };
  return (
    <>
      {unmatched === null ? (
        <FilePicker
          chooseButton={chooseButton}
          file={file}
          maxRows={MAX_FILE_ROWS}
          disabled={!company || upload.isSending}
          onChoose={choose}
        />
      ) : null}
      {company ? null : <p style={{ margin: "12px 0 0" }}>{words.connectFirst}</p>}
      <SendControls
        sending={sending}
        makeFile={() => file}
        disabled={!company || !file}
        refusal={refusal}
        isAlone={unmatched !== null}
        after={chooseButton}
      />
      {company && sent ? <SentUpload realmId={company.id} sent={sent} /> : null}
    </>
  );
}
