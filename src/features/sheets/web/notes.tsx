import type { ProblemGroup } from "#features/sheets/contract.ts";
import { notesWords as words, wrongWords as problemWords } from "#features/sheets/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { tonedRow } from "#web/theme/tone.ts";
import { styled } from "@mui/material/styles";

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
  "year_last",
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

const List = styled("ul", { shouldForwardProp: (name) => name !== "tone" })<{ tone: Tone }>(
  ({ theme, tone }) => ({
    listStyle: "none",
    margin: "16px 0",
    padding: 0,
    "& > li": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "baseline",
      justifyContent: "space-between",
      columnGap: 24,
      padding: "10px 16px",
      ...tonedRow(theme, tone),
    },
  }),
);

/** Problems by cause with their places in the sheet, in the colors of the results. */
function ProblemList({ tone, groups }: { tone: Tone; groups: readonly ProblemGroup[] }) {
  return (
    <List tone={tone}>
      {groups.map((group) => (
        <li key={`${group.code} ${group.column} ${group.text}`}>
          <span style={{ flex: "1 1 20rem", minWidth: 0, whiteSpace: "pre-line" }}>{group.text}</span>
          <small style={{ minWidth: 0 }}>{formatPlace(group)}</small>
        </li>
      ))}
    </List>
  );
}

/** Formats a place in the sheet: a cell, or a column with its rows. */
function formatPlace({ count, column, rows }: ProblemGroup): string {
  if (count === 1) return column ? problemWords.cell(`${column}${rows}`) : problemWords.inRows(rows);
  return problemWords.group(count, column, rows);
}
