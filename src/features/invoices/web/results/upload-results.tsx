import { downloadProblemRows, type ListedUpload, type ResultFilter } from "#features/invoices/contract.ts";
import { UnknownNames } from "#features/invoices/web/lazy-parts.ts";
import { CancelButton } from "#features/invoices/web/results/cancel-button.tsx";
import { FixButton } from "#features/invoices/web/results/fix-button.tsx";
import { ResultRows } from "#features/invoices/web/results/result-table.tsx";
import { describeState, uploadTone, withFixes } from "#features/invoices/web/results/upload-summary.ts";
import { formatSum } from "#features/invoices/web/tables/money.ts";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { useResend } from "#features/invoices/web/upload/use-upload.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { formatCount, formatZoned } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { styled } from "@mui/material/styles";
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, Suspense, useEffect, useId, useState } from "react";
import { Link } from "react-router";

const words = uploadWords.results;

type Props = {
  realmId: string;
  upload: ListedUpload;
  /** Whether the company must be connected again first. */
  isLost?: boolean;
  startsOpen?: boolean;
};

/** An upload in one line, expandable to its results. */
export const UploadResults = memo(function UploadResults({
  realmId,
  upload,
  isLost = false,
  startsOpen = false,
}: Props) {
  const [isOpen, toggle] = useOpened(upload.id, startsOpen);
  const id = useId();
  return (
    <Box
      component="article"
      aria-labelledby={`${id}-name`}
      sx={(theme) => ({
        borderLeft: `3px solid ${theme.vars?.palette.status[uploadTone({ ...upload, isLost })].rule}`,
        borderBottom: `1px solid ${theme.vars?.palette.divider}`,
      })}
    >
      <UploadLine
        realmId={realmId}
        upload={upload}
        isLost={isLost}
        id={id}
        isOpen={isOpen}
        onToggle={toggle}
      />
      <Box
        id={`${id}-rows`}
        hidden={!isOpen}
        sx={{ pl: { xs: 1.5, lg: "38px" }, pr: { lg: 1.5 }, pb: isOpen ? 2 : 0 }}
      >
        {isOpen ? <Rows realmId={realmId} upload={upload} /> : null}
      </Box>
    </Box>
  );
});

/** Expanded uploads, remembered while the page lives, so that a returning user finds the list unchanged. */
const opened = new Map<string, boolean>();

function useOpened(id: string, startsOpen: boolean): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setOpen] = useState(() => opened.get(id) ?? startsOpen);
  useEffect(() => void opened.set(id, isOpen), [id, isOpen]);
  return [isOpen, () => setOpen(!isOpen)];
}

/** One line on wide screens, with the same columns in all uploads; an entry of a few lines on narrow ones. */
export const Line = styled("div")(({ theme }) => ({
  display: "grid",
  alignItems: "center",
  ...typeScale.table,
  [theme.breakpoints.up("lg")]: {
    gridTemplateColumns: "minmax(0, 1fr) 10.5rem 8rem 7rem 7.5rem 10rem 12.5rem",
    columnGap: 12,
    paddingInline: "9px 4px",
    minHeight: 46,
    "& > [data-at=posted], & > [data-at=amount]": { textAlign: "right" },
    "& > [data-at=state]": { paddingBlock: 6, paddingLeft: 20 },
  },
  [theme.breakpoints.down("lg")]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    gap: "2px 12px",
    padding: "8px 4px 8px 8px",
    "& > [data-at=uploaded], & > [data-at=by], & > [data-at=state], & > [data-at=actions]": {
      paddingLeft: 26,
    },
    "& > [data-at=amount]": { gridRow: 1, gridColumn: 2, fontWeight: 700, textAlign: "right" },
    "& > [data-at=posted]": { gridRow: 2, gridColumn: 2, textAlign: "right" },
    "& > [data-at=actions]": { gridColumn: "1 / -1", marginLeft: -8 },
    "& > [data-at=actions]:empty": { display: "none" },
  },
}));

const Quiet = styled("span")(({ theme }) => ({ color: (theme.vars ?? theme).palette.text.secondary }));
const Caption = styled("span")(({ theme }) => ({ color: (theme.vars ?? theme).palette.text.caption }));

type LineProps = {
  realmId: string;
  upload: ListedUpload;
  isLost: boolean;
  /** Prefix of the ids of the parts: `{id}-name`, `{id}-rows`. */
  id: string;
  isOpen: boolean;
  onToggle: () => void;
};

/** File, time, user, invoices and money posted, state, and the actions of an upload. */
function UploadLine({ realmId, upload, isLost, id, isOpen, onToggle }: LineProps) {
  const { filename, timestamp, uploaded_by: by, counts, fixes } = upload;
  const invoices = withFixes(upload);
  const state = describeState({ ...upload, isLost });
  const isDone = counts.open === 0;
  return (
    <Line sx={{ "&:hover": { backgroundColor: "background.hover" } }}>
      <h3 style={{ margin: 0, font: "inherit", minWidth: 0 }}>
        <ButtonBase
          aria-expanded={isOpen}
          aria-controls={`${id}-rows`}
          onClick={onToggle}
          sx={{
            gap: 1,
            minHeight: 44,
            py: 0.75,
            maxWidth: "100%",
            justifyContent: "flex-start",
            font: "inherit",
            "& > svg": { color: "text.caption" },
            "&:hover strong": { textDecoration: "underline" },
          }}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
          <strong id={`${id}-name`} style={{ overflowWrap: "anywhere", minWidth: 0, textAlign: "left" }}>
            {filename}
          </strong>
        </ButtonBase>
      </h3>
      <Quiet data-at="uploaded">
        <time dateTime={timestamp}>{formatZoned(timestamp)}</time>
      </Quiet>
      <Quiet data-at="by" style={{ overflowWrap: "anywhere" }}>
        {by}
      </Quiet>
      <span data-at="posted">
        {invoices.total === 0 ? null : (
          <>
            {formatCount(invoices.posted)} <Caption>{words.of(invoices.total)}</Caption>
          </>
        )}
      </span>
      <span data-at="amount">
        {invoices.total === 0 ? null : formatSum(invoices.amount, invoices.currencies)}
      </span>
      <span data-at="state">
        <Chip tone={state.tone}>{state.text}</Chip>
        {invoices.undone > 0 && state.text !== words.states.undone ? (
          <Caption style={{ display: "block", marginTop: 2 }}>{words.undone(invoices.undone)}</Caption>
        ) : null}
        {fixes.map(({ id: fix, filename: by, posted }) =>
          posted > 0 ? (
            <Caption key={fix} style={{ display: "block", marginTop: 2, overflowWrap: "anywhere" }}>
              {words.fixedIn(posted, by)}
            </Caption>
          ) : null,
        )}
      </span>
      <Actions data-at="actions" data-print="never">
        {isDone ? null : <CancelButton realmId={realmId} upload={upload} />}
        {isDone && invoices.problems > 0 ? <FixButton upload={upload} /> : null}
        <Button
          variant="text"
          size="small"
          component={Link}
          to={`?receipt=${upload.id}`}
          aria-label={words.receiptLabel(filename)}
        >
          {words.receipt}
        </Button>
        <UndoButton
          realmId={realmId}
          upload={upload}
          isUndoable={counts.completed > 0 && isDone}
          look="text"
        />
      </Actions>
    </Line>
  );
}

const Actions = styled("span")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  [theme.breakpoints.up("lg")]: { justifyContent: "flex-end" },
}));

const tools = { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1, mb: 0.5 };

const FILTERS: readonly ResultFilter[] = ["all", "problems", "completed"];

/** Results of an upload, narrowed by a filter, with the problem rows to download and the unknown names to match. */
function Rows({ realmId, upload }: { realmId: string; upload: ListedUpload }) {
  const [filter, setFilter] = useState<ResultFilter>("all");
  const { id, filename, counts, invoices } = upload;
  const invoicesByFilter: Record<ResultFilter, number> = {
    all: invoices.total,
    problems: invoices.problems + invoices.unconfirmed,
    completed: invoices.posted,
  };
  const options = FILTERS.map((value) => ({
    value,
    label: words.filter[value],
    count: invoicesByFilter[value],
  }));
  return (
    <>
      <Box sx={tools} data-print="never">
        <Filters label={words.filters} value={filter} options={options} onChange={setFilter} />
        {counts.problems > 0 ? (
          <ProblemRowsDownload
            fileName={filename}
            fetchDocument={() =>
              call(downloadProblemRows, { params: { upload_id: id }, query: { realm_id: realmId } })
            }
          />
        ) : null}
      </Box>
      {counts.problems > 0 && counts.open === 0 ? <MatchNames realmId={realmId} uploadId={id} /> : null}
      <ResultRows
        realmId={realmId}
        of={upload}
        version={counts}
        filter={filter}
        label={words.tableLabel(filename)}
      />
    </>
  );
}

/** Matches the names that QuickBooks does not have; afterwards the same file can be uploaded again. */
function MatchNames({ realmId, uploadId }: { realmId: string; uploadId: string }) {
  const { file, isSending, sendAgain, failure } = useResend({ uploadId, purpose: "post" });
  return (
    <Disclosure title={words.unknownNames} my={0.5} variant="text">
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <UnknownNames realmId={realmId} uploadId={uploadId}>
          <span>{words.uploadAgainHint}</span>
          {file ? <BusyButton label={words.uploadAgain} isBusy={isSending} onClick={sendAgain} /> : null}
        </UnknownNames>
      </Suspense>
      {failure}
    </Disclosure>
  );
}
