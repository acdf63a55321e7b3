import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadCheck } from "#features/invoices/check/contract.ts";
import type { UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { Grid } from "#features/invoices/web/form/grid.tsx";
import type { KeptText, SentText, Typed } from "#features/invoices/web/form/kept-text.ts";
import { findFaults, keepUnposted, noFaults } from "#features/invoices/web/form/rules-faults.ts";
import {
  addRows,
  applyCorrections,
  type Cell,
  emptyGrid,
  type Grid as Cells,
  gridToCsv,
  isEmptyGrid,
  isEmptyRow,
  MAX_ROWS,
  pasteCells,
  readPasted,
  setCell,
  START_ROWS,
} from "#features/invoices/web/form/rules.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { PAGE_SIZE, POLL_MS, resultRowsQuery, uploadsQuery } from "#features/invoices/web/queries.ts";
import { checkQuery } from "#features/invoices/web/review/queries.ts";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { SentUpload } from "#features/invoices/web/upload/sent-upload.tsx";
import { checkFile, CsvButton } from "#features/sheets/web/index.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useLeaveWarning } from "#web/kit/use-leave-warning.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

type Props = {
  company: SessionCompany;
  /** Keeps the typed text while another part of the page is shown. */
  kept: KeptText;
  onCheck: (checkId: string) => void;
  /** Called with a CSV file that is to be sent instead of the text. */
  onFile: (file: File) => void;
};

/** Invoices typed or pasted instead of a file; sent as a CSV file with the same controls and results. */
export function FormCard({ company, kept, onCheck, onFile }: Props) {
  const typed = useTyped(kept);
  const { grid, settle } = typed;
  const [sent, setSent] = useSent(kept);
  const sentGrid = useRef(sent?.grid ?? grid);
  const makeFile = () => {
    sentGrid.current = kept.read()?.grid ?? sentGrid.current;
    // The byte order mark marks the text as UTF-8.
    return new File([`\uFEFF${gridToCsv(sentGrid.current)}`], words.filename, { type: "text/csv" });
  };
  const addButton = useRef<HTMLButtonElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const chooseCsv = ([file]: readonly File[]) => {
    const reason = file ? checkFile(file) : null;
    setRefusal(reason);
    if (file && reason === null) onFile(file);
  };
  const [posted, setPosted] = useState<UploadSummary | null>(null);
  const sending = useSending(company, ({ purpose }, summary) => {
    setSent({ id: summary.id, isCheck: purpose === "check", grid: sentGrid.current });
    if (purpose === "check") onCheck(summary.id);
    else setPosted(summary);
  });
  const outcome = useOutcome(company.id, sent);
  useEffect(() => {
    if (!sent || !outcome) return;
    settle(sent.grid, outcome);
    // Later changes of the upload, such as an undo, don't concern the typed text.
    if (outcome.kind === "posted") return setSent(null);
    const grid = applyCorrections(sent.grid, outcome.corrections);
    if (grid !== sent.grid) setSent({ ...sent, grid });
  }, [sent, outcome, settle, setSent]);
  useLeaveWarning(!isEmptyGrid(grid));
  return (
    <Box sx={{ mt: 2 }}>
      <p style={{ margin: 0 }}>
        {words.intro} <CsvButton disabled={sending.upload.isSending} onChoose={chooseCsv} />
      </p>
      <Grid
        realmId={company.id}
        cells={grid}
        faults={typed.faults}
        onChange={typed.change}
        onPaste={typed.paste}
      />
      <p role="status">{typed.note}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, mb: 1 }}>
        <Button ref={addButton} variant="outlined" disabled={grid.length >= MAX_ROWS} onClick={typed.add}>
          {words.add(START_ROWS)}
        </Button>
        <Button variant="text" disabled={isEmptyGrid(grid)} onClick={typed.clear}>
          {words.clear}
        </Button>
      </Box>
      <SendControls
        sending={sending}
        makeFile={makeFile}
        disabled={isEmptyGrid(grid)}
        refusal={refusal}
        after={addButton}
      />
      {posted ? <SentUpload realmId={company.id} sent={posted} isTyped /> : null}
    </Box>
  );
}

/** The grid sent last, including before a reload. */
function useSent(kept: KeptText): [SentText | null, (sent: SentText | null) => void] {
  const [sent, setSent] = useState(kept.readSent);
  const change = useCallback(
    (next: SentText | null) => {
      setSent(next);
      kept.keepSent(next);
    },
    [kept],
  );
  return [sent, change];
}

/** State of the grid: text, problems and their changes; posted rows leave the grid. */
function useTyped(kept: KeptText) {
  const announce = useAnnounce();
  const [typed, setTyped] = useState<Typed>(() => kept.read() ?? { grid: emptyGrid(), faults: noFaults });
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    kept.keep(typed);
  }, [kept, typed]);
  const change = useCallback(
    (cell: Cell, text: string) =>
      setTyped((before) => ({ ...before, grid: setCell(before.grid, cell, text) })),
    [],
  );
  const paste = (cell: Cell, text: string) => {
    const { grid, put, leftOut, unknown } = pasteCells(typed.grid, cell, readPasted(text));
    setTyped({ ...typed, grid });
    const notes = [
      leftOut > 0 ? words.full(leftOut, MAX_ROWS) : null,
      unknown.length > 0 ? words.unknown(unknown) : null,
    ];
    setNote(notes.filter((each) => each !== null).join(" ") || null);
    announce(words.pasted(put));
  };
  const settle = useCallback(
    (typedThen: Cells, { kind, results, corrections }: Outcome) => {
      const sent = applyCorrections(typedThen, corrections);
      if (kind === "checked") {
        setTyped((before) => ({
          grid: applyCorrections(before.grid, corrections),
          faults: findFaults(sent, results),
        }));
        return;
      }
      const current = applyCorrections(kept.read()?.grid ?? typedThen, corrections);
      const left = keepUnposted({ sent, current, results });
      const blank = Math.max(0, START_ROWS - left.grid.length);
      setTyped({ grid: addRows(left.grid, blank), faults: left.faults });
      const filled = filledRows(left.grid);
      const faulty = filled - left.skipped;
      const notes = [
        faulty > 0 ? words.someLeft(faulty) : null,
        left.skipped > 0 ? words.skipped(left.skipped) : null,
        filledRows(current) > filled ? words.restPosted : null,
      ];
      setNote(filled === 0 ? null : notes.filter((each) => each !== null).join(" "));
    },
    [kept],
  );
  return {
    ...typed,
    note,
    change,
    paste,
    settle,
    add: () => setTyped({ ...typed, grid: addRows(typed.grid, START_ROWS) }),
    clear: () => {
      setTyped({ grid: emptyGrid(), faults: noFaults });
      setNote(null);
      announce(words.cleared);
    },
  };
}

const filledRows = (grid: Cells) => grid.filter((cells) => !isEmptyRow(cells)).length;

/** `checked`: nothing is posted yet. `posted`: every invoice that was neither skipped nor has a problem is in QuickBooks. */
type Outcome = {
  kind: "posted" | "checked";
  results: readonly UploadResult[];
  /** Made in the review. */
  corrections: UploadCheck["corrections"];
};

const NO_CORRECTIONS: Outcome["corrections"] = [];

/** Results of the grid sent last; null until known. */
function useOutcome(realmId: string, sent: SentText | null): Outcome | null {
  const { data: list } = useQuery({ ...uploadsQuery(realmId, PAGE_SIZE), enabled: sent !== null });
  const upload = list?.uploads.find(({ id }) => id === sent?.id);
  const checkId = sent?.isCheck ? sent.id : "";
  const kind = upload ? "posted" : "checked";
  const { data: check, isError } = useQuery({
    ...checkQuery(realmId, checkId),
    enabled: checkId !== "",
    // Another tab may have posted it: what is known from before is outdated.
    ...(upload && { refetchInterval: POLL_MS.working }),
  });
  const isDone = upload ? upload.counts.open === 0 : check?.state === "checked";
  const rows = upload
    ? ({ id: upload.id, version: upload.counts, filter: "all" } as const)
    : ({ id: checkId, version: check?.revision, filter: "all" } as const);
  const { data, isPlaceholderData } = useQuery({ ...resultRowsQuery(realmId, rows), enabled: isDone });
  const results = isDone && !isPlaceholderData ? data?.results : undefined;
  // Without a review, or once it can't be read, there are none.
  const corrected = check?.state === kind ? check.corrections : undefined;
  const corrections = checkId === "" || isError ? NO_CORRECTIONS : corrected;
  return useMemo(
    () => (results && corrections ? { kind, results, corrections } : null),
    [kind, results, corrections],
  );
}
