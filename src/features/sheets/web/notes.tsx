import type { ProblemGroup } from "#features/sheets/contract.ts";
import { ProblemList } from "#features/sheets/web/problem-list.tsx";
import { notesWords as words } from "#features/sheets/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";

/** Notes that change money, dates or names come first, in amber. */
const CHANGES: ReadonlySet<string> = new Set([
  "charge_billed_once",
  "date_far_away",
  "date_from_number",
  "date_order",
  "due_before_invoice",
  "exchange_rate_not_sent",
  "lines_apart",
  "money_ignored",
  "number_alike",
  "number_from_percent",
  "qty_derived",
  "rate_derived",
  "rate_from_books",
]);

/** Notes by which a user finds that something is missing, or there twice: always shown. */
const OPEN: ReadonlySet<string> = new Set(["cartons_missing", "rows_equal"]);

/** Remarks on a file, nearly all in one collapsed line; none of them blocks anything. */
export function Notes({ groups }: { groups: readonly ProblemGroup[] }) {
  const {
    open = [],
    amber = [],
    blue = [],
  } = Object.groupBy(groups, ({ code }) => (OPEN.has(code) ? "open" : CHANGES.has(code) ? "amber" : "blue"));
  return (
    <>
      {open.length > 0 ? <ProblemList tone="amber" groups={open} /> : null}
      {amber.length + blue.length > 0 ? (
        <Disclosure title={words.title(amber.length + blue.length)} variant="text">
          {amber.length > 0 ? <ProblemList tone="amber" groups={amber} /> : null}
          {blue.length > 0 ? <ProblemList tone="blue" groups={blue} /> : null}
        </Disclosure>
      ) : null}
    </>
  );
}
