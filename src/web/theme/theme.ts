import "#web/theme/augmentation.ts";
import { darkPalette, lightPalette } from "#web/theme/colors.ts";
import { buttonStyles, baselineStyles } from "#web/theme/components.ts";
import { headings } from "#web/theme/headings.ts";
import { createTheme } from "@mui/material/styles";

/** The specified look, in a light and a dark scheme. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: "data-color-scheme" },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  motion: { reducedMotion: "system" },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: "Lato, Roboto, Helvetica, Arial, sans-serif",
    ...headings,
    button: { textTransform: "none", fontWeight: 700 },
  },
  components: { MuiCssBaseline: { styleOverrides: baselineStyles }, MuiButton: buttonStyles },
});
