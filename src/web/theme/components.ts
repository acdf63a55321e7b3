import { lightPalette } from "#web/theme/colors.ts";
import { headings, motion, shadow, typeScale } from "#web/theme/type-scale.ts";
import type { Components, Theme } from "@mui/material/styles";

type ThemeParts = Components<Omit<Theme, "components">>;

/** Focus ring, in the color of the page's text. */
export const focusRing = { outline: "3px solid var(--mui-palette-text-primary)", outlineOffset: "2px" };

/** Paper is white in either color scheme, so all text prints black. */
const printed = {
  "--mui-palette-text-primary": "#000 !important",
  "--mui-palette-text-secondary": "#000 !important",
  "--mui-palette-text-caption": "#000 !important",
  "--mui-palette-primary-ink": "#000 !important",
  "--mui-palette-secondary-ink": "#000 !important",
  ...Object.fromEntries(
    Object.keys(lightPalette.status).map((tone) => [`--mui-palette-status-${tone}-ink`, "#000 !important"]),
  ),
  "--mui-palette-background-default": "#fff !important",
  "--mui-palette-background-paper": "#fff !important",
};

/** White on it has 5.5:1; on the specified orange, 3.1:1. */
const STRONG_ORANGE = "#b9420f";

/** For what can't be undone, in both schemes; white on it has 5.2:1 and 7.7:1. */
const RED = { color: "#fff", backgroundColor: "#c8324a" };
const RED_HOVER = { backgroundColor: "#a11d2f" };

/** Decorative lines become visible, and orange is usable behind text of any size. */
const moreContrast = {
  "--mui-palette-divider": "var(--mui-palette-line-control) !important",
  "--mui-palette-line-strong": "var(--mui-palette-line-control) !important",
};

export const baselineStyles = {
  // Space for the summary band, which sticks to the top.
  html: { scrollPaddingTop: "5rem" },
  ":root": { "--shadow": shadow.light },
  ":root[data-color-scheme='dark']": { "--shadow": shadow.dark },
  body: { minWidth: 320, fontVariantNumeric: "tabular-nums lining-nums" },
  ...headings,
  h3: { ...headings.h3, margin: "24px 0 12px" },
  // Names come from outside and may be one long word.
  "p, h1, h2, h3, h4, h5, h6, li, legend": { overflowWrap: "anywhere" },
  "h1, h2, h3, h4": { textWrap: "balance" },
  // The default padding of fieldset and legend moves text by two pixels.
  fieldset: { minWidth: 0, margin: 0, padding: 0, border: 0 },
  legend: { padding: 0 },
  // One class more specific than Material UI's own `outline: 0`.
  "html body :focus-visible": focusRing,
  // A field's ring lies on its border; further out it would cover the neighbor.
  "html body :is(input:not([type=checkbox], [type=radio]), select, textarea):focus-visible": {
    outlineOffset: 0,
  },
  "html body h1:focus, html body main:focus": { outline: "none" },
  "@media (prefers-contrast: more)": { ":root": moreContrast },
  "@media print": {
    ":root": printed,
    // A heading that toggles its content is a button too, and stays.
    "header, footer, nav, button:not(:is(h2, h3) *), [data-print='never']": { display: "none !important" },
  },
};

/**
 * One orange action per screen: filled orange is used only for a large bold label (19 px), because white on
 * it is 3.09:1. Its specified dark tone is for halos, never behind text, so hover and press have separate
 * tones. Outlined is for a choice, text for a secondary action.
 */
export const buttonStyles: NonNullable<ThemeParts["MuiButton"]> = {
  defaultProps: { disableElevation: true, disableRipple: true },
  styleOverrides: {
    root: ({ theme }) => ({
      minHeight: 44,
      padding: "4px 16px",
      gap: 8,
      // For a label in two lines.
      textAlign: "start",
      transition: `background-color ${motion.fast}, border-color ${motion.fast}`,
      "html body &:focus-visible": focusRing,
      "&.Mui-disabled": {
        color: theme.vars?.palette.text.caption,
        backgroundColor: theme.vars?.palette.background.sunken,
        borderColor: theme.vars?.palette.divider,
        // Material UI lets clicks through to elements below.
        pointerEvents: "auto",
        cursor: "not-allowed",
      },
      "@media (prefers-reduced-motion: reduce)": { transition: "none" },
      "@media (forced-colors: active)": { border: "1px solid" },
    }),
    // The button's own gap keeps them apart.
    startIcon: { margin: 0 },
    sizeSmall: ({ theme }) => ({
      minHeight: 32,
      padding: "2px 12px",
      ...typeScale.table,
      // Touch targets must be larger than mouse targets.
      [theme.breakpoints.down("sm")]: { minHeight: 40 },
    }),
    sizeLarge: { minHeight: 48, padding: "6px 20px", fontSize: "1.0625rem" },
    outlined: ({ theme, ownerState }) => ({
      color: ownerState.color === "error" ? theme.vars?.palette.status.red.ink : "inherit",
      borderColor: theme.vars?.palette.line.control,
      backgroundColor: theme.vars?.palette.background.default,
      "@media (hover: hover)": {
        "&:hover": {
          borderColor: theme.vars?.palette.text.secondary,
          backgroundColor: theme.vars?.palette.background.sunken,
        },
      },
    }),
    text: ({ theme, ownerState }) => ({
      padding: "4px 8px",
      ...(ownerState.color === "error"
        ? { color: theme.vars?.palette.status.red.ink }
        : ownerState.color === "inherit"
          ? {}
          : { color: theme.vars?.palette.text.secondary }),
      "&.Mui-disabled": { backgroundColor: "transparent" },
      "@media (hover: hover)": {
        "&:hover": {
          ...(ownerState.color === "error" ? {} : { color: theme.vars?.palette.text.primary }),
          backgroundColor: theme.vars?.palette.background.sunken,
        },
      },
    }),
    contained: ({ theme, ownerState }) =>
      ownerState.color === "error"
        ? { ...RED, "@media (hover: hover)": { "&:hover:not(.Mui-disabled)": RED_HOVER } }
        : ownerState.color !== "primary"
          ? {}
          : {
              minHeight: 48,
              padding: "8px 24px",
              ...typeScale.action,
              "@media (hover: hover)": {
                "&:hover:not(.Mui-disabled)": { backgroundColor: theme.vars?.palette.primary.hover },
              },
              "&:active:not(.Mui-disabled)": { backgroundColor: theme.vars?.palette.primary.press },
              "@media (prefers-contrast: more)": {
                "&, &:hover:not(.Mui-disabled), &:active:not(.Mui-disabled)": {
                  backgroundColor: STRONG_ORANGE,
                },
              },
            },
  },
};
