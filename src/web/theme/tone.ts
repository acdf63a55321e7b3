import type { Tone } from "#web/theme/colors.ts";
import type { Theme } from "@mui/material/styles";

/** Text and fill styles that together show a state: a chip, or a filled field. */
export function toned(theme: Theme, tone: Tone) {
  const pair = theme.vars?.palette.status[tone];
  return { color: pair?.text, backgroundColor: pair?.fill };
}

/**
 * Style of a pale background with a left border: a notice or an opened row. Its text has the page's color.
 */
export function tinted(theme: Theme, tone: Tone, width = 3) {
  const colors = theme.vars?.palette.status[tone];
  return { borderLeft: `${width}px solid ${colors?.rule}`, backgroundColor: colors?.tint };
}

/** Style of a colored list row: its tint, a border before it and a line below it; printed in black. */
export function tonedRow(theme: Theme, tone: Tone) {
  return {
    ...tinted(theme, tone, 4),
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.background.default,
    "@media print": { color: "#000", backgroundColor: "transparent", borderBottomColor: "#999" },
  };
}
