import { Icon, toneIcons } from "#web/kit/icon.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { toned } from "#web/theme/tone.ts";
import { radii } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import { Check, type LucideIcon } from "lucide-react";

const frame = {
  display: "inline-flex",
  alignItems: "center",
  gap: "5px",
  padding: "2px 8px 2px 6px",
  borderRadius: `${radii.chip}px`,
  fontSize: "0.78125rem",
  lineHeight: "18px",
  fontWeight: 700,
  // On one line with the texts of its row.
  "& > span": { alignSelf: "baseline" },
  "@media (forced-colors: active)": { border: "1px solid" },
} as const;

type Props = {
  /**
   * `plain` is an outlined remark; `ok` is the normal case, which is unobtrusive: a check mark and plain
   * text.
   */
  tone: Tone | "plain" | "ok";
  /** Replaces the tone's own icon; null for none. */
  icon?: LucideIcon | null;
  children: string;
};

/**
 * A state of at most three words. Material UI's chip is a control, with ellipsis, hover and delete: nothing of it would be
 * left, for 2.6 kB.
 */
export const Chip = ({ tone, icon = tone === "plain" ? null : icons[tone], children }: Props) => (
  <Box component="span" sx={(theme) => chipLook(theme, tone)}>
    {icon ? <Icon of={icon} size={tone === "ok" ? "small" : 13} /> : null}
    <span>{children}</span>
  </Box>
);

const icons = { ...toneIcons, ok: Check };

/** For long lists, whose own style has the look of their chips: a style for each would cost a slow computer more. */
export const chipLook = (theme: Theme, tone: Props["tone"]) => ({ ...frame, ...toneLook(theme, tone) });

function toneLook(theme: Theme, tone: Props["tone"]) {
  const { palette } = theme.vars ?? theme;
  if (tone === "plain")
    return {
      paddingInline: "8px",
      color: palette.text.secondary,
      boxShadow: `inset 0 0 0 1px ${palette.line.strong}`,
    };
  if (tone === "ok")
    return {
      padding: 0,
      lineHeight: "20px",
      fontWeight: 400,
      fontSize: "0.875rem",
      color: palette.text.secondary,
      "& > svg": { color: palette.secondary.ink },
      "@media (forced-colors: active)": { border: 0 },
    };
  return toned(theme, tone);
}
