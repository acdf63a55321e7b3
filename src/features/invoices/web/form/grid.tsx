import type { ListKind } from "#features/books/names/contract.ts";
import { findCell, focusCell, nextCell } from "#features/invoices/web/form/grid-keys.ts";
import { faultKey, type Faults } from "#features/invoices/web/form/rules-faults.ts";
import { type Cell, FIRST_ROW, type Grid as Cells, HEADERS } from "#features/invoices/web/form/rules.ts";
import { formWords as words } from "#features/invoices/web/form/words.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { useSearch } from "#web/kit/use-search.ts";
import { toned } from "#web/theme/tone.ts";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  memo,
  useEffect,
  useRef,
  useState,
} from "react";

const Scroll = styled("div")({ overflow: "auto", maxHeight: "70vh", margin: "16px 0" });

const Table = styled("table")(({ theme }) => ({
  // Collapsed borders do not stick with the header: rows scrolling underneath would show beside it.
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
  // Row numbers stay visible when scrolling to the right.
  "& tr > th:first-of-type": { position: "sticky", left: 0, zIndex: 1 },
  "& thead th:first-of-type": { zIndex: 2 },
}));

type Props = {
  /** Company whose list entries are offered. */
  realmId: string;
  cells: Cells;
  faults: Faults;
  onChange: (cell: Cell, text: string) => void;
  onPaste: (cell: Cell, text: string) => void;
};

/** A grid of text boxes for typed text and for cells pasted from a spreadsheet. */
export function Grid({ realmId, cells, faults, onChange, onPaste }: Props) {
  const { choices, search } = useNameChoices(realmId);
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Scrolls the first wrong cell into view; focus stays.
    if (faults.size > 0)
      scroll.current
        ?.querySelector("[aria-invalid='true']")
        ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [faults]);
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const next = nextCell(event);
    if (next && focusCell(event.currentTarget, next)) event.preventDefault();
  };
  const paste = (event: ClipboardEvent<HTMLTableElement>) => {
    const cell = findCell(event.target);
    const text = event.clipboardData.getData("text/plain");
    // A single value is pasted at the caret, as in any text box.
    if (!cell || !/[\t\r\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    onPaste(cell, text);
  };
  const input = (event: FormEvent<HTMLTableElement>) => {
    const cell = findCell(event.target);
    if (cell) search(cell, (event.target as HTMLInputElement).value);
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

/** Widths in pixels: the widest page shows all columns. */
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
  // Space for the headers and row numbers, which stay visible.
  scrollMargin: "44px 8px 8px 64px",
  "&[aria-invalid='true']": {
    ...toned(theme, "red"),
    boxShadow: "inset 0 -3px 0 currentColor",
    // Forced colors remove shadows and fills.
    "@media (forced-colors: active)": { borderBottom: "3px solid" },
  },
}));

type RowProps = {
  row: number;
  cells: readonly string[];
  /** Problems of the grid; a cell shows its problem until its text is changed. */
  faults: Faults;
  onChange: (cell: Cell, text: string) => void;
};

/** A row of the grid with a text box for each column. */
const GridRow = memo(function GridRow({ row, cells, faults, onChange }: RowProps) {
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
              list={findKind(column) && CHOICES}
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

/** Id of the hidden sentence that screen readers read with a cell. */
const faultId = (row: number, column: number) => `fault-${row}-${column}`;

/** Columns that name an entry of QuickBooks. */
const KINDS: Partial<Record<(typeof HEADERS)[number], ListKind>> = {
  Customer: "customer",
  Terms: "term",
  Item: "item",
};

const findKind = (column: number): ListKind | undefined => {
  const header = HEADERS[column];
  return header && KINDS[header];
};

/** Id of the list of choices, which belongs to the cell typed into last. */
const CHOICES = "typed-name-choices";

/**
 * Entries of QuickBooks whose name contains the last typed text, offered in the browser's own list of
 * choices.
 */
function useNameChoices(realmId: string) {
  const [kind, setKind] = useState<ListKind>("customer");
  const [, setText, text] = useSearch();
  const { data } = useQuery(listSearchQuery({ realmId, kind, text }));
  const search = ({ column }: Cell, typed: string) => {
    const next = findKind(column);
    if (next) setKind(next);
    setText(next ? typed : "");
  };
  const entries = text === "" ? [] : (data?.entries ?? []);
  const choices = (
    <datalist id={CHOICES}>
      {entries.map(({ id, name }) => (
        <option key={id} value={name}>
          {name}
        </option>
      ))}
    </datalist>
  );
  return { choices, search };
}
