import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { type Sending, type SendPurpose, useUpload } from "#features/invoices/web/upload/use-upload.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { FailedFile, isQuestion } from "#features/sheets/web/index.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { useFocusThrough } from "#web/kit/focus.ts";
import { ProgressBar } from "#web/kit/progress/progress-bar.tsx";
import { useProgress, useProgressAnnouncements } from "#web/kit/progress/progress.ts";
import { progressWords } from "#web/kit/progress/words.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type RefObject, useRef } from "react";

const words = uploadWords.card;

const actions = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 1.5,
  mt: 2,
  "& > button": { flex: { xs: 1, sm: "none" } },
} as const;

const Hint = styled("p")(({ theme }) => ({
  flex: "1 1 220px",
  margin: "0 0 0 8px",
  ...typeScale.caption,
  color: (theme.vars ?? theme).palette.text.caption,
  [theme.breakpoints.down("sm")]: { flexBasis: "100%", margin: 0 },
}));

const MAIN = { variant: "contained" } as const;
const OTHER_WAY = { variant: "outlined", size: "large" } as const;

/** Sends a company's workbook and follows the progress. */
export function useSending(
  company: SessionCompany | null,
  done: (sent: Sending, summary: UploadSummary) => void,
) {
  const [progress, move] = useProgress();
  const { clearNotice } = useView();
  const upload = useUpload(company, {
    moved: move,
    done: (sent, summary) => {
      if (sent.purpose === "post") clearNotice();
      done(sent, summary);
    },
  });
  useProgressAnnouncements(progress, upload.sentName);
  return { company, upload, progress };
}

type Props = {
  sending: ReturnType<typeof useSending>;
  /** Makes the file to send; null if there is none. */
  makeFile: () => File | null;
  disabled: boolean;
  /** Why the chosen file cannot be sent; null if it can. */
  refusal: string | null;
  /** Whether a question about the file is shown without the buttons. */
  isAlone?: boolean;
  /** Receives focus when sending has ended. */
  after: RefObject<HTMLElement | null>;
};

/** Upload and Review buttons, the progress bar, and the error of a failed upload. */
export function SendControls({ sending, makeFile, disabled, refusal, isAlone = false, after }: Props) {
  const { company, upload, progress } = sending;
  const { send, sentName } = upload;
  const cancelButton = useRef<HTMLButtonElement>(null);
  useFocusThrough(upload.isSending, { during: cancelButton, after });
  const isBlocked = disabled || upload.isSending;
  const sendAs = (purpose: SendPurpose) => {
    const file = makeFile();
    if (file) send({ file, mode: "invoice", purpose });
  };
  return (
    <>
      <Box sx={isAlone ? { display: "none" } : actions}>
        <Button
          // While a question is open, its answer is the main action.
          {...(isQuestion(upload.error) ? OTHER_WAY : MAIN)}
          disabled={isBlocked}
          onClick={() => sendAs("post")}
        >
          {words.upload}
        </Button>
        <Button variant="outlined" size="large" disabled={isBlocked} onClick={() => sendAs("check")}>
          {words.check}
        </Button>
        {upload.isSending ? (
          <Button ref={cancelButton} variant="contained" color="cancel" size="large" onClick={upload.cancel}>
            {words.cancel}
          </Button>
        ) : (
          <Hint>{words.hint}</Hint>
        )}
      </Box>
      <ProgressBar
        progress={progress}
        label={
          progress.phase === "uploading"
            ? progressWords.uploading(sentName)
            : progressWords.processingFile(sentName)
        }
      />
      {upload.cancelled ? <p>{upload.cancelled}</p> : null}
      <ErrorBlock title={words.errorTitle} message={refusal} />
      {company ? (
        <FailedFile
          endpoints={sheet}
          realmId={company.id}
          title={words.errorTitle}
          failed={upload.failed}
          error={refusal === null ? upload.error : null}
          send={send}
          {...(isAlone ? { onCancel: upload.forget } : {})}
        />
      ) : null}
    </>
  );
}
