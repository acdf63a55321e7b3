import { radii } from "#web/theme/type-scale.ts";
import type { Theme } from "@mui/material/styles";

/** What every field to type or choose in looks like. */
export const fieldLook = (theme: Theme) => {
  const { palette } = theme.vars ?? theme;
  return {
    minHeight: 44,
    borderRadius: radii.control,
    border: "1px solid",
    borderColor: palette.line.control,
    font: "inherit",
    color: "inherit",
    backgroundColor: palette.background.default,
    "&:hover": { borderColor: palette.text.secondary },
    "&[aria-invalid='true']": {
      borderColor: palette.status.red.rule,
      boxShadow: `inset 0 0 0 1px ${palette.status.red.rule}`,
    },
    "&:disabled": {
      borderColor: palette.divider,
      color: palette.text.caption,
      backgroundColor: palette.background.sunken,
      cursor: "not-allowed",
    },
    // Smaller text makes a phone enlarge the page when the field is used.
    [theme.breakpoints.down("sm")]: { fontSize: "1rem" },
  };
};
