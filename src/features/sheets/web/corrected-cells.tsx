import type { CorrectedCell } from "#features/sheets/contract.ts";
import { wrongWords as words } from "#features/sheets/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import Button from "@mui/material/Button";

type Props = {
  cells: readonly CorrectedCell[];
  onUndo: (cell: { row: number; field: string; value: string }) => void;
};

/** What was corrected in a review, each with a way back. */
export function CorrectedCells({ cells, onUndo }: Props) {
  if (cells.length === 0) return null;
  return (
    <Disclosure title={words.corrected(cells.length)}>
      <ul style={{ margin: "8px 0" }}>
        {cells.map(({ row, field, header, was, value }) => (
          <li key={`${row} ${field}`} style={{ overflowWrap: "anywhere" }}>
            {words.correction(row, header)} <del>{words.was(was)}</del> {words.was(value)}{" "}
            <Button
              color="inherit"
              aria-label={words.undoOf(row, header)}
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
