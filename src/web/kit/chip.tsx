import { Icon, toneIcons } from "#web/kit/icon.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { toned } from "#web/theme/tone.ts";
import { radii } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { Check, type LucideIcon } from "lucide-react";

const Frame = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 5,
  boxSizing: "border-box",
  padding: "2px 8px 2px 6px",
  borderRadius: radii.chip,
  fontSize: "0.78125rem",
  lineHeight: "18px",
  fontWeight: 700,
  // On one line with the texts of its row.
  "& > span": { alignSelf: "baseline" },
  "@media (forced-colors: active)": { border: "1px solid" },
});

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
export function Chip({ tone, icon, children }: Props) {
  const picture = icon === undefined ? pickIcon(tone) : icon;
  return (
    <Frame sx={(theme) => chipLook(theme, tone)}>
      {picture ? <Icon of={picture} size={tone === "ok" ? "small" : 13} /> : null}
      <span>{children}</span>
    </Frame>
  );
}

function pickIcon(tone: Props["tone"]): LucideIcon | null {
  if (tone === "plain") return null;
  return tone === "ok" ? Check : toneIcons[tone];
}

function chipLook(theme: Parameters<typeof toned>[0], tone: Props["tone"]) {
  const { palette } = theme.vars ?? theme;
  if (tone === "plain")
    return {
      px: 1,
      color: palette.text.secondary,
      boxShadow: `inset 0 0 0 1px ${palette.line.strong}`,
    };
  if (tone === "ok")
    return {
      p: 0,
      lineHeight: "20px",
      fontWeight: 400,
      fontSize: "0.875rem",
      color: palette.text.secondary,
      "& > svg": { color: palette.secondary.ink },
      "@media (forced-colors: active)": { border: 0 },
    };
  return toned(theme, tone);
}
