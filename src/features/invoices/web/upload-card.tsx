import type { SessionCompany } from "#features/identity/contract.ts";
import { refusalOf } from "#features/invoices/web/check-file.ts";
import { FilePicker } from "#features/invoices/web/file-picker.tsx";
import { TemplateLinks } from "#features/invoices/web/template-links.tsx";
import { useFocusThrough } from "#features/invoices/web/use-focus-through.ts";
import { useLeaveWarning } from "#features/invoices/web/use-leave-warning.ts";
import { useUpload } from "#features/invoices/web/use-upload.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { messageOf } from "#web/kit/api-error.ts";
import { Card } from "#web/kit/card.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { ProgressBar } from "#web/kit/progress/progress-bar.tsx";
import { useProgressNews } from "#web/kit/progress/use-progress-news.ts";
import { useProgress } from "#web/kit/progress/use-progress.ts";
import { progressWords } from "#web/kit/progress/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

const words = uploadWords.card;

/** Choosing a workbook and sending it. */
export function UploadCard({ company }: { company: SessionCompany | null }) {
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [progress, move] = useProgress();
  const upload = useUpload(company, { moved: move, done: () => setFile(null) });
  const [sentName, setSentName] = useState("");
  useProgressNews(progress, sentName);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  useFocusThrough(upload.isSending, { during: cancelButton, after: chooseButton });
  useLeaveWarning(progress.phase === "uploading" && progress.upload < 100);

  const choose = (chosen: readonly File[]) => {
    upload.forget();
    const next = chosen[0];
    const reason = chosen.length > 1 ? uploadWords.refusals.several : next ? refusalOf(next) : null;
    setRefusal(reason);
    setFile(reason === null ? (next ?? null) : null);
  };
  const send = () => {
    if (!file) return;
    setSentName(file.name);
    upload.send(file);
  };
  return (
    <Card title={words.title} printed={false}>
      <FilePicker
        chooseButton={chooseButton}
        file={file}
        disabled={!company || upload.isSending}
        onChoose={choose}
      />
      {company ? null : <p>{words.connectFirst}</p>}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
        <Button variant="contained" disabled={!company || !file || upload.isSending} onClick={send}>
          {words.upload}
        </Button>
        {upload.isSending ? (
          <Button ref={cancelButton} variant="contained" color="cancel" onClick={upload.cancel}>
            {words.cancel}
          </Button>
        ) : null}
        <TemplateLinks />
      </Box>
      <ProgressBar
        progress={progress}
        label={
          progress.phase === "uploading"
            ? progressWords.uploading(sentName)
            : progressWords.processingFile(sentName)
        }
      />
      {upload.cancelled ? <p>{words.cancelled}</p> : null}
      <ErrorBlock title={words.errorTitle} message={refusal ?? messageOf(upload.error)} />
    </Card>
  );
}
