import { cellAfter, cellOf, focusCell } from "#features/invoices/web/form/grid-keys.ts";
import { GridRow } from "#features/invoices/web/form/grid-row.tsx";
import type { Faults } from "#features/invoices/web/form/rules-faults.ts";
import { useNameChoices } from "#features/invoices/web/form/name-choices.tsx";
import { type Cell, type Grid as Cells, HEADERS } from "#features/invoices/web/form/rules.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { styled } from "@mui/material/styles";
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";

const Scroll = styled("div")({ overflow: "auto", maxHeight: "70vh", margin: "16px 0" });

const Table = styled("table")(({ theme }) => ({
  // Collapsed borders stay behind when a head sticks, and let what passes below show beside it.
  borderCollapse: "separate",
  borderSpacing: 0,
  "&, & th, & td": { borderStyle: "solid", borderColor: (theme.vars ?? theme).palette.divider },
  borderWidth: "1px 0 0 1px",
  "& th, & td": { borderWidth: "0 1px 1px 0", padding: 0 },
  "& th": {
    padding: "8px",
    textAlign: "left",
    whiteSpace: "nowrap",
    backgroundColor: (theme.vars ?? theme).palette.background.default,
  },
  "& thead th": { position: "sticky", top: 0, zIndex: 1 },
  // The row's number stays in sight beside the columns further right.
  "& tr > th:first-of-type": { position: "sticky", left: 0, zIndex: 1 },
  "& thead th:first-of-type": { zIndex: 2 },
}));

type Props = {
  /** The company whose names are offered. */
  realmId: string;
  cells: Cells;
  faults: Faults;
  onChange: (cell: Cell, text: string) => void;
  onPaste: (cell: Cell, text: string) => void;
};

/** A grid of text boxes that takes typed text and cells pasted from a spreadsheet. */
export function Grid({ realmId, cells, faults, onChange, onPaste }: Props) {
  const { choices, look } = useNameChoices(realmId);
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The first cell to correct is scrolled into view; the focus stays.
    if (faults.size > 0)
      scroll.current
        ?.querySelector("[aria-invalid='true']")
        ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [faults]);
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const next = cellAfter(event);
    if (next && focusCell(event.currentTarget, next)) event.preventDefault();
  };
  const paste = (event: ClipboardEvent<HTMLTableElement>) => {
    const cell = cellOf(event.target);
    const text = event.clipboardData.getData("text/plain");
    // A single value goes where the caret is, as in any text box.
    if (!cell || !/[\t\r\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    onPaste(cell, text);
  };
  const input = (event: FormEvent<HTMLTableElement>) => {
    const cell = cellOf(event.target);
    if (cell) look(cell, (event.target as HTMLInputElement).value);
  };
  return (
    <Scroll ref={scroll}>
      {choices}
      <Table aria-label={words.grid} onKeyDown={onKeyDown} onPaste={paste} onInput={input}>
        <thead>
          <tr>
            <th scope="col" aria-label={words.rowNumber}>
              1
            </th>
            {HEADERS.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row, index) => (
            // eslint-disable-next-line react/no-array-index-key -- a row of the grid is its place
            <GridRow key={index} row={index} cells={row} faults={faults} onChange={onChange} />
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
