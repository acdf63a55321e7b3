import type { StatusPalette } from "#web/theme/colors.ts";

// Module augmentation works on interfaces only.
declare module "@mui/material/styles" {
  interface Palette {
    cancel: Palette["primary"];
    status: StatusPalette;
  }
  interface PaletteOptions {
    cancel?: PaletteOptions["primary"];
    status?: StatusPalette;
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
}

declare module "@mui/material/Button" {
  interface ButtonPropsColorOverrides {
    cancel: true;
  }
}
