import { Icon } from "#web/kit/icon.tsx";
import { toneIcons } from "#web/kit/tone-icons.ts";
import type { Tone } from "#web/theme/colors.ts";
import { toned } from "#web/theme/tone.ts";
import { theme } from "#web/theme/theme.ts";
import { radii } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { Check, type LucideIcon } from "lucide-react";

type Props = {
  /** `plain` is an outlined remark; `ok` is the normal case, which stays quiet: a tick and plain text. */
  tone: Tone | "plain" | "ok";
  /** Instead of the tone's own; null for none. */
  icon?: LucideIcon | null;
  children: string;
};

const { palette } = theme.vars ?? theme;
const TONES = Object.keys(toneIcons) as Tone[];

/** Made once: a list may have one in each row. */
const Frame = styled("span")<Pick<Props, "tone">>({
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
  variants: [
    ...TONES.map((tone) => ({ props: { tone }, style: toned(theme, tone) })),
    {
      props: { tone: "plain" },
      style: {
        paddingInline: 8,
        color: palette.text.secondary,
        boxShadow: `inset 0 0 0 1px ${palette.line.strong}`,
      },
    },
    {
      props: { tone: "ok" },
      style: {
        padding: 0,
        lineHeight: "20px",
        fontWeight: 400,
        fontSize: "0.875rem",
        color: palette.text.secondary,
        "& > svg": { color: palette.secondary.ink },
        "@media (forced-colors: active)": { border: 0 },
      },
    },
  ],
});

/** A state in at most three words. */
export function Chip({ tone, icon, children }: Props) {
  const picture = icon === undefined ? iconOf(tone) : icon;
  return (
    <Frame tone={tone}>
      {picture ? <Icon of={picture} size={tone === "ok" ? "small" : 13} /> : null}
      <span>{children}</span>
    </Frame>
  );
}

function iconOf(tone: Props["tone"]): LucideIcon | null {
  if (tone === "plain") return null;
  return tone === "ok" ? Check : toneIcons[tone];
}
