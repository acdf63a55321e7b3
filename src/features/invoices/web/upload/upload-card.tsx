import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { MAX_FILE_ROWS } from "#features/sheets/contract.ts";
import { FilePicker, fileWords, refusalOf } from "#features/sheets/web/index.ts";
import { SentUpload } from "#features/invoices/web/upload/sent-upload.tsx";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { useKeptFile } from "#web/kit/kept-file.ts";
import { useRef, useState } from "react";

const words = uploadWords.card;

/** Choosing a file, then sending it to be posted or to be reviewed first. */
export function UploadCard({ company }: { company: SessionCompany | null }) {
  const [file, setFile] = useKeptFile("invoices", company);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<UploadSummary | null>(null);
  const view = useView();
  const isHere = useIsHere();
  const chooseButton = useRef<HTMLButtonElement>(null);
  const sending = useSending(company, ({ purpose }, summary) => {
    // Who has gone elsewhere meanwhile finds the file still chosen, to be reviewed.
    if (purpose === "check" && !isHere()) return;
    setFile(null);
    if (purpose === "check") view.open("check", summary.id);
    else setSent(summary);
  });
  const { upload } = sending;

  const choose = (chosen: readonly File[]) => {
    upload.forget();
    setSent(null);
    const next = chosen[0];
    const reason = chosen.length > 1 ? fileWords.refusals.several : next ? refusalOf(next) : null;
    setRefusal(reason);
    setFile(reason === null ? (next ?? null) : null);
  };
  return (
    <>
      <FilePicker
        chooseButton={chooseButton}
        file={file}
        maxRows={MAX_FILE_ROWS}
        disabled={!company || upload.isSending}
        onChoose={choose}
      />
      {company ? null : <p style={{ margin: "12px 0 0" }}>{words.connectFirst}</p>}
      <SendControls
        sending={sending}
        fileOf={() => file}
        disabled={!company || !file}
        refusal={refusal}
        after={chooseButton}
      />
      {company && sent ? <SentUpload realmId={company.id} sent={sent} /> : null}
    </>
  );
}
