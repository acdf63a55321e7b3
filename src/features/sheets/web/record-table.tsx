import { recordsWords as words } from "#features/sheets/web/words.ts";
import { formatCount } from "#web/kit/format.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from "react";

/** One column of a table of records. */
export type RecordColumn<Row> = {
  head: string;
  /** What is in the cell; `order` sorts instead of it where that is not its text. */
  text: (row: Row) => string;
  order?: (row: Row) => number;
  /** Figures stand at the right. */
  isNumber?: true;
  /** Shown instead of the text. */
  cell?: (row: Row) => ReactNode;
};

/** A choice of the records that are shown. */
export type RecordFilter<Row> = { name: string; holds: (row: Row) => boolean };

type Props<Row> = {
  label: string;
  /** What is searched for, "Customer or number". */
  searchLabel: string;
  rows: readonly Row[];
  columns: readonly RecordColumn<Row>[];
  filters: readonly RecordFilter<Row>[];
  keyOf: (row: Row) => number | string;
  /** Says which record a button opens: "Lines of M-2001". */
  openLabel: (row: Row) => string;
  opened: (row: Row) => ReactNode;
};

type Order = { head: string; isDown: boolean };

/**
 * Records of a sheet of any kind before they are used: searched, filtered, sorted, each opening to more of it. Only those
 * in view are drawn. Sorting and filtering are two array functions; a table library would be more than they are.
 */
export function RecordTable<Row>(props: Props<Row>) {
  const { rows, columns, filters, searchLabel, label } = props;
  const [filter, setFilter] = useState(0);
  const [text, setText] = useState("");
  const [order, setOrder] = useState<Order | null>(null);
  const wanted = useDeferredValue(text);
  const shown = useMemo(
    () => sorted(matching(rows, { columns, holds: filters[filter]?.holds, text: wanted }), columns, order),
    [rows, columns, filters, filter, wanted, order],
  );
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "end", gap: 2, mb: 1.5 }} data-print="never">
        <Box
          role="group"
          aria-label={words.show}
          sx={{ display: "flex", flexWrap: "wrap", gap: 1, flex: "1 1 auto" }}
        >
          {filters.map(({ name, holds }, place) => (
            <Filter
              key={name}
              name={name}
              count={rows.filter(holds).length}
              isChosen={place === filter}
              onChoose={() => setFilter(place)}
            />
          ))}
        </Box>
        <TextInput
          label={searchLabel}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Box>
      {shown.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Rows
          {...props}
          key={`${filter} ${wanted}`}
          label={label}
          shown={shown}
          order={order}
          onOrder={setOrder}
        />
      )}
    </>
  );
}

function matching<Row>(
  rows: readonly Row[],
  {
    columns,
    holds,
    text,
  }: { columns: readonly RecordColumn<Row>[]; holds: ((row: Row) => boolean) | undefined; text: string },
): readonly Row[] {
  const sought = text.trim().toLowerCase();
  const chosen = holds ? rows.filter(holds) : rows;
  if (sought === "") return chosen;
  return chosen.filter((row) => columns.some((column) => column.text(row).toLowerCase().includes(sought)));
}

const byText = new Intl.Collator(undefined, { numeric: true });

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly RecordColumn<Row>[],
  order: Order | null,
): readonly Row[] {
  const column = order && columns.find(({ head }) => head === order.head);
  if (!column) return rows;
  const compare = (a: Row, b: Row) =>
    column.order ? column.order(a) - column.order(b) : byText.compare(column.text(a), column.text(b));
  return rows.toSorted((a, b) => (order.isDown ? compare(b, a) : compare(a, b)));
}

type FilterProps = { name: string; count: number; isChosen: boolean; onChoose: () => void };

function Filter({ name, count, isChosen, onChoose }: FilterProps) {
  return (
    <Button
      color="inherit"
      aria-pressed={isChosen}
      onClick={onChoose}
      sx={{ px: 1, borderRadius: 0, borderBottom: 2, borderColor: isChosen ? "text.primary" : "transparent" }}
    >
      {name}
      <Box component="span" sx={{ ml: 0.75, fontWeight: 400, color: "text.secondary" }}>
        {formatCount(count)}
      </Box>
    </Button>
  );
}

const ROW_HEIGHT_GUESS = 45;

const Scroll = styled("div")({ overflow: "auto", maxHeight: "70vh", "@media print": { maxHeight: "none" } });

const Table = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    borderCollapse: "collapse",
    width: "100%",
    fontSize: "0.875rem",
    lineHeight: "20px",
    fontVariantNumeric: "tabular-nums lining-nums",
    "& th, & td": { padding: "12px 24px 12px 0", textAlign: "left", verticalAlign: "baseline" },
    "& .number": { textAlign: "right" },
    "& thead th": {
      position: "sticky",
      top: 0,
      zIndex: 1,
      padding: "0 24px 0 0",
      backgroundColor: palette.background.paper,
      boxShadow: `inset 0 -1px ${palette.divider}`,
    },
    "& tbody tr:first-of-type > td": { borderBottom: `1px solid ${palette.divider}` },
    "@media (hover: hover)": { "& tbody tr.record:hover": { backgroundColor: palette.action.hover } },
    [theme.breakpoints.down("md")]: {
      "&, & tbody": { display: "block" },
      "& thead": { display: "block" },
      "& thead tr": { display: "flex", flexWrap: "wrap" },
      "& tbody tr": {
        display: "grid",
        gridTemplateColumns: "1fr auto",
        columnGap: "16px",
        rowGap: "4px",
        padding: "12px 0",
        borderBottom: `1px solid ${palette.divider}`,
      },
      "& tbody tr:first-of-type > td, & tbody td": { padding: 0, border: 0 },
      "& tbody .opened": { gridColumn: "1 / -1" },
    },
  };
});

type RowsProps<Row> = Props<Row> & {
  shown: readonly Row[];
  order: Order | null;
  onOrder: (order: Order) => void;
};

function Rows<Row>({ label, shown, columns, keyOf, openLabel, opened, order, onOrder }: RowsProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler may leave this one alone: it draws what is in view
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT_GUESS,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Scroll ref={scroll} role="region" aria-label={label} tabIndex={0}>
      <Table aria-label={label} aria-rowcount={shown.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.head} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <Room height={items[0]?.start ?? 0} />
        {items.map(({ index }) => {
          const row = shown[index];
          return row === undefined ? null : (
            <tbody key={keyOf(row)} ref={virtualizer.measureElement} data-index={index}>
              <Record columns={columns} row={row} index={index} openLabel={openLabel} opened={opened} />
            </tbody>
          );
        })}
        <Room height={below} />
      </Table>
    </Scroll>
  );
}

/** Holds the room of the rows that are not drawn. */
const Room = ({ height }: { height: number }) =>
  height > 0 ? (
    <tbody aria-hidden="true">
      <tr style={{ height, padding: 0 }} />
    </tbody>
  ) : null;

type HeadProps<Row> = { column: RecordColumn<Row>; order: Order | null; onOrder: (order: Order) => void };

function Head<Row>({ column: { head, isNumber }, order, onOrder }: HeadProps<Row>) {
  const isBy = order?.head === head;
  const isDown = isBy && order.isDown;
  return (
    <th
      scope="col"
      className={isNumber ? "number" : undefined}
      {...(isBy ? { "aria-sort": isDown ? "descending" : "ascending" } : {})}
    >
      <Button
        color="inherit"
        onClick={() => onOrder({ head, isDown: isBy && !isDown })}
        sx={{ minWidth: 0, px: 0, fontSize: "0.8125rem", fontWeight: 400, color: "text.secondary" }}
      >
        {head}
        <span aria-hidden="true" style={{ width: "1em" }}>
          {isBy ? (isDown ? "↓" : "↑") : ""}
        </span>
      </Button>
    </th>
  );
}

type RecordProps<Row> = Pick<Props<Row>, "columns" | "openLabel" | "opened"> & { row: Row; index: number };

function Record<Row>({ columns, row, index, openLabel, opened }: RecordProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const [first, ...others] = columns;
  if (!first) return null;
  return (
    <>
      <tr className="record" aria-rowindex={index + 2}>
        <td>
          <Button
            color="inherit"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={openLabel(row)}
            onClick={() => setOpen(!isOpen)}
            sx={{ minWidth: 24, minHeight: 24, p: 0, mr: 1 }}
          >
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          </Button>
          <strong>{first.cell?.(row) ?? first.text(row)}</strong>
        </td>
        {others.map(({ head, text, cell, isNumber }) => (
          <td key={head} className={isNumber ? "number" : undefined}>
            {cell?.(row) ?? text(row)}
          </td>
        ))}
      </tr>
      {isOpen ? (
        <tr id={id}>
          <td className="opened" colSpan={columns.length}>
            {opened(row)}
          </td>
        </tr>
      ) : null}
    </>
  );
}
