import { styled } from "@mui/material/styles";
import type { ReactNode } from "react";

/** One under the other: what is asked or wrong, what the file has, the field, what hangs on it, and the button. */
const Row = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(0, 7rem) minmax(0, 20rem) minmax(0, 10rem) 6.5rem",
  columnGap: 16,
  rowGap: 8,
  alignItems: "center",
  padding: "8px 0 8px 16px",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  overflowWrap: "anywhere",
  "& > .field :is(span, form, select, input)": { width: "100%", maxWidth: "none" },
  "& > .was": { textAlign: "right" },
  "& > .effect": { fontSize: "0.8125rem", color: (theme.vars ?? theme).palette.text.secondary },
  "& > .action": { textAlign: "right" },
  "& > .below": { gridColumn: "1 / -1", "&:empty": { display: "none" } },
  [theme.breakpoints.down("md")]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    padding: "12px 0 12px 12px",
    "& > .what": { gridColumn: "1 / -1" },
    "& > .was": { gridColumn: "1 / -1", textAlign: "left" },
    "& > .was:empty, & > .was:has(svg), & > .field:empty": { display: "none" },
    "& > .effect": { gridColumn: "1 / -1", gridRow: 2 },
  },
}));

const Rows = styled("div")<{ tone: "amber" | "red" }>(({ theme, tone }) => ({
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  borderLeft: `3px solid ${(theme.vars ?? theme).palette.status[tone].rule}`,
}));

/** Rows of questions or of faults; they share one grid, so that fields of both have the same edges. */
export function ReviewRows({ tone, children }: { tone: "amber" | "red"; children: ReactNode }) {
  return <Rows tone={tone}>{children}</Rows>;
}

type Props = {
  what: ReactNode;
  was?: ReactNode;
  field?: ReactNode;
  effect?: ReactNode;
  action?: ReactNode;
  /** What belongs to the row and needs its full width. */
  below?: ReactNode;
};

export function ReviewRow({ what, was, field, effect, action, below }: Props) {
  return (
    <Row>
      <div className="what">{what}</div>
      <div className="was">{was}</div>
      <div className="field">{field}</div>
      <div className="effect">{effect}</div>
      <div className="action">{action}</div>
      {below ? <div className="below">{below}</div> : null}
    </Row>
  );
}
