import { reviewWords } from "#features/labels/web/gs1/words.ts";
import { labelWords } from "#features/labels/web/words.ts";
import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import { downloadProblemRows, type LabelReview as Review } from "#features/labels/contract.ts";
import { RowsTable } from "#features/labels/web/gs1/rows-table.tsx";
import { useLabelReview } from "#features/labels/web/gs1/use-label-review.ts";
import type { SentLabels } from "#features/labels/web/gs1/make-labels.ts";
import type { ToReview } from "#features/labels/web/gs1/use-label-upload.ts";
import { sentBody } from "#features/labels/web/rules.ts";
import { Notes, ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { CorrectedCells, type FixedCell, WrongCells } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";

const words = reviewWords;

type Props = {
  realmId: string;
  file: ToReview;
  choices: LabelChoices;
  isSending: boolean;
  /** Called if a correction makes the last refusal outdated. */
  onCorrect: () => void;
  onSend: (sent: SentLabels) => void;
};

/** Review of a file with errors: the user corrects cells, then makes labels of all rows or of the good ones. */
export function LabelReview({ realmId, file, choices, isSending, onCorrect, onSend }: Props) {
  const { review, cells, error, isChecking, refetch, fix, undo } = useLabelReview(realmId, file, choices);
  const correct = (fixed: FixedCell) => {
    onCorrect();
    fix(fixed);
  };
  const send = (rows: SentLabels["rows"]) => onSend({ file: file.file, rows, cells, choices });
  return (
    <>
      <FailedCall error={error} onRetry={refetch} />
      {review ? (
        <>
          <Decision
            review={review}
            file={file.file}
            body={sentBody({ cells, choices })}
            isBusy={isSending || isChecking}
            send={send}
          />
          <Wrong review={review} hasFailed={error !== null} onFix={correct} />
          <CorrectedCells cells={review.corrections} onUndo={undo} />
          <Notes groups={review.remarks} />
          <RowsTable review={review} />
        </>
      ) : error ? null : (
        <Spinner label={labelWords.review.loading} />
      )}
    </>
  );
}

type DecisionProps = {
  review: Review;
  file: File;
  body: ReturnType<typeof sentBody>;
  isBusy: boolean;
  send: (rows: SentLabels["rows"]) => void;
};

/** Labels that could be made now. Nothing is made and no SSCC is used until the user decides. */
function Decision({ review, file, body, isBusy, send }: DecisionProps) {
  const { label_count: count, error_count: errors } = review;
  return (
    <>
      <Box component="p" sx={{ mt: 3, mb: 1.5 }}>
        {errors === 0 ? words.allGood : words.some(errors, count)}
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
        {errors === 0 ? (
          <BusyButton
            variant="contained"
            label={words.make(count)}
            isBusy={isBusy}
            onClick={() => send("all")}
          />
        ) : (
          <>
            <ProblemRowsDownload
              fileName={file.name}
              fetchDocument={() => call(downloadProblemRows, { file, body })}
            />
            <BusyButton
              label={words.good}
              disabled={count === 0}
              isBusy={isBusy}
              onClick={() => send("good")}
            />
          </>
        )}
      </Box>
    </>
  );
}

type WrongProps = { review: Review; hasFailed: boolean; onFix: (fixed: FixedCell) => void };

function Wrong({ review: { errors, error_count: count, rows }, hasFailed, onFix }: WrongProps) {
  if (errors.length === 0) return null;
  const orders = new Map(rows.map(({ row, po_number }) => [row, po_number]));
  return (
    <WrongCells
      title={words.fixTitle(count)}
      cells={errors.map((error) => ({
        ...error,
        name: words.row(error.row),
        effect: [error.cell && words.cell(error.cell), orders.get(error.row)].filter(Boolean).join(" · "),
      }))}
      hasFailed={hasFailed}
      onFix={onFix}
      below={count > errors.length ? <p>{words.more(count - errors.length)}</p> : null}
    />
  );
}
