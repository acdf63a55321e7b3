import type { Tone } from "#web/theme/colors.ts";
import { toned } from "#web/theme/tone.ts";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";

type Props = { tone: Tone; role?: "alert" | "group"; label?: string; children: ReactNode };

/** A remark highlighted by a coloured bar and fill. */
export function Notice({ tone, role, label, children }: Props) {
  return (
    <Box
      role={role}
      aria-label={label}
      sx={(theme) => ({
        my: 2,
        px: 2,
        py: 1.5,
        borderRadius: 1,
        overflowWrap: "anywhere",
        "& > :first-child": { mt: 0 },
        "& > :last-child": { mb: 0 },
        borderLeft: "4px solid currentColor",
        ...toned(theme, tone),
      })}
    >
      {children}
    </Box>
  );
}
