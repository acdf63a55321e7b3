import { downloadProblemRows, type ListedUpload, type ResultFilter } from "#features/invoices/contract.ts";
import { NamesOfUpload } from "#features/invoices/web/names/names-of-upload.tsx";
import { ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { ResultFilters } from "#features/invoices/web/results/result-filters.tsx";
import { ResultRows } from "#features/invoices/web/results/result-rows.tsx";
import { toneOf, uploadAnchor } from "#features/invoices/web/results/upload-summary.ts";
import { UploadLine } from "#features/invoices/web/results/upload-line.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import Box from "@mui/material/Box";
import { memo, useEffect, useId, useState } from "react";

const words = uploadWords.results;

type Props = { realmId: string; upload: ListedUpload; startsOpen: boolean };

/** One upload: a line with what became of it, and when open its results. */
export const UploadResults = memo(function UploadResults({ realmId, upload, startsOpen }: Props) {
  const [open, toggle] = useOpened(upload.id, startsOpen);
  const id = useId();
  return (
    <Box
      component="article"
      id={uploadAnchor(upload)}
      aria-labelledby={`${id}-name`}
      sx={(theme) => ({
        borderLeft: `3px solid ${theme.vars?.palette.status[toneOf(upload)].rule}`,
        borderBottom: `1px solid ${theme.vars?.palette.divider}`,
        scrollMarginTop: "5rem",
      })}
    >
      <UploadLine realmId={realmId} upload={upload} id={id} isOpen={open} onToggle={toggle} />
      <Box
        id={`${id}-rows`}
        hidden={!open}
        sx={{ pl: { xs: 1.5, lg: "38px" }, pr: { lg: 1.5 }, pb: open ? 2 : 0 }}
      >
        {open ? <Rows realmId={realmId} upload={upload} /> : null}
      </Box>
    </Box>
  );
});

const tools = { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1, mb: 0.5 };

function Rows({ realmId, upload }: { realmId: string; upload: ListedUpload }) {
  const [filter, setFilter] = useState<ResultFilter>("all");
  return (
    <>
      <Box sx={tools} data-print="never">
        <ResultFilters counts={upload.invoices} value={filter} onChange={setFilter} />
        {upload.counts.problems > 0 ? (
          <ProblemRowsDownload
            fileName={upload.filename}
            fetchDocument={() =>
              call(downloadProblemRows, { params: { upload_id: upload.id }, query: { realm_id: realmId } })
            }
          />
        ) : null}
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
