import { Scroll, Table } from "#features/sheets/web/record-table-look.ts";
import { recordsWords as words } from "#features/sheets/web/words.ts";
import { Filters } from "#web/kit/filters.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Tone } from "#web/theme/colors.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from "react";

/** One column of a table of records. */
export type RecordColumn<Row> = {
  head: string;
  /** What is in the cell; `order` sorts instead of it where that is not its text. */
  text: (row: Row) => string;
  order?: (row: Row) => number;
  /** Figures stand at the right. */
  isNumber?: true;
  /** On narrow screens a row is stacked: what goes beside its first cell there, and what is left out. */
  phone?: "first" | "none";
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
  /** Of the rule at the left of an exception; the normal case has none. */
  toneOf?: (row: Row) => Tone | null;
};

type Order = { head: string; isDown: boolean };

/**
 * Records of a sheet of any kind before they are used: searched, filtered, sorted, each opening to more of it. Only those
 * in view are drawn. Sorting and filtering are two array functions; a table library would be more than they are.
 */
export function RecordTable<Row>(props: Props<Row>) {
  const { rows, columns, filters, searchLabel, label } = props;
  const [filter, setFilter] = useState(filters[0]?.name ?? "");
  const [text, setText] = useState("");
  const [order, setOrder] = useState<Order | null>(null);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<number | string>>(new Set());
  const wanted = useDeferredValue(text);
  const shown = useMemo(
    () =>
      sorted(
        matching(rows, { columns, holds: filters.find(({ name }) => name === filter)?.holds, text: wanted }),
        columns,
        order,
      ),
    [rows, columns, filters, filter, wanted, order],
  );
  return (
    <>
      <Box
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 4, rowGap: 1, mb: 1.5 }}
        data-print="never"
      >
        <Box sx={{ flex: "1 1 auto" }}>
          <Filters
            label={words.show}
            value={filter}
            options={filters.map(({ name, holds }) => ({
              value: name,
              label: name,
              count: rows.filter(holds).length,
            }))}
            onChange={setFilter}
          />
        </Box>
        <TextInput
          label={searchLabel}
          labelAt="hidden"
          placeholder={searchLabel}
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
          openKeys={openKeys}
          onOpen={(key, isOpen) => setOpenKeys(isOpen ? new Set([...openKeys, key]) : without(openKeys, key))}
        />
      )}
    </>
  );
}

const without = <T,>(set: ReadonlySet<T>, taken: T): ReadonlySet<T> =>
  new Set([...set].filter((each) => each !== taken));

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

const ROW_HEIGHT_GUESS = 45;

type RowsProps<Row> = Props<Row> & {
  shown: readonly Row[];
  order: Order | null;
  onOrder: (order: Order) => void;
  /** Kept here, since a row that is scrolled out of view is no longer drawn. */
  openKeys: ReadonlySet<number | string>;
  onOpen: (key: number | string, isOpen: boolean) => void;
};

function Rows<Row>({
  label,
  shown,
  columns,
  keyOf,
  openLabel,
  opened,
  toneOf,
  order,
  onOrder,
  openKeys,
  onOpen,
}: RowsProps<Row>) {
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
          if (row === undefined) return null;
          const key = keyOf(row);
          return (
            <tbody
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-tone={toneOf?.(row) ?? undefined}
            >
              <Record
                columns={columns}
                row={row}
                index={index}
                openLabel={openLabel}
                opened={opened}
                isOpen={openKeys.has(key)}
                onOpen={(isOpen) => onOpen(key, isOpen)}
              />
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
        sx={{ minWidth: 24, px: 0, fontSize: "0.8125rem", fontWeight: 400, color: "text.secondary" }}
      >
        {head}
        {isBy ? <Icon of={isDown ? ArrowDown : ArrowUp} size={13} /> : null}
      </Button>
    </th>
  );
}

type RecordProps<Row> = Pick<Props<Row>, "columns" | "openLabel" | "opened"> & {
  row: Row;
  index: number;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
};

function Record<Row>({ columns, row, index, openLabel, opened, isOpen, onOpen }: RecordProps<Row>) {
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
            onClick={() => onOpen(!isOpen)}
            sx={{ minWidth: 24, minHeight: 24, p: 0, mr: 1 }}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
          </Button>
          <strong>{first.cell?.(row) ?? first.text(row)}</strong>
        </td>
        {others.map(({ head, text, cell, isNumber, phone }) => (
          <td key={head} className={isNumber ? "number" : undefined} data-phone={phone}>
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
