import { styled } from "@mui/material/styles";

/** Band of what is selected, above its list; sticks to the top. */
export const Band = styled("section")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: "8px 16px",
  position: "sticky",
  top: 0,
  zIndex: 4,
  marginTop: 16,
  padding: "12px 0 12px 16px",
  backgroundColor: (theme.vars ?? theme).palette.background.default,
  border: `solid ${(theme.vars ?? theme).palette.line.strong}`,
  borderWidth: "1px 0",
  // Its lower line covers the list's own.
  "& + section": { marginTop: -1 },
  "& > p": { flex: 1, minWidth: "12rem", margin: 0 },
  "& label": { display: "grid", placeItems: "center", width: 24, height: 24, marginLeft: -3 },
  "& input": { width: 18, height: 18, margin: 0, accentColor: (theme.vars ?? theme).palette.secondary.main },
  [theme.breakpoints.down("sm")]: {
    paddingLeft: 0,
    gap: "4px 12px",
    "& > p": { minWidth: 0 },
    "& > .MuiButton-contained": { flex: "1 1 100%" },
  },
}));
