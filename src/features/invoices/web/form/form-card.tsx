import type { SessionCompany } from "#features/identity/contract.ts";
import { Grid } from "#features/invoices/web/form/grid.tsx";
import type { KeptText, SentText } from "#features/invoices/web/form/kept-text.ts";
import {
  type Grid as Cells,
  gridToCsv,
  isEmptyGrid,
  MAX_ROWS,
  START_ROWS,
} from "#features/invoices/web/form/rules.ts";
import { useOutcome } from "#features/invoices/web/form/use-outcome.ts";
import { useTyped } from "#features/invoices/web/form/use-typed.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { useLeaveWarning } from "#web/kit/use-leave-warning.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useCallback, useEffect, useRef, useState } from "react";

type Props = {
  company: SessionCompany;
  /** Keeps what is typed while another part of the page is shown. */
  kept: KeptText;
  /** The check that is shown beside the form. */
  checkId: string | null;
  onCheck: (checkId: string) => void;
};

/** Invoices typed or pasted instead of a file: sent as one, by the same ways, with the same results. */
export function FormCard({ company, kept, checkId, onCheck }: Props) {
  const typed = useTyped(kept);
  const { grid, settle } = typed;
  const [sent, setSent] = useSent(kept);
  const sentGrid = useRef(sent?.grid ?? grid);
  const makeFile = () => {
    sentGrid.current = kept.read()?.grid ?? sentGrid.current;
    return fileOf(sentGrid.current);
  };
  const addButton = useRef<HTMLButtonElement>(null);
  const sending = useSending(company, ({ purpose }, { id }) => {
    setSent({ id, isCheck: purpose === "check", grid: sentGrid.current });
    if (purpose === "check") onCheck(id);
  });
  useEffect(() => {
    // Checked again from the check's own card.
    if (checkId && sent?.isCheck && sent.id !== checkId)
      setSent({ id: checkId, isCheck: true, grid: sentGrid.current });
  }, [checkId, sent, setSent]);
  const outcome = useOutcome(company.id, sent);
  useEffect(() => {
    if (!sent || !outcome) return;
    settle(sent.grid, outcome);
    // What happens to an upload later, such as an undo, is no longer about what is typed.
    if (outcome.kind === "posted") setSent(null);
  }, [sent, outcome, settle, setSent]);
  useLeaveWarning(!isEmptyGrid(grid));
  return (
    <Box sx={{ mt: 2 }}>
      <p style={{ margin: 0 }}>{words.intro}</p>
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
        fileOf={makeFile}
        latest={makeFile}
        disabled={isEmptyGrid(grid)}
        refusal={null}
        after={addButton}
      />
    </Box>
  );
}

/** What was sent last, also by a page that is gone. */
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

/** A byte order mark says that the text is UTF-8. */
function fileOf(grid: Cells): File {
  return new File([`\uFEFF${gridToCsv(grid)}`], words.filename, { type: "text/csv" });
}
