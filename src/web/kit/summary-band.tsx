import { motion, typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import type { ReactNode } from "react";

const Band = styled("section")(({ theme }) => ({
  position: "relative",
  display: "flex",
  flexWrap: "wrap",
  marginTop: 24,
  borderTop: "1px solid",
  borderBottom: "1px solid",
  borderColor: (theme.vars ?? theme).palette.line.strong,
  backgroundColor: (theme.vars ?? theme).palette.background.default,
  [theme.breakpoints.up("md")]: { position: "sticky", top: 0, zIndex: 4 },
  "@media print": { position: "static" },
}));

const Figures = styled("dl")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  margin: 0,
  "& > div": {
    padding: "16px 32px 16px 0",
    marginRight: 32,
    borderRight: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  },
  "& > div:last-of-type": { borderRight: 0, marginRight: 0 },
  [theme.breakpoints.between("sm", "md")]: { "& > div": { paddingRight: 16, marginRight: 16 } },
  [theme.breakpoints.down("sm")]: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
    flexBasis: "100%",
    "& > div": { padding: "12px 0", margin: 0, borderRight: 0 },
    "& > div:nth-of-type(even)": {
      paddingLeft: 16,
      borderLeft: `1px solid ${(theme.vars ?? theme).palette.divider}`,
    },
    "& > div:nth-of-type(n + 3)": { borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  },
}));

const Term = styled("dt")(({ theme }) => ({
  display: "flex",
  alignItems: "center",
  gap: 6,
  ...typeScale.caption,
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const Value = styled("dd")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "baseline",
  columnGap: 10,
  margin: 0,
  ...typeScale.figure,
});

const Aside = styled("span")(({ theme }) => ({
  ...typeScale.table,
  fontWeight: 400,
  letterSpacing: 0,
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const Mark = styled("span")({
  flex: "none",
  width: 8,
  height: 8,
  borderRadius: 2,
  forcedColorAdjust: "none",
});

const Action = styled("div")(({ theme }) => ({
  display: "flex",
  flex: "1 1 auto",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 12,
  padding: "8px 0",
  [theme.breakpoints.down("sm")]: {
    flexBasis: "100%",
    flexDirection: "row-reverse",
    padding: "12px 0",
    borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
    "& > :only-child, & > [data-main]": { flex: 1 },
  },
  "@media print": { display: "none" },
}));

/** Positioned on the band's lower line. */
const Track = styled("div")(({ theme }) => ({
  position: "absolute",
  right: 0,
  bottom: -2,
  left: 0,
  height: 4,
  backgroundColor: (theme.vars ?? theme).palette.status.green.fill,
  "& > div": {
    height: "100%",
    backgroundColor: (theme.vars ?? theme).palette.secondary.main,
    transition: `width ${motion.slow}`,
    forcedColorAdjust: "none",
  },
  "@media (prefers-reduced-motion: reduce)": { "& > div": { transition: "none" } },
}));

export type Figure = {
  label: string;
  value: string;
  /** Shown small beside the value: a unit or an amount. */
  note?: string;
  mark?: "green" | "amber" | "red";
};

type Props = {
  /** Name of the region. */
  label: string;
  /** At most four. */
  figures: readonly Figure[];
  /** While something runs and when it is done: a bar on the lower line, in percent; without a label it is decoration. */
  progress?: { label: string | null; percent: number };
  /**
   * The page's main action and its neighbors; on a phone below at full width. `data-main` marks the main
   * action.
   */
  children?: ReactNode;
};

/** Up to four figures between two lines, with the page's action on the right; sticky on wide screens. */
export function SummaryBand({ label, figures, progress, children }: Props) {
  return (
    <Band aria-label={label}>
      <Figures>
        {figures.map(({ label: term, value, note, mark }) => (
          <div key={term}>
            <Term>
              {mark ? (
                <Mark
                  sx={(theme) => ({ backgroundColor: (theme.vars ?? theme).palette.status[mark].rule })}
                />
              ) : null}
              {term}
            </Term>
            <Value>
              {value}
              {note ? <Aside>{note}</Aside> : null}
            </Value>
          </div>
        ))}
      </Figures>
      {children ? <Action>{children}</Action> : null}
      {progress ? (
        <Track
          {...(progress.label === null
            ? { "aria-hidden": true }
            : {
                role: "progressbar",
                "aria-label": progress.label,
                "aria-valuemin": 0,
                "aria-valuemax": 100,
                "aria-valuenow": Math.floor(progress.percent),
              })}
        >
          <div style={{ width: `${progress.percent}%` }} />
        </Track>
      ) : null}
    </Band>
  );
}
