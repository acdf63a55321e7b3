import type { UploadResult } from "#features/invoices/contract.ts";
import { keyOf, RESULT_COLUMNS, ResultRow } from "#features/invoices/web/results/result-row.tsx";
import { groupResults, type ResultGroup } from "#features/invoices/web/results/rules-groups.ts";
import { LazyWindowedRows } from "#features/invoices/web/results/lazy-windowed-rows.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { usePrinting } from "#web/kit/use-media.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { useMemo } from "react";

const words = uploadWords.results;

/** More rows than this are drawn only where they are seen; on paper all are. */
export const WINDOW_FROM = 200;

/** The column heads share the grid of the rows; on narrow screens rows are stacked and need no heads. */
const Head = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: RESULT_COLUMNS,
  columnGap: 12,
  padding: "6px 12px 6px 16px",
  ...typeScale.caption,
  fontWeight: 700,
  color: (theme.vars ?? theme).palette.text.caption,
  [theme.breakpoints.down("sm")]: visuallyHidden,
}));

type Props = { rows: readonly UploadResult[]; label: string };

/** Row range, status and message of each result, equal causes together; remarks on the file in a fold of their own. */
export function ResultTable({ rows, label }: Props) {
  const { groups, notes } = useMemo(() => groupResults(rows), [rows]);
  return (
    <>
      {groups.length > 0 ? <Groups groups={groups} label={label} /> : null}
      {notes.length > 0 ? (
        <Disclosure title={words.notes(notes.length)} my={0.5} variant="text">
          <Groups groups={notes} label={words.notesOf(label)} />
        </Disclosure>
      ) : null}
    </>
  );
}

/** `aria-rowcount` counts the head too. */
function Groups({ groups, label }: { groups: readonly ResultGroup[]; label: string }) {
  const isPrinting = usePrinting();
  return (
    <div role="table" aria-label={label} aria-rowcount={groups.length + 1}>
      <div role="rowgroup">
        <Head role="row" aria-rowindex={1}>
          <span role="columnheader">{words.rows}</span>
          <span role="columnheader">{words.status}</span>
          <span role="columnheader">{words.message}</span>
        </Head>
      </div>
      {groups.length > WINDOW_FROM && !isPrinting ? (
        <LazyWindowedRows rows={groups} label={label} />
      ) : (
        <div role="rowgroup">
          {groups.map((row, index) => (
            <ResultRow key={keyOf(row)} entry={row} rowIndex={index + 2} />
          ))}
        </div>
      )}
    </div>
  );
}
