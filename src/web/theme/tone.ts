import type { Tone } from "#web/theme/colors.ts";
import type { Theme } from "@mui/material/styles";

/** Style of text and fill that together show a state. */
export function toned(theme: Theme, tone: Tone) {
  const pair = theme.vars?.palette.status[tone];
  return { color: pair?.text, backgroundColor: pair?.fill };
}

/** Style of a row in a list of such rows: its tone, a bar before it and a line below it; printed, in black. */
export function tonedRow(theme: Theme, tone: Tone) {
  return {
    borderLeft: "4px solid currentColor",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.background.paper,
    ...toned(theme, tone),
    "@media print": { color: "#000", backgroundColor: "transparent", borderBottomColor: "#999" },
  };
}
