import type { StatusPalette } from "#web/theme/colors.ts";

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
