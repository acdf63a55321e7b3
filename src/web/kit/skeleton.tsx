import { useShownBusy } from "#web/kit/spinner.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { keyframes, styled } from "@mui/material/styles";
import type { ReactNode } from "react";

const pulse = keyframes({ "50%": { opacity: 0.45 } });

const Line = styled("div")(({ theme }) => ({
  display: "grid",
  alignItems: "center",
  gap: 24,
  boxSizing: "border-box",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  "& > span": {
    height: 12,
    borderRadius: 3,
    backgroundColor: (theme.vars ?? theme).palette.divider,
    animation: `${pulse} 1.6s ease-in-out infinite`,
    "@media (prefers-reduced-motion: reduce)": { animation: "none" },
  },
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
 * while. Material UI's gray line would make Labels too heavy with its carrier tab, for the same.
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
                <span key={column} style={{ width: `${WIDTHS[(row + column) % WIDTHS.length]}%` }} />
              ))}
            </Line>
          ))}
        </>
      ) : null}
    </div>
  );
}
