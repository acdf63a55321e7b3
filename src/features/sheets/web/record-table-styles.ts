import { styled, type Theme } from "@mui/material/styles";

/** Scroll area of a table of records. */
export const Scroll = styled("div")({
  overflow: "auto",
  maxHeight: "70vh",
  "@media print": { maxHeight: "none" },
});

/** Button that opens a record. Plain, because a kit button in each row costs a slow processor more than the rest of the table. */
export const ExpandButton = styled("button")(({ theme }) => ({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  width: 24,
  height: 24,
  padding: 0,
  marginRight: 8,
  verticalAlign: "middle",
  border: 0,
  borderRadius: 4,
  color: "inherit",
  background: "none",
  cursor: "pointer",
  "@media (hover: hover)": {
    "&:hover": { backgroundColor: (theme.vars ?? theme).palette.action.hover },
  },
}));

const EXCEPTIONS = ["red", "amber", "gray", "blue", "green"] as const;

/** Ledger with hairlines and white space; below 900 px each row is a stacked entry. */
export const Table = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    borderCollapse: "collapse",
    width: "100%",
    fontSize: "0.875rem",
    lineHeight: "20px",
    fontVariantNumeric: "tabular-nums lining-nums",
    "& > * > tr > :is(th, td)": { padding: "12px 24px 12px 0", textAlign: "left", verticalAlign: "baseline" },
    "& .number": { textAlign: "right" },
    // Unknown values show a dash that screen readers skip.
    "& tr.record > td:empty::after": { content: ['"—"', '"—" / ""'], color: palette.text.caption },
    // Numbers need space before text.
    "& .number + :not(.number)": { paddingLeft: "32px" },
    "& > * > tr > :is(th, td):first-of-type": { paddingLeft: "8px" },
    "& thead th": {
      position: "sticky",
      top: 0,
      zIndex: 1,
      padding: "0 24px 0 0",
      backgroundColor: palette.background.paper,
      boxShadow: `inset 0 -1px ${palette.divider}`,
    },
    "& > tbody > tr:first-of-type > td": { borderBottom: `1px solid ${palette.divider}` },
    ...Object.fromEntries(
      EXCEPTIONS.map((tone) => [
        `& > tbody[data-tone=${tone}] > tr > td:first-of-type`,
        { boxShadow: `inset 3px 0 ${palette.status[tone].rule}` },
      ]),
    ),
    "@media (hover: hover)": { "& tr.record:hover": { backgroundColor: palette.action.hover } },
    [theme.breakpoints.down("md")]: narrowStyles(theme),
  };
});

/** Stacked entry: the first cell and the number side by side, the other cells below. */
function narrowStyles(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  return {
    "&, & > tbody": { display: "block" },
    "& thead": { display: "none" },
    "& > tbody > tr": {
      display: "grid",
      gridTemplateColumns: "minmax(0, 1fr) auto",
      columnGap: "16px",
      padding: "12px 0",
    },
    "& > tbody > tr > td": { padding: 0, overflowWrap: "anywhere" },
    "& > tbody > tr:first-of-type > td": { border: 0 },
    "& tbody:not([aria-hidden])": { borderBottom: `1px solid ${palette.divider}` },
    "& > tbody > tr > td:not(:first-of-type)": {
      gridColumn: "1 / -1",
      paddingLeft: "40px",
      textAlign: "left",
    },
    "& > tbody > tr > td[data-phone=first]": { gridColumn: 2, gridRow: 1, padding: 0, fontWeight: 700 },
    "& > tbody > tr > td:is([data-phone=none], :empty)": { display: "none" },
    "& > tbody > tr > td.opened": {
      gridColumn: "1 / -1",
      padding: "0 0 8px",
      boxShadow: "none !important",
    },
    "&& > tbody[data-tone] > tr > td:first-of-type": { boxShadow: "none" },
    ...Object.fromEntries(
      EXCEPTIONS.map((tone) => [
        `& tbody[data-tone=${tone}]`,
        { boxShadow: `inset 3px 0 ${palette.status[tone].rule}` },
      ]),
    ),
  };
}
