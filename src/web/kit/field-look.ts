import type { Theme } from "@mui/material/styles";

/** What every field to type or choose in looks like. */
export const fieldLook = (theme: Theme) => ({
  minHeight: 44,
  borderRadius: 8,
  border: "1px solid",
  borderColor: (theme.vars ?? theme).palette.text.secondary,
  font: "inherit",
  color: "inherit",
  backgroundColor: (theme.vars ?? theme).palette.background.paper,
});
