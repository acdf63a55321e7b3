import { headings } from "#web/theme/headings.ts";
import type { Components, Theme } from "@mui/material/styles";

type ThemeParts = Components<Omit<Theme, "components">>;

/** A ring around whatever has the keyboard's focus, of the colour of the page's text: it is beside the control. */
const focusRing = { outline: "3px solid var(--mui-palette-text-primary)", outlineOffset: "2px" };

/** Paper is white whatever the screen is, so everything that is ink becomes black. */
const printed = {
  "--mui-palette-text-primary": "#000 !important",
  "--mui-palette-text-secondary": "#000 !important",
  "--mui-palette-primary-ink": "#000 !important",
  "--mui-palette-secondary-ink": "#000 !important",
  "--mui-palette-background-default": "#fff !important",
  "--mui-palette-background-paper": "#fff !important",
};

export const baselineStyles = {
  html: { scrollPaddingTop: "5rem" },
  body: { minWidth: 320 },
  ...headings,
  h3: { ...headings.h3, margin: "24px 0 12px" },
  // Names come from outside and may be one long word.
  "p, h1, h2, h3, h4, h5, h6, li, legend": { overflowWrap: "anywhere" },
  "h1, h2, h3": { textWrap: "balance" },
  // Its own edges and its legend's would stand two pixels off the text above.
  fieldset: { minWidth: 0, margin: 0, padding: 0, border: 0 },
  legend: { padding: 0 },
  // One class more than Material UI's own `outline: 0`.
  "html body :focus-visible": focusRing,
  "html body h1:focus, html body main:focus": { outline: "none" },
  "@media print": {
    ":root": printed,
    // A heading that opens what is below it is a button too, and stays.
    "header, footer, nav, button:not(:is(h2, h3) *), [data-print='never']": { display: "none !important" },
  },
};

/**
 * Filled orange carries only a large bold label (19 px): white on it is 3.09:1. Its specified dark tone is for halos,
 * never under text, so hover and press have tones of their own.
 */
export const buttonStyles: NonNullable<ThemeParts["MuiButton"]> = {
  defaultProps: { disableElevation: true },
  styleOverrides: {
    root: {
      minHeight: 44,
      "html body &:focus-visible": focusRing,
      "@media (forced-colors: active)": { border: "1px solid" },
    },
    outlined: ({ theme }) => ({ color: "inherit", borderColor: theme.vars?.palette.text.secondary }),
    contained: ({ theme, ownerState }) =>
      ownerState.color !== "primary"
        ? {}
        : {
            fontSize: "1.1875rem",
            fontWeight: 700,
            "@media (hover: hover)": { "&:hover": { backgroundColor: theme.vars?.palette.primary.hover } },
            "&:active": { backgroundColor: theme.vars?.palette.primary.press },
            // Hover and press tones are light in the dark scheme, and would carry white.
            "@media (prefers-contrast: more)": {
              color: "#fff",
              "&, &:hover, &:active": { backgroundColor: "#b9420f" },
            },
          },
  },
};
