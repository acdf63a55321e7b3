import { useShownBusy } from "#web/kit/spinner.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import MuiSkeleton from "@mui/material/Skeleton";
import { styled } from "@mui/material/styles";
import type { ReactNode } from "react";

const Line = styled("div")(({ theme }) => ({
  display: "grid",
  alignItems: "center",
  gap: 24,
  boxSizing: "border-box",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}));

/** Widths in percent, varied like real text. */
const WIDTHS = [72, 56, 84, 60] as const;

type Props = {
  isBusy: boolean;
  label: string;
  /** Rows and columns of the expected content, so that nothing moves when it loads. */
  rows?: number;
  columns?: number;
  /** Height of a row in px. */
  height?: number;
  children?: ReactNode;
};

/**
 * Placeholder of a loading list: reserves the height at once, but shows gray lines only if the answer takes a
 * while.
 */
export function Skeleton({ isBusy, label, rows = 4, columns = 4, height = 47, children }: Props) {
  const isShown = useShownBusy(isBusy);
  if (!isBusy && !isShown) return children;
  return (
    <div aria-busy="true" style={{ height: rows * height }}>
      {isShown ? (
        <>
          <div role="progressbar" aria-label={label} style={visuallyHidden} />
          {Array.from({ length: rows }, (_, row) => (
            <Line
              key={row}
              data-skeleton
              aria-hidden="true"
              style={{ height, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {Array.from({ length: columns }, (_unused, column) => (
                <MuiSkeleton
                  key={column}
                  variant="rounded"
                  height={12}
                  width={`${WIDTHS[(row + column) % WIDTHS.length]}%`}
                />
              ))}
            </Line>
          ))}
        </>
      ) : null}
    </div>
  );
}
