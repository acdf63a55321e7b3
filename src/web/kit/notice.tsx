import { Icon, toneIcons } from "#web/kit/icon.tsx";
import type { Tone } from "#web/theme/colors.ts";
import { tinted } from "#web/theme/tone.ts";
import { radii } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { CircleCheck, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type Props = {
  tone: Tone;
  role?: "alert" | "status" | "group";
  label?: string;
  /** The event or failure, in bold. The next step follows as children. */
  title?: string;
  /** Replaces the tone's own icon. */
  icon?: LucideIcon;
  children?: ReactNode;
};

/** A highlighted remark: colored left border, pale background, icon, bold sentence and the next step. */
export function Notice({ tone, role, label, title, icon = pickIcon(tone), children }: Props) {
  return (
    <Box
      data-band
      role={role}
      aria-label={label}
      sx={(theme) => ({
        display: "flex",
        gap: 1.5,
        my: 2,
        px: 2,
        py: 1.5,
        borderRadius: `0 ${radii.control}px ${radii.control}px 0`,
        overflowWrap: "anywhere",
        "& > svg": { mt: "3px", color: theme.vars?.palette.status[tone].ink },
        ...tinted(theme, tone),
      })}
    >
      <Icon of={icon} />
      <Box sx={{ flex: 1, minWidth: 0, "& > p": { m: 0 }, "& > p + p": { mt: 0.5 } }}>
        {title ? (
          <Box component="p" sx={{ m: 0, fontWeight: 700 }}>
            {title}
          </Box>
        ) : null}
        {children}
      </Box>
    </Box>
  );
}

/** Shows the first of its notices only, so the most urgent comes first: a page has one band. */
export const OneBand = styled("div")({ "& > [data-band] ~ [data-band]": { display: "none" } });

/** In a notice, green means done; as the tone of a state it means in progress. */
function pickIcon(tone: Tone): LucideIcon {
  return tone === "green" ? CircleCheck : tone === "gray" ? toneIcons.blue : toneIcons[tone];
}
