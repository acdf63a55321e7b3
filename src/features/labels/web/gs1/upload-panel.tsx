import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import * as endpoints from "#features/labels/contract.ts";
import { UploadChoices } from "#features/labels/web/gs1/upload-choices.tsx";
import { type MadeLabels, ROW_PROBLEMS, useLabelUpload } from "#features/labels/web/gs1/use-label-upload.ts";
import { guideWords, labelWords } from "#features/labels/web/words.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { FailedFile, checkFile } from "#features/sheets/web/index.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { useFocusThrough } from "#web/kit/focus.ts";
import { HiddenInput } from "#web/kit/hidden-input.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { ProgressBar } from "#web/kit/progress/progress-bar.tsx";
import { useProgressAnnouncements } from "#web/kit/progress/progress.ts";
import { progressWords } from "#web/kit/progress/words.ts";
import { useKeptFile } from "#web/kit/kept-file.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { useFileDrop } from "#web/kit/use-file-drop.ts";
import { ApiError } from "#web/kit/api-error.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { Upload } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";

const words = labelWords.upload;

type Props = {
  company: SessionCompany;
  /** Called when another file was chosen. */
  onChosen: () => void;
  onMade: (made: MadeLabels) => void;
};

/** Picks and uploads a label sheet, and shows why it failed. */
export function UploadPanel({ company, onChosen, onMade }: Props) {
  const [file, setFile] = useKeptFile("labels", company);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [choices, setChoices] = useState<LabelChoices>({});
  const upload = useLabelUpload(company.id, (made) => {
    setFile(null);
    setChoices({});
    onMade(made);
  });
  useProgressAnnouncements(upload.progress, upload.sentName);
  const choose = (chosen: readonly File[]) => {
    upload.forget({ all: true });
    const next = chosen[0] ?? null;
    const reason = chosen.length > 1 ? words.several : next && checkFile(next);
    setRefusal(reason);
    setFile(reason === null ? next : null);
    if (next && reason === null) onChosen();
  };
  const { isOver, handlers } = useFileDrop(choose, { isDisabled: upload.isSending });
  return (
    <Box
      component="section"
      aria-label={words.region}
      data-print="never"
      sx={{
        mt: 2.5,
        ...(isOver ? { outline: "2px dashed var(--mui-palette-primary-ink)", outlineOffset: "8px" } : {}),
      }}
      {...handlers}
    >
      <Controls
        file={file}
        upload={upload}
        onChoose={choose}
        onSend={(chosen) => upload.send({ file: chosen, rows: "all", cells: [], choices })}
      />
      <Box
        component="p"
        sx={{
          display: "flex",
          flexWrap: "wrap",
          columnGap: 0.5,
          mt: 1,
          mb: 0,
          typography: "caption",
          color: "text.caption",
        }}
      >
        {[...(upload.isSending ? [] : [words.drop]), ...words.hints].map((hint) => (
          <span key={hint}>{hint}</span>
        ))}
      </Box>
      <Guide />
      <UploadChoices
        realmId={company.id}
        choices={choices}
        disabled={upload.isSending}
        onChange={(change) => {
          upload.forget({ all: false });
          setChoices({ ...choices, ...change });
        }}
      />
      <ProgressBar progress={upload.progress} label={progressLabel(upload)} />
      {upload.canceled === null ? null : <p>{upload.canceled}</p>}
      <ErrorBlock title={words.errorTitle} message={refusal} />
      <Failure company={company} upload={upload} choices={choices} isShown={refusal === null} />
    </Box>
  );
}

type LabelUpload = ReturnType<typeof useLabelUpload>;

const progressLabel = ({ progress, sentName }: LabelUpload) =>
  progress.phase === "uploading" ? progressWords.uploading(sentName) : progressWords.processingFile(sentName);

type ControlsProps = {
  file: File | null;
  upload: LabelUpload;
  onChoose: (files: readonly File[]) => void;
  onSend: (file: File) => void;
};

function Controls({ file, upload, onChoose, onSend }: ControlsProps) {
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  useFocusThrough(upload.isSending, { during: cancelButton, after: chooseButton });
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
      {/* Takes workbooks, as specified; a CSV file can be dropped. */}
      <HiddenInput
        ref={input}
        label={words.picker}
        accept={XLSX_MEDIA_TYPE}
        disabled={upload.isSending}
        onChoose={onChoose}
      />
      <Button
        ref={chooseButton}
        variant="outlined"
        disabled={upload.isSending}
        onClick={() => input.current?.click()}
      >
        <Icon of={Upload} size="small" />
        &nbsp;{words.choose}
      </Button>
      <Box
        component="span"
        sx={{ color: file ? "text.primary" : "text.secondary", overflowWrap: "anywhere", minWidth: 0 }}
      >
        {file?.name ?? words.none}
      </Box>
      <Button
        variant={file && !upload.toReview ? "contained" : "outlined"}
        disabled={!file || upload.isSending}
        onClick={() => file && onSend(file)}
      >
        {words.upload}
      </Button>
      {upload.isSending ? (
        <Button ref={cancelButton} variant="contained" color="cancel" onClick={upload.cancel}>
          {words.cancel}
        </Button>
      ) : null}
      <Box component="span" sx={{ ml: { sm: "auto" } }}>
        <PlainLink href={words.templateHref} download>
          {words.template}
        </PlainLink>
      </Box>
    </Box>
  );
}

const Summary = styled("summary")({ minHeight: 24, marginTop: 4, cursor: "pointer" });

type FailureProps = {
  company: SessionCompany;
  upload: LabelUpload;
  choices: LabelChoices;
  isShown: boolean;
};

/** Reason for a failure, with what the user can do about it. */
function Failure({ company, upload, choices, isShown }: FailureProps) {
  const { failed, error, send, toReview } = upload;
  const shown = isShown ? error : null;
  // The review below says each fault at its field.
  const isReviewed = toReview !== null && shown instanceof ApiError && shown.code === ROW_PROBLEMS;
  return (
    <>
      {isReviewed ? (
        <ErrorBlock title={words.errorTitle} message={words.rowsFailed}>
          <details>
            <Summary>{words.whatFailed}</Summary>
            <div style={{ whiteSpace: "pre-line" }}>{shown.message}</div>
          </details>
        </ErrorBlock>
      ) : null}
      <FailedFile
        endpoints={endpoints}
        realmId={company.id}
        title={words.errorTitle}
        failed={failed}
        error={isReviewed ? null : shown}
        send={(again) => send({ ...again, choices })}
      />
      {toReview ? (
        <Suspense fallback={<Spinner label={labelWords.review.loading} />}>
          <LabelReview
            key={toReview.at}
            realmId={company.id}
            file={toReview}
            choices={choices}
            isSending={upload.isSending}
            onCorrect={() => upload.forget({ all: false })}
            onSend={send}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Loaded when a file has errors. */
const LabelReview = lazy(async () => ({
  default: (await import("#features/labels/web/gs1/label-review.tsx")).LabelReview,
}));

function Guide() {
  return (
    <Disclosure title={words.guide} variant="text" my={0.5}>
      <Box sx={{ maxWidth: "72ch", "& dt": { fontWeight: 700, mt: 1 }, "& dd": { m: 0 } }}>
        <p>{guideWords.intro}</p>
        <dl style={{ margin: 0 }}>
          <dt>{guideWords.required}</dt>
          <dd>{guideWords.requiredColumns}</dd>
          <dt>{guideWords.optional}</dt>
          <dd>{guideWords.optionalColumns}</dd>
          <dt>{guideWords.cartons}</dt>
          <dd>{guideWords.cartonsText}</dd>
          <dt>{guideWords.pallets}</dt>
          <dd>{guideWords.palletsText}</dd>
        </dl>
      </Box>
    </Disclosure>
  );
}
