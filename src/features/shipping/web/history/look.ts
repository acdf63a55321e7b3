import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";

/** Ledger with two lines a row; below 900 px each row is a stacked entry. */
export const Ledger = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    width: "100%",
    borderCollapse: "collapse",
    ...typeScale.table,
    "& th, & td": {
      padding: "10px 12px 10px 0",
      textAlign: "left",
      verticalAlign: "middle",
      fontWeight: 400,
      overflowWrap: "anywhere",
      borderBottom: `1px solid ${palette.divider}`,
    },
    "& thead th": {
      ...typeScale.caption,
      fontWeight: 700,
      color: palette.text.caption,
      borderBottomColor: palette.line.strong,
    },
    "& th:first-of-type": { paddingLeft: 12 },
    "& tr > :last-child": { paddingRight: 0 },
    "& .order": { display: "flex", flexDirection: "row-reverse", justifyContent: "flex-end", gap: 12 },
    "& .check": {
      display: "grid",
      placeItems: "center",
      flex: "none",
      width: 24,
      height: 24,
      margin: "-3px",
    },
    "& .check input": { width: 18, height: 18, margin: 0, accentColor: palette.secondary.main },
    "& .fact": { display: "block", ...typeScale.caption, color: palette.text.caption },
    "& tr.gone :is(th, td)": { color: palette.text.caption },
    "& .actions": {
      display: "grid",
      // Wide enough for "UPS delivered it", so that the columns of all rows line up.
      gridTemplateColumns: "auto minmax(7.5rem, auto)",
      justifyContent: "end",
      justifyItems: "end",
      alignItems: "center",
      gap: "0 8px",
    },
    // As wide as the buttons: a long reason must not move the columns.
    "& .actions > .wide": { gridColumn: "1 / -1", width: 0, minWidth: "100%" },
    "& .actions > .open": { gridColumn: "1 / -1", padding: "0 8px" },
    "& .why": { ...typeScale.caption, color: palette.text.caption, padding: "6px 8px" },
    "@media (hover: hover)": { "& tbody tr:hover": { backgroundColor: palette.background.hover } },
    // Wide enough for "Label generated Nov 26, 10:21 AM EST", a shipment's number, and when its notice leaves; a name or a
    // reason that is longer wraps instead of squeezing the other columns.
    [theme.breakpoints.up("md")]: {
      "& th:first-of-type": { width: "27.5%" },
      "& th:first-of-type + *": { width: "22.5%" },
      "& th:first-of-type + * + *": { width: "19%" },
      "& .actions > .MuiButton-root": { whiteSpace: "nowrap" },
    },
    [theme.breakpoints.down("md")]: {
      "&, & tbody": { display: "block" },
      "& thead": { display: "none" },
      "& tbody tr": {
        display: "grid",
        gridTemplateColumns: "minmax(0, 1fr)",
        gap: 6,
        position: "relative",
        padding: "14px 0 14px 36px",
        borderBottom: `1px solid ${palette.divider}`,
      },
      "& tbody :is(th, td)": { display: "block", padding: "0 !important", border: 0 },
      "& .check": { position: "absolute", left: 0 },
      "& tbody td:empty": { display: "none" },
      "& .actions": {
        gridTemplateColumns: "auto minmax(7rem, 1fr)",
        justifyContent: "stretch",
        justifyItems: "start",
        gap: "0 16px",
      },
      "& .actions .MuiButton-root": { paddingLeft: 0 },
      "& .why, & .actions > .open": { paddingLeft: 0 },
    },
  };
});
