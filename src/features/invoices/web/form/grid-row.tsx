import { toned } from "#web/theme/tone.ts";
import { faultKey, type Faults } from "#features/invoices/web/form/rules-faults.ts";
import { CHOICES, kindOf } from "#features/invoices/web/form/name-choices.tsx";
import { type Cell, FIRST_ROW, HEADERS } from "#features/invoices/web/form/rules.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { styled } from "@mui/material/styles";
import { memo } from "react";

/** All columns are in sight on a page of the widest kind. */
const WIDTHS: Record<(typeof HEADERS)[number], number> = {
  "Invoice No": 96,
  Customer: 164,
  "Invoice Date": 104,
  Terms: 84,
  Item: 132,
  Description: 148,
  Qty: 56,
  Rate: 76,
  Amount: 84,
  "Customer Memo": 124,
};

const CellInput = styled("input")(({ theme }) => ({
  width: "100%",
  minHeight: 36,
  boxSizing: "border-box",
  padding: "0 8px",
  border: 0,
  font: "inherit",
  color: "inherit",
  backgroundColor: "transparent",
  "html body &:focus-visible": { outlineOffset: -3 },
  // Clear of the heads and the row's number, which stay in sight.
  scrollMargin: "44px 8px 8px 64px",
  "&[aria-invalid='true']": {
    ...toned(theme, "red"),
    boxShadow: "inset 0 -3px 0 currentColor",
    // Forced colors remove shadows and fills.
    "@media (forced-colors: active)": { borderBottom: "3px solid" },
  },
}));

type Props = {
  row: number;
  cells: readonly string[];
  /** All problems of the grid; a cell shows its own as long as its text is what was sent. */
  faults: Faults;
  onChange: (cell: Cell, text: string) => void;
};

/** One row of the grid: a text box for each column. */
export const GridRow = memo(function GridRow({ row, cells, faults, onChange }: Props) {
  return (
    <tr>
      <th scope="row">{row + FIRST_ROW}</th>
      {HEADERS.map((header, column) => {
        const text = cells[column] ?? "";
        const fault = faults.get(faultKey(row, column));
        const message = fault && fault.text === text ? fault.message : undefined;
        return (
          <td key={header} style={{ minWidth: WIDTHS[header] }}>
            <CellInput
              aria-label={words.cell(header, row + FIRST_ROW)}
              aria-invalid={message !== undefined}
              title={message}
              aria-describedby={message === undefined ? undefined : faultId(row, column)}
              list={kindOf(column) && CHOICES}
              data-row={row}
              data-column={column}
              autoComplete="off"
              value={text}
              onChange={(event) => onChange({ row, column }, event.target.value)}
            />
            {message === undefined ? null : (
              <span id={faultId(row, column)} hidden>
                {message}
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** The sentence of a cell, which is read aloud with it. */
const faultId = (row: number, column: number) => `fault-${row}-${column}`;
