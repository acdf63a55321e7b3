import "#web/theme/augmentation.ts";
import { darkPalette, lightPalette } from "#web/theme/colors.ts";
import { buttonStyles, baselineStyles } from "#web/theme/components.ts";
import { createTheme } from "@mui/material/styles";

const heading = (fontSize: string) => ({ fontSize, fontWeight: 800, lineHeight: 1.25 });
const quietHeading = (fontSize: string) => ({ fontSize, fontStyle: "italic", fontWeight: 400 });

/** The specified look, in a light and a dark scheme. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: "data-color-scheme" },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  motion: { reducedMotion: "system" },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: "Lato, Roboto, Helvetica, Arial, sans-serif",
    h1: heading("2rem"),
    h2: heading("1.8rem"),
    h3: heading("1.6rem"),
    h4: heading("1.4rem"),
    h5: quietHeading("1.2rem"),
    h6: quietHeading("1rem"),
    button: { textTransform: "none", fontWeight: 700 },
  },
  components: { MuiCssBaseline: { styleOverrides: baselineStyles }, MuiButton: buttonStyles },
});
