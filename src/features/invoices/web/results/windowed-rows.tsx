import { ResultRow } from "#features/invoices/web/results/result-row.tsx";
import type { ResultGroup } from "#features/invoices/web/results/rules.ts";
import { styled } from "@mui/material/styles";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef } from "react";

const ROW_HEIGHT_GUESS = 44;

const Scroll = styled("div")(({ theme }) => ({
  height: "min(60vh, 560px)",
  overflow: "auto",
  border: "1px solid",
  borderColor: (theme.vars ?? theme).palette.divider,
}));

/** Renders only visible rows. The region also scrolls by keyboard. */
export function WindowedRows({ rows, label }: { rows: readonly ResultGroup[]; label: string }) {
  const scroll = useRef<HTMLDivElement>(null);
  // A function of its own for each render would have all rows measured again.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  // oxlint-disable-next-line react/incompatible-library -- the compiler may skip this component: its rows are memoized
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT_GUESS,
    getItemKey,
    overscan: 3,
  });
  return (
    <Scroll ref={scroll} role="rowgroup" tabIndex={0} aria-label={label}>
      <div role="presentation" style={{ position: "relative", height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row ? (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              role="presentation"
              style={{
                position: "absolute",
                top: 0,
                left: 0,
                width: "100%",
                transform: `translateY(${item.start}px)`,
              }}
            >
              <ResultRow entry={row} rowIndex={item.index + 2} />
            </div>
          ) : null;
        })}
      </div>
    </Scroll>
  );
}
