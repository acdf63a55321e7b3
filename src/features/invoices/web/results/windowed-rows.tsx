import { ResultRow } from "#features/invoices/web/results/result-row.tsx";
import type { ResultGroup } from "#features/invoices/web/results/rules.ts";
import { styled } from "@mui/material/styles";
import { useVisibleRows } from "#web/kit/use-visible-rows.ts";
import { useRef } from "react";

const ESTIMATED_ROW_HEIGHT = 44;

const Scroll = styled("div")(({ theme }) => ({
  height: "min(60vh, 560px)",
  overflow: "auto",
  border: "1px solid",
  borderColor: (theme.vars ?? theme).palette.divider,
}));

/** Renders only visible rows. The region also scrolls by keyboard. */
export function WindowedRows({ rows, label }: { rows: readonly ResultGroup[]; label: string }) {
  const scroll = useRef<HTMLDivElement>(null);
  const { indexes, above, below, measure } = useVisibleRows({
    count: rows.length,
    scroll,
    estimatedHeight: ESTIMATED_ROW_HEIGHT,
    overscan: 3,
  });
  return (
    <Scroll ref={scroll} role="rowgroup" tabIndex={0} aria-label={label}>
      <div role="presentation" style={{ paddingTop: above, paddingBottom: below }}>
        {indexes.map((index) => {
          const row = rows[index];
          return row ? (
            <div key={row.key} ref={measure} data-index={index} role="presentation">
              <ResultRow entry={row} rowIndex={index + 2} />
            </div>
          ) : null;
        })}
      </div>
    </Scroll>
  );
}
