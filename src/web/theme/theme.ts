import { darkPalette, lightPalette, type StatusPalette } from "#web/theme/colors.ts";
import { buttonStyles, baselineStyles } from "#web/theme/components.ts";
import { headings, radii, typeScale } from "#web/theme/type-scale.ts";
import { createTheme } from "@mui/material/styles";

/** The specified look, in a light and a dark scheme. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: "data-color-scheme" },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  motion: { reducedMotion: "system" },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  shape: { borderRadius: radii.control },
  typography: {
    fontFamily: "Lato, Roboto, Helvetica, Arial, sans-serif",
    ...headings,
    body1: typeScale.body,
    body2: typeScale.table,
    caption: typeScale.caption,
    button: { textTransform: "none", fontWeight: 700, fontSize: "0.9375rem", lineHeight: 20 / 15 },
  },
  components: { MuiCssBaseline: { styleOverrides: baselineStyles }, MuiButton: buttonStyles },
});

type Lines = { strong: string; control: string };

// Module augmentation works on interfaces only.
declare module "@mui/material/styles" {
  interface Palette {
    cancel: Palette["primary"];
    status: StatusPalette;
    line: Lines;
  }
  interface PaletteOptions {
    cancel?: PaletteOptions["primary"];
    status?: StatusPalette;
    line?: Lines;
  }
  interface PaletteColor {
    ink?: string;
    hover?: string;
    press?: string;
  }
  interface SimplePaletteColorOptions {
    ink?: string;
    hover?: string;
    press?: string;
  }
  interface TypeText {
    caption: string;
  }
  interface TypeBackground {
    raised: string;
    sunken: string;
    hover: string;
  }
}

declare module "@mui/material/Button" {
  interface ButtonPropsColorOverrides {
    cancel: true;
  }
}
