import type { CorrectedCell } from "#features/sheets/contract.ts";
import { wrongWords as words } from "#features/sheets/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import Button from "@mui/material/Button";

type CorrectedProps = {
  cells: readonly CorrectedCell[];
  onUndo: (cell: { row: number; field: string; value: string }) => void;
};

/** Cells corrected in a review, each with an undo button. */
export function CorrectedCells({ cells, onUndo }: CorrectedProps) {
  if (cells.length === 0) return null;
  return (
    <Disclosure title={words.corrected(cells.length)}>
      <ul style={{ margin: "8px 0" }}>
        {cells.map(({ row, place, field, header, was, value }) => (
          <li key={`${row} ${field}`} style={{ overflowWrap: "anywhere" }}>
            {words.correction(place, header)} <del>{words.was(was)}</del> {words.was(value)}{" "}
            <Button
              color="inherit"
              aria-label={words.undoLabel(place, header)}
              onClick={() => onUndo({ row, field, value: was })}
            >
              {words.undo}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

type LeftOutProps = {
  /**
   * `row` is a record's first row; `rows` are all of its rows: "2, 5-9 and 12". `name` is null for an unnamed
   * record.
   */
  records: readonly { row: number; rows: string; name: string | null }[];
  onPutBack: (row: number) => void;
};

/** Records left out in a review, each with a button to put it back. */
export function LeftOut({ records, onPutBack }: LeftOutProps) {
  if (records.length === 0) return null;
  return (
    <Disclosure title={words.leftOut(records.length)}>
      <ul style={{ margin: "8px 0" }}>
        {records.map(({ row, rows, name }) => (
          <li key={row}>
            {name ?? words.inRows(rows)}{" "}
            <Button
              color="inherit"
              aria-label={words.putBackLabel(name ?? words.inRows(rows).toLowerCase())}
              onClick={() => onPutBack(row)}
            >
              {words.putBack}
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
