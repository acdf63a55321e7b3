import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { radii, typeScale } from "#web/theme/type-scale.ts";
import { fieldLook } from "#web/kit/text-input.tsx";
import { styled, type Theme } from "@mui/material/styles";

/** Rule at the left edge by state, so that exceptions stand out by themselves. */
const RULES = { made: "gray", failed: "red", asked: "amber", checking: "amber", making: "green" } as const;

/**
 * Ledger of orders: who and where at the left, cartons at the right. One style for all of them, because a style for
 * each part costs a slow processor more than the orders themselves.
 */
export const Orders = styled("section")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    borderTop: `1px solid ${palette.line.strong}`,
    "& > article": {
      display: "grid",
      gridTemplateColumns: "minmax(0, 5fr) minmax(0, 11fr)",
      gap: "24px 32px",
      padding: "20px 0 20px 16px",
      // Typing in one order lays out that one only.
      contain: "layout style",
      borderBottom: `1px solid ${palette.divider}`,
    },
    // More than a screen shows: those below are drawn when they come near it, and are as high as one with one carton
    // until then. Rings of focus reach over their edge.
    "& > article:nth-of-type(n + 7)": {
      contentVisibility: "auto",
      containIntrinsicSize: "auto 116px",
      overflowClipMargin: 8,
    },
    ...Object.fromEntries(
      Object.entries(RULES).map(([state, tone]) => [
        `& > article[data-state=${state}]`,
        { boxShadow: `inset 3px 0 ${palette.status[tone].rule}` },
      ]),
    ),
    // The order in hand.
    "& > article:focus-within": { boxShadow: `inset 3px 0 ${palette.text.primary}` },
    "& > article[data-flag=amber]": { boxShadow: `inset 3px 0 ${palette.status.amber.rule}` },
    "& .who": { display: "flex", alignItems: "flex-start", gap: "12px", minWidth: 0 },
    "& .who > div": { minWidth: 0 },
    "& .check": { display: "grid", placeItems: "center", width: 24, height: 24, margin: "0 -3px" },
    "& .check input": { width: 18, height: 18, margin: 0, accentColor: palette.secondary.main },
    "& p": { margin: 0, overflowWrap: "anywhere" },
    "& .po": typeScale.lead,
    "& .fact": { ...typeScale.caption, color: palette.text.caption },
    "& .late": { color: palette.status.amber.ink, fontWeight: 700 },
    "& .links": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      gap: "0 16px",
      marginTop: 6,
      ...typeScale.table,
    },
    "& .links > div > button": { minHeight: 28 },
    "& .foot": {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      gap: "4px 12px",
      // As high as the main action, which moves with the focus.
      minHeight: 48,
      marginTop: 8,
      paddingLeft: 36,
    },
    "& .foot > .grow": { flex: 1 },
    "& .sum": { color: palette.text.secondary },
    "& .warn": { color: palette.status.amber.ink },
    "& .making": {
      display: "flex",
      alignItems: "center",
      gap: 8,
      fontWeight: 700,
      color: palette.secondary.ink,
    },
    ...toolLook(theme),
    ...cartonLook(theme),
    [theme.breakpoints.down("md")]: {
      "& > article": { gridTemplateColumns: "minmax(0, 1fr)", gap: "16px" },
    },
    // Narrower than this, a box, four fields and two buttons don't fit on one line: also at 200 % on a small screen.
    [theme.breakpoints.down(700)]: narrowStyles(),
  };
});

/** Plain buttons, because a kit button costs a slow processor more than the rest of a line. */
function toolLook(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  return {
    "& .tool": {
      display: "inline-flex",
      alignItems: "center",
      gap: 6,
      minHeight: 32,
      padding: "2px 8px",
      border: "1px solid transparent",
      borderRadius: radii.control,
      ...typeScale.table,
      fontFamily: "inherit",
      fontWeight: 700,
      color: palette.text.secondary,
      background: "none",
      cursor: "pointer",
      "@media (hover: hover)": { "&:hover": { backgroundColor: palette.background.sunken } },
      "&.danger": { color: palette.status.red.ink, padding: "2px 4px" },
      "&.box": { padding: "2px 12px", color: "inherit", borderColor: palette.line.control },
      "@media (forced-colors: active)": { border: "1px solid" },
    },
  };
}

function cartonLook(theme: Theme) {
  const { palette } = theme.vars ?? theme;
  return {
    "& .cartons": { minWidth: 0 },
    "& .cartons > :not(* + *)": { marginTop: 0 },
    "& .cartons > :last-child": { marginBottom: 0 },
    "& .carton": {
      display: "grid",
      gridTemplateColumns: "24px repeat(4, minmax(0, 104px)) minmax(0, 1fr)",
      gap: "4px 12px",
      alignItems: "end",
    },
    "& .carton:has(.preset)": {
      gridTemplateColumns: "24px minmax(72px, 150px) repeat(4, minmax(60px, 80px)) minmax(176px, 1fr)",
    },
    "& .carton + .carton": { marginTop: 8 },
    "& .place": { ...typeScale.table, lineHeight: "40px", color: palette.text.caption },
    "& .carton label > span:first-of-type": {
      display: "block",
      ...typeScale.caption,
      color: palette.text.caption,
    },
    "& .carton + .carton label > span:first-of-type": visuallyHidden,
    "& .field": { position: "relative", display: "block" },
    "& .field::after": {
      content: "attr(data-unit)",
      position: "absolute",
      right: 10,
      top: "calc(50% - 10px)",
      ...typeScale.caption,
      color: palette.text.caption,
      pointerEvents: "none",
    },
    "& .field input": {
      ...fieldLook(theme),
      minHeight: 40,
      boxSizing: "border-box",
      width: "100%",
      padding: "0 32px 0 8px",
      textAlign: "right",
    },
    "& .field input:disabled": { color: palette.text.secondary },
    "& .buttons": {
      display: "flex",
      justifyContent: "flex-end",
      alignItems: "center",
      gap: 4,
      minHeight: 40,
    },
    "& .faults": { gridColumn: "2 / -1", ...typeScale.caption, color: palette.status.red.ink },
    "& .preset select": {
      ...fieldLook(theme),
      minHeight: 40,
      boxSizing: "border-box",
      width: "100%",
      padding: "0 8px",
    },
  };
}

function narrowStyles() {
  return {
    "& > article:nth-of-type(n + 7)": { containIntrinsicSize: "auto 391px" },
    "& .carton, & .carton:has(.preset)": {
      gridTemplateColumns: "20px repeat(2, minmax(0, 1fr))",
      gap: "8px 12px",
    },
    "& .preset": { gridColumn: "2 / 4" },
    "& .carton + .carton": { marginTop: 16 },
    "& .place": { gridRow: "1 / 5", alignSelf: "start", marginTop: "20px" },
    "& .carton + .carton label > span:first-of-type": {
      position: "static",
      width: "auto",
      height: "auto",
      margin: 0,
      overflow: "visible",
      clipPath: "none",
    },
    "& .field input, & .preset select": { fontSize: "1rem", minHeight: 44 },
    "& .buttons": { gridColumn: "2 / 4" },
    "& .buttons:empty": { display: "none" },
    "& .tool": { minHeight: 40 },
    "& .faults": { gridColumn: "2 / 4" },
    "& .foot": { paddingLeft: 0, rowGap: 12 },
    "& .foot > .MuiButton-root": { flex: "1 1 100%" },
  };
}
