import { ExpandButton, Scroll, Table } from "#features/sheets/web/record-table-styles.ts";
import {
  type RecordColumn,
  type RecordFilter,
  type RecordOrder,
  type RecordView,
  selectRecords,
} from "#features/sheets/web/rules-records.ts";
import { recordsWords as words } from "#features/sheets/web/words.ts";
import { Filters } from "#web/kit/filters.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { SectionHead } from "#web/kit/card.tsx";
import { useVisibleRows } from "#web/kit/use-visible-rows.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Tone } from "#web/theme/colors.ts";
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from "lucide-react";
import {
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

type Props<Row> = {
  /** Heading, with the filters beside it. */
  title: string;
  label: string;
  /** "Customer or number" */
  searchLabel: string;
  rows: readonly Row[];
  columns: readonly RecordColumn<Row>[];
  filters: readonly RecordFilter<Row>[];
  rowKey: (row: Row) => number | string;
  /** Label of the button that opens a record: "Lines of M-2001". */
  openLabel: (row: Row) => string;
  opened: (row: Row) => ReactNode;
  /** Color of the line at the left; null for normal records. */
  rowTone?: (row: Row) => Tone | null;
  /** Element id, for links. */
  at?: string;
  /** Search started elsewhere on the page; replaces the current filter and search. */
  searchFor?: { text: string } | null;
};

/**
 * Table of a sheet's records under review with search, filters and sorting; each record expands to its details. Renders
 * only visible rows. Sorting and filtering are two array functions, too little for a table library.
 */
export function RecordTable<Row>(props: Props<Row>) {
  const { rows, columns, filters, searchLabel, title, label, searchFor, at } = props;
  const [view, setView] = useState<RecordView>({ filter: filters[0]?.name ?? "", text: "", order: null });
  const [answered, setAnswered] = useState(searchFor);
  if (searchFor && answered !== searchFor) {
    setAnswered(searchFor);
    setView({ ...view, filter: filters[0]?.name ?? "", text: searchFor.text });
  }
  const [openKeys, setOpenKeys] = useState<ReadonlySet<number | string>>(new Set());
  const open = useCallback(
    (key: number | string, isOpen: boolean) =>
      setOpenKeys((keys) => (isOpen ? new Set([...keys, key]) : without(keys, key))),
    [],
  );
  // The input updates at once; the rows follow at low priority.
  const wanted = useDeferredValue(view);
  const shown = useMemo(
    () => selectRecords(rows, { columns, filters, view: wanted }),
    [rows, columns, filters, wanted],
  );
  const sort = useCallback((order: RecordOrder) => setView((before) => ({ ...before, order })), []);
  const options = useMemo(
    () => filters.map(({ name, holds }) => ({ value: name, label: name, count: rows.filter(holds).length })),
    [filters, rows],
  );
  return (
    <div id={at}>
      <SectionHead
        title={title}
        actions={
          <Box
            sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1 }}
            data-print="never"
          >
            <Filters
              label={words.show}
              value={view.filter}
              // A filter that would show nothing is noise.
              options={options.filter(
                ({ value, count }, index) => index === 0 || count > 0 || value === view.filter,
              )}
              onChange={(filter) => setView({ ...view, filter })}
            />
            <SearchField
              label={searchLabel}
              placeholder={searchLabel}
              value={view.text}
              onChange={(text) => setView({ ...view, text })}
            />
          </Box>
        }
      />
      {shown.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Rows
          {...props}
          label={label}
          shown={shown}
          wanted={wanted}
          onOrder={sort}
          openKeys={openKeys}
          onOpen={open}
        />
      )}
    </div>
  );
}

const without = <T,>(set: ReadonlySet<T>, taken: T): ReadonlySet<T> =>
  new Set([...set].filter((each) => each !== taken));

const ESTIMATED_ROW_HEIGHT = 45;
/** Up to this many records need no scroll area. */
const SHORT = 50;

type RowsProps<Row> = Props<Row> & {
  shown: readonly Row[];
  wanted: RecordView;
  onOrder: (order: RecordOrder) => void;
  /** Kept here, because rows outside the view are not rendered. */
  openKeys: ReadonlySet<number | string>;
  onOpen: (key: number | string, isOpen: boolean) => void;
};

/** Renders again for other rows only, not for each keystroke of the search. */
const Rows = memo(AllRows) as typeof AllRows;

function AllRows<Row>({
  label,
  rows,
  shown,
  columns,
  rowKey,
  openLabel,
  opened,
  rowTone,
  wanted: { filter, text, order },
  onOrder,
  openKeys,
  onOpen,
}: RowsProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const visible = useVisibleRows({
    count: shown.length,
    scroll,
    estimatedHeight: ESTIMATED_ROW_HEIGHT,
    overscan: 5,
  });
  useLayoutEffect(() => {
    // Another filter or search starts at the top.
    if (scroll.current) scroll.current.scrollTop = 0;
  }, [filter, text]);
  return (
    <Scroll
      ref={scroll}
      role="region"
      aria-label={label}
      tabIndex={0}
      {...(rows.length <= SHORT ? { style: { maxHeight: "none" } } : {})}
    >
      <Table aria-label={label} aria-rowcount={shown.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.head} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <Spacer height={visible.above} />
        {visible.indexes.map((index) => {
          const row = shown[index];
          if (row === undefined) return null;
          const key = rowKey(row);
          return (
            <tbody key={key} ref={visible.measure} data-index={index} data-tone={rowTone?.(row) ?? undefined}>
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
        <Spacer height={visible.below} />
      </Table>
    </Scroll>
  );
}

/** Reserves the height of rows that are not rendered. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 ? (
    <tbody aria-hidden="true">
      <tr style={{ height, padding: 0 }} />
    </tbody>
  ) : null;

type HeadProps<Row> = {
  column: RecordColumn<Row>;
  order: RecordOrder | null;
  onOrder: (order: RecordOrder) => void;
};

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
        sx={{
          minWidth: 24,
          px: 0,
          fontSize: "0.8125rem",
          color: "text.caption",
          "@media (forced-colors: active)": { border: 0 },
        }}
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
  const open = () => onOpen(true);
  return (
    <>
      <tr className="record" aria-rowindex={index + 2}>
        <td>
          <ExpandButton
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={openLabel(row)}
            onClick={() => onOpen(!isOpen)}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
          </ExpandButton>
          <strong>{first.cell?.(row, open) ?? first.text(row)}</strong>
        </td>
        {others.map(({ head, text, cell, isNumber, phone }) => (
          <td key={head} className={isNumber ? "number" : undefined} data-phone={phone}>
            {cell?.(row, open) ?? text(row)}
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
