import { formatZoned } from "#web/kit/format.ts";
import type { ListName, ListRow } from "#features/admin/lists/contract.ts";

export type Column<Row> = {
  head: string;
  cell: (row: Row) => string;
  /** Second line, in small type. */
  note?: (row: Row) => string;
  /** Address to which its first line leads. */
  to?: (row: Row) => string;
  /** Whether it stays on one line. */
  isShort?: boolean;
  /** Its done part, from 0 to 1, drawn as a bar. */
  share?: (row: Row) => number;
};

/** A change of one row; the operator gives the reason. */
export type RowAction<Row = ListRow> = {
  label: string;
  /** Text of the question, with what follows from it. */
  question: (row: Row) => string;
  isOffered: (row: Row) => boolean;
  change: (row: Row, reason: string) => Promise<unknown>;
  /** Whether it ends something that the company depends on: it is shown apart, in red. */
  isDestructive?: boolean;
};

export type ListView<Row = ListRow> = {
  columns: readonly Column<Row>[];
  actions: readonly RowAction<Row>[];
  /** Color of the rule at a row's left edge. A list with it is one of entries: on a phone they have no labels. */
  tone?: (row: Row) => "amber" | "red" | undefined;
};

export const view = <L extends ListName>(_list: L, shown: Partial<ListView<ListRow<L>>>): ListView =>
  // Each page gives its view only rows of its own list.
  ({ columns: [], actions: [], ...shown }) as unknown as ListView;

export const NONE = "–";

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A code as words: "in_doubt" as "In doubt". */
export const words = (code: string | null) => (code ? capitalize(code.replaceAll("_", " ")) : NONE);

/** @param iso ISO 8601 time; null shows a dash */
export const showTime = (iso: string | null): string => (iso === null ? NONE : formatZoned(iso));

export const time = <Row>(head: string, at: (row: Row) => string | null): Column<Row> => ({
  head,
  cell: (row) => showTime(at(row)),
  isShort: true,
});

export const company: Column<{ company: string; realm_id: string }> = {
  head: "Company",
  cell: (row) => row.company || row.realm_id || "System",
};
