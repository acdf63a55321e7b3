import type { ReactNode } from "react";

/** One column of a table of records. */
export type RecordColumn<Row> = {
  head: string;
  /** Cell text; `order` replaces it as the sort key. */
  text: (row: Row) => string;
  order?: (row: Row) => number;
  /** Included in the search. */
  isSearched?: true;
  /** Right-aligned. */
  isNumber?: true;
  /** On narrow screens: shown beside the first cell, or hidden. */
  phone?: "first" | "none";
  /** Shown instead of the text. `open` expands the record. */
  cell?: (row: Row, open: () => void) => ReactNode;
};

/** Named filter of the records. */
export type RecordFilter<Row> = { name: string; holds: (row: Row) => boolean };

export type RecordOrder = { head: string; isDown: boolean };
/** Filter, search and order of the records. */
export type RecordView = { filter: string; text: string; order: RecordOrder | null };

type RecordQuery<Row> = {
  columns: readonly RecordColumn<Row>[];
  filters: readonly RecordFilter<Row>[];
  view: RecordView;
};

/** Records of a view, in its order. */
export function selectRecords<Row>(
  rows: readonly Row[],
  { columns, filters, view }: RecordQuery<Row>,
): readonly Row[] {
  const holds = filters.find(({ name }) => name === view.filter)?.holds;
  return sorted(matching(rows, { columns, holds, text: view.text }), columns, view.order);
}

function matching<Row>(
  rows: readonly Row[],
  {
    columns,
    holds,
    text,
  }: { columns: readonly RecordColumn<Row>[]; holds: ((row: Row) => boolean) | undefined; text: string },
): readonly Row[] {
  const searchFor = text.trim().toLowerCase();
  const chosen = holds ? rows.filter(holds) : rows;
  if (searchFor === "") return chosen;
  const searched = columns.filter(({ isSearched }) => isSearched);
  return chosen.filter((row) =>
    searched.some(({ text: read }) => read(row).toLowerCase().includes(searchFor)),
  );
}

const byText = new Intl.Collator(undefined, { numeric: true });

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly RecordColumn<Row>[],
  order: RecordOrder | null,
): readonly Row[] {
  const column = order && columns.find(({ head }) => head === order.head);
  if (!column) return rows;
  const compare = (a: Row, b: Row) =>
    column.order ? column.order(a) - column.order(b) : byText.compare(column.text(a), column.text(b));
  return rows.toSorted((a, b) => (order.isDown ? compare(b, a) : compare(a, b)));
}
