import { wrongWords as words } from "#features/sheets/web/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import type { ReactNode } from "react";

/** Grid row: question or fault, the file's value, the field, its effect, and the button. */
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

/** Rows of questions or faults on one grid, so that their fields align. */
export function ReviewRows({ tone, children }: { tone: "amber" | "red"; children: ReactNode }) {
  return <Rows tone={tone}>{children}</Rows>;
}

type Props = {
  what: ReactNode;
  was?: ReactNode;
  field?: ReactNode;
  effect?: ReactNode;
  action?: ReactNode;
  /** Content below the row at full width. */
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

/** Element id of the table of all records. */
export const RECORDS = "records";

type FindProps = {
  name: string;
  /** Search text, if it differs from the name. */
  by?: string;
  onFind: (text: string) => void;
};

/** Record name as a link to the table of all records, filtered to this one. */
export function FindLink({ name, by = name, onFind }: FindProps) {
  return (
    <PlainLink
      href={`#${RECORDS}`}
      aria-label={words.find(name)}
      onClick={() => onFind(by)}
      style={{ display: "inline-block", minWidth: 24 }}
    >
      {name}
    </PlainLink>
  );
}

type LeaveOutProps = { name: string; onClick: (() => void) | undefined };

/** Button that leaves a record out. */
export function LeaveOutButton({ name, onClick }: LeaveOutProps) {
  if (!onClick) return null;
  return (
    <Button variant="text" size="small" aria-label={words.leaveOutLabel(name)} onClick={onClick}>
      {words.leaveOut}
    </Button>
  );
}
