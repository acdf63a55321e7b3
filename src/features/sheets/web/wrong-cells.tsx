import { FindLink } from "#features/sheets/web/find-link.tsx";
import { LeaveOutButton } from "#features/sheets/web/left-out.tsx";
import { ReviewRow, ReviewRows } from "#features/sheets/web/review-rows.tsx";
import { wrongWords as words } from "#features/sheets/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { openDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type FormEvent, type ReactNode, useId, useState } from "react";

/** A cell that keeps its record back. */
export type WrongCell = {
  code: string;
  text: string;
  row: number;
  /** The field and the template's header of it; null when the problem concerns none. */
  field: string | null;
  header: string | null;
  value: string;
  /** Filled in for a user to confirm; it is never used by itself. */
  suggestion?: string | null;
  /** What users call its record, the text by which the table of all finds it, and what hangs on it. */
  name: string;
  foundBy?: string | undefined;
  effect: string;
};

export type FixedCell = { row: number; field: string; value: string };

type Props = {
  title: string;
  /** Of the file, under which what is being typed is kept. */
  draftName?: string;
  cells: readonly WrongCell[];
  /** The last correction was not taken, so that it may be sent again as it is. */
  hasFailed: boolean;
  onFix: (fixed: FixedCell) => void;
  /** Leaves out the record of a row, where records can be left out. */
  onLeaveOut?: (row: number) => void;
  /** Shows a record in the table of all. */
  onFind?: (text: string) => void;
  /** Beside the heading. */
  actions?: ReactNode;
  /** Above and below the cells. */
  above?: ReactNode;
  below?: ReactNode;
};

/** So many faults of one cause stand one under the other; more are behind one row that counts them. */
const FEW = 3;

/** Cells that are wrong, by cause, each with a field to correct it. */
export function WrongCells({
  title,
  draftName,
  cells,
  hasFailed,
  onFix,
  onLeaveOut,
  onFind,
  actions,
  above,
  below,
}: Props) {
  const toRow = (cell: WrongCell) => (
    <FixCell
      key={`${cell.row} ${cell.field} ${cell.code} ${cell.value}`}
      cell={cell}
      draftName={draftName}
      hasFailed={hasFailed}
      onFix={onFix}
      onLeaveOut={onLeaveOut}
      onFind={onFind}
    />
  );
  const causes = Map.groupBy(cells, ({ code, field, text }) => `${code} ${field} ${text}`);
  return (
    <Card title={title} note={words.hint} actions={actions}>
      {above}
      <ReviewRows tone="red">
        {Array.from(causes.values(), (cause) =>
          cause.length <= FEW ? cause.map(toRow) : <Cause key={keyOf(cause)} cells={cause} toRow={toRow} />,
        )}
      </ReviewRows>
      {below}
    </Card>
  );
}

const keyOf = ([first]: readonly WrongCell[]) => `${first?.code} ${first?.field} ${first?.text}`;

/** Many faults of one cause: said once and counted, each cell behind it. */
function Cause({ cells, toRow }: { cells: readonly WrongCell[]; toRow: (cell: WrongCell) => ReactNode }) {
  const [first] = cells;
  return (
    <ReviewRow
      what={
        <>
          <strong>{first?.text}</strong> {words.times(cells.length, first?.header ?? "")}
        </>
      }
      below={
        <Disclosure title={words.eachOf(cells.length)} my={0}>
          {cells.map(toRow)}
        </Disclosure>
      }
    />
  );
}

const Was = styled("span")(({ theme }) => ({
  fontSize: "0.875rem",
  color: (theme.vars ?? theme).palette.status.red.ink,
}));

type FixProps = {
  cell: WrongCell;
  draftName: string | undefined;
  /** The last correction was not taken, so that it may be sent again as it is. */
  hasFailed: boolean;
  onFix: (fixed: FixedCell) => void;
  onLeaveOut: ((row: number) => void) | undefined;
  onFind: ((text: string) => void) | undefined;
};

function FixCell({ cell, draftName, hasFailed, onFix, onLeaveOut, onFind }: FixProps) {
  const { field, header, value, suggestion, text, row, name, foundBy, effect } = cell;
  // A session that ends while one types does not lose it; what is sent is its page's to keep.
  const [draft] = useState(() => (draftName ? openDraft(`cell.${draftName}.${row}.${field}`) : null));
  const [typed, setTyped] = useState(() => draft?.get() ?? suggestion ?? value);
  const [isSuggested, setSuggested] = useState(() => typed === suggestion && draft?.get() !== typed);
  const [sent, setSent] = useState(value);
  const form = useId();
  // Leaving the field sends, and so does the button, which is reached by leaving the field. A suggestion waits for the button.
  const send = () => {
    if (field === null || typed === value || (typed === sent && !hasFailed)) return;
    setSent(typed);
    draft?.forget();
    onFix({ row, field, value: typed });
  };
  const fix = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <ReviewRow
      what={
        <>
          <strong>{text}</strong>
          <Box component="small" sx={{ display: "block", color: "text.secondary" }}>
            {foundBy && onFind ? <FindLink name={name} by={foundBy} onFind={onFind} /> : name}
            {words.column(header ?? "")}
          </Box>
        </>
      }
      was={<Was>{words.was(value)}</Was>}
      field={
        field === null ? null : (
          <form id={form} onSubmit={fix}>
            <TextInput
              label={words.cellOf(header ?? "", name)}
              labelAt="hidden"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setSuggested(false);
                draft?.keep(target.value);
              }}
              onBlur={() => !isSuggested && send()}
            />
          </form>
        )
      }
      effect={effect}
      action={
        // What is typed is used; as long as nothing is, the record can be left out.
        <>
          {field !== null && (typed !== value || !onLeaveOut) ? (
            <Button type="submit" form={form} variant="outlined" disabled={typed === value}>
              {words.use}
            </Button>
          ) : null}
          {isSuggested || typed === value ? (
            <LeaveOutButton name={name} onClick={onLeaveOut && (() => onLeaveOut(row))} />
          ) : null}
        </>
      }
    />
  );
}
