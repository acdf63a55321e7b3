import { formatPercent } from "#web/kit/format.ts";
import { type Progress, shownProgress } from "#web/kit/progress/progress.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";

const Track = styled("div")(({ theme }) => ({
  flex: 1,
  height: 6,
  borderRadius: 3,
  overflow: "hidden",
  backgroundColor: (theme.vars ?? theme).palette.status.green.fill,
  "@media (forced-colors: active)": { border: "1px solid" },
}));

const Fill = styled("div")(({ theme }) => ({
  height: "100%",
  backgroundColor: (theme.vars ?? theme).palette.secondary.main,
  transition: "width 180ms linear",
  "@media (prefers-reduced-motion: reduce)": { transition: "none" },
  "@media (forced-colors: active)": { backgroundColor: "Highlight" },
}));

/** Bar with its percentage; hidden while idle. */
export function ProgressBar({ progress, label }: { progress: Progress; label: string }) {
  return progress.phase === "idle" ? null : <PercentBar percent={shownProgress(progress)} label={label} />;
}

/** Bar with its percentage. @param percent 0 to 100 */
export function PercentBar({ percent, label }: { percent: number; label: string }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, my: 2 }}>
      <span aria-hidden="true" style={{ flexBasis: "100%", overflowWrap: "anywhere" }}>
        {label}
      </span>
      <Track
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(percent)}
      >
        <Fill style={{ width: `${percent}%` }} />
      </Track>
      <span
        aria-hidden="true"
        style={{ minWidth: "3.5em", textAlign: "right", fontVariantNumeric: "tabular-nums" }}
      >
        {formatPercent(percent)}
      </span>
    </Box>
  );
}
