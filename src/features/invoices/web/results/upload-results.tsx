import { downloadProblemRows, type ResultFilter, type UploadSummary } from "#features/invoices/contract.ts";
import { NamesOfUpload } from "#features/invoices/web/names/names-of-upload.tsx";
import { ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { ResultFilters } from "#features/invoices/web/results/result-filters.tsx";
import { ResultRows } from "#features/invoices/web/results/result-rows.tsx";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { summaryOf, toneOf, uploadAnchor } from "#features/invoices/web/results/upload-summary.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { formatDateTime, timeZone } from "#web/kit/format.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { toned } from "#web/theme/tone.ts";
import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { styled } from "@mui/material/styles";
import { memo, useEffect, useId, useState } from "react";

const words = uploadWords.results;

const Summary = styled("span", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    display: "inline-block",
    padding: "2px 12px",
    borderRadius: 16,
    ...toned(theme, tone),
    "@media print": { padding: 0, color: "#000", backgroundColor: "transparent" },
  }),
);

type Props = { realmId: string; upload: UploadSummary; startsOpen: boolean };

/** One upload: its name, time and counts, and when open its rows. */
export const UploadResults = memo(function UploadResults({ realmId, upload, startsOpen }: Props) {
  const [open, toggle] = useOpened(upload.id, startsOpen);
  const id = useId();
  return (
    <Box
      component="article"
      id={uploadAnchor(upload)}
      aria-labelledby={`${id}-name`}
      sx={{ borderTop: 1, borderColor: "divider", py: 1 }}
    >
      <h3 style={{ margin: 0, font: "inherit" }}>
        <ButtonBase
          aria-expanded={open}
          aria-controls={`${id}-rows`}
          onClick={toggle}
          sx={{
            width: "100%",
            minHeight: 48,
            columnGap: 1.5,
            flexWrap: "wrap",
            justifyContent: "flex-start",
            font: "inherit",
            "&:hover strong": { textDecoration: "underline" },
          }}
        >
          <span aria-hidden="true">{open ? "▾" : "▸"}</span>
          <strong id={`${id}-name`} style={{ overflowWrap: "anywhere", textAlign: "left" }}>
            {upload.filename}
          </strong>
          <time dateTime={upload.timestamp} title={timeZone()}>
            {formatDateTime(upload.timestamp)}
          </time>
          <Box
            component="span"
            sx={{ ml: { xs: "20px", sm: "auto" }, flexBasis: { xs: "100%", sm: "auto" }, textAlign: "left" }}
          >
            <Summary tone={toneOf(upload)}>{summaryOf(upload)}</Summary>
          </Box>
        </ButtonBase>
      </h3>
      <div id={`${id}-rows`} hidden={!open}>
        {open ? <Rows realmId={realmId} upload={upload} /> : null}
      </div>
    </Box>
  );
});

function Rows({ realmId, upload }: { realmId: string; upload: UploadSummary }) {
  const [filter, setFilter] = useState<ResultFilter>("all");
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, my: 1 }} data-print="never">
        <ResultFilters counts={upload.counts} value={filter} onChange={setFilter} />
        {upload.counts.problems > 0 ? (
          <ProblemRowsDownload
            fileName={upload.filename}
            fetchDocument={() =>
              call(downloadProblemRows, { params: { upload_id: upload.id }, query: { realm_id: realmId } })
            }
          />
        ) : null}
        <TextLink
          to={`?receipt=${upload.id}`}
          aria-label={words.receiptOf(upload.filename)}
          style={{ display: "inline-flex", alignItems: "center", minHeight: 44 }}
        >
          {words.receipt}
        </TextLink>
        <UndoButton
          realmId={realmId}
          upload={upload}
          isUndoable={upload.counts.completed > 0 && upload.counts.open === 0}
        />
      </Box>
      {upload.counts.problems > 0 && upload.counts.open === 0 ? (
        <NamesOfUpload realmId={realmId} upload={upload} />
      ) : null}
      <ResultRows
        realmId={realmId}
        of={upload}
        version={upload.counts}
        filter={filter}
        label={words.tableOf(upload.filename)}
      />
    </>
  );
}

/** Which uploads are open, for as long as the page lives: who comes back to the list finds it as they left it. */
const opened = new Map<string, boolean>();

/** Whether an upload is open, and what opens and closes it. */
function useOpened(id: string, startsOpen: boolean): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setOpen] = useState(() => opened.get(id) ?? startsOpen);
  useEffect(() => void opened.set(id, isOpen), [id, isOpen]);
  return [isOpen, () => setOpen(!isOpen)];
}
