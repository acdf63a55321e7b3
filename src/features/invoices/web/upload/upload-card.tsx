import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { PAGE_SIZE, uploadsQuery } from "#features/invoices/web/queries.ts";
import { summarizeUpload, uploadAnchor, uploadTone } from "#features/invoices/web/results/upload-summary.ts";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { MAX_FILE_ROWS } from "#features/sheets/contract.ts";
import { FilePicker, fileWords, checkFile } from "#features/sheets/web/index.ts";
import { toneIcons } from "#web/kit/icon.tsx";
import { useKeptFile } from "#web/kit/kept-file.ts";
import { Notice } from "#web/kit/notice.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

const words = uploadWords.card;

/** Chooses a file and sends it to be posted, or to be reviewed first. */
export function UploadCard({ company }: { company: SessionCompany | null }) {
  const [file, setFile] = useKeptFile("invoices", company);
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
        makeFile={() => file}
        disabled={!company || !file}
        refusal={refusal}
        after={chooseButton}
      />
      {company && sent ? <SentUpload realmId={company.id} sent={sent} /> : null}
    </>
  );
}

/** Progress of the file just sent, beside its button, because the results may be below the fold. */
function SentUpload({ realmId, sent }: { realmId: string; sent: UploadSummary }) {
  const { data, isFetching } = useQuery(uploadsQuery(realmId, PAGE_SIZE));
  const upload = data?.uploads.find(({ id }) => id === sent.id);
  // A list without it is either being refetched, or belongs to a demo that was reset.
  if (!upload) return isFetching ? <Notice tone="blue">{words.received(sent.filename)}</Notice> : null;
  return (
    <Notice tone={uploadTone(upload)} {...(upload.counts.open > 0 ? { icon: toneIcons.green } : {})}>
      {words.sent(upload.filename, summarizeUpload(upload))}{" "}
      <PlainLink href={`#${uploadAnchor(upload)}`} style={{ color: "inherit" }}>
        {words.seeRows}
      </PlainLink>
    </Notice>
  );
}
