import type { UploadResult } from "#features/invoices/contract.ts";
import { keyOf, ResultRow } from "#features/invoices/web/results/result-row.tsx";
import { WindowedRows } from "#features/invoices/web/results/windowed-rows.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { usePrinting } from "#web/kit/use-printing.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { styled } from "@mui/material/styles";

const words = uploadWords.results;

/** More rows than this are drawn only where they are seen; on paper all are. */
export const WINDOW_FROM = 200;

/** The column heads share the grid of the rows; on narrow screens rows are stacked and need no heads. */
const Head = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "8rem 14rem minmax(0, 1fr)",
  gap: 12,
  padding: "8px 12px 8px 16px",
  fontWeight: 700,
  [theme.breakpoints.down("sm")]: visuallyHidden,
}));

/** Row range, status and message of each entry. `aria-rowcount` counts the head too. */
export function ResultTable({ rows, label }: { rows: readonly UploadResult[]; label: string }) {
  const isPrinting = usePrinting();
  return (
    <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <Head role="row" aria-rowindex={1}>
          <span role="columnheader">{words.rows}</span>
          <span role="columnheader">{words.status}</span>
          <span role="columnheader">{words.message}</span>
        </Head>
      </div>
      {rows.length > WINDOW_FROM && !isPrinting ? (
        <WindowedRows rows={rows} label={label} />
      ) : (
        <div role="rowgroup">
          {rows.map((row, index) => (
            <ResultRow key={keyOf(row)} entry={row} rowIndex={index + 2} />
          ))}
        </div>
      )}
    </div>
  );
}
