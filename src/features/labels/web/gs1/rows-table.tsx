import { reviewWords } from "#features/labels/web/gs1/words.ts";
import type { LabelReview, LabelReviewRow } from "#features/labels/contract.ts";
import { type RecordColumn, type RecordFilter, RecordTable } from "#features/sheets/web/index.ts";
import { Card } from "#web/kit/card.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { formatCount } from "#web/kit/format.ts";

const words = reviewWords;
const { heads, filters, states } = words;

/** Rows of a file as they would become labels; each opens to its problems. */
export function RowsTable({ review }: { review: LabelReview }) {
  const errors = Map.groupBy(review.errors, ({ row }) => row);
  return (
    <Card label={words.rows}>
      <RecordTable
        title={words.rows}
        label={words.rowsIn(review.filename)}
        searchLabel={words.search}
        rows={review.rows}
        columns={COLUMNS}
        filters={FILTERS}
        rowKey={({ row }) => row}
        openLabel={({ row }) => words.problemsIn(row)}
        rowTone={({ state }) => (state === "fix" ? "red" : null)}
        opened={({ row, labels, state }) => (
          <p style={{ margin: "0 0 12px 32px" }}>
            {state === "fix"
              ? words.above(errors.get(row)?.flatMap(({ cell }) => cell ?? []) ?? [])
              : words.makes(labels)}
          </p>
        )}
      />
    </Card>
  );
}

const COLUMNS: RecordColumn<LabelReviewRow>[] = [
  { head: heads.row, text: ({ row }) => formatCount(row), order: ({ row }) => row },
  { head: heads.order, text: ({ po_number: po }) => po, isSearched: true },
  { head: heads.shipTo, text: ({ ship_to: shipTo }) => shipTo, isSearched: true },
  { head: heads.store, text: ({ mark_for: markFor }) => markFor, isSearched: true },
  {
    head: heads.labels,
    isNumber: true,
    phone: "first",
    text: ({ labels }) => formatCount(labels),
    order: ({ labels }) => labels,
  },
  {
    head: heads.state,
    text: ({ state }) => states[state],
    cell: ({ state }) => <Chip tone={state === "fix" ? "red" : "ok"}>{states[state]}</Chip>,
  },
];

const FILTERS: RecordFilter<LabelReviewRow>[] = [
  { name: filters.all, holds: () => true },
  { name: filters.ready, holds: ({ state }) => state === "ready" },
  { name: filters.fix, holds: ({ state }) => state === "fix" },
];
