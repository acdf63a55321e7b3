import type { Tone } from "#web/theme/colors.ts";
import type { Theme } from "@mui/material/styles";

/** Style of text and fill that together say how something stands. */
export function toned(theme: Theme, tone: Tone) {
  const pair = theme.vars?.palette.status[tone];
  return { color: pair?.text, backgroundColor: pair?.fill };
}
