import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type Props = {
  icon?: LucideIcon;
  title?: string;
  /** What there is to know, and below it the next step. */
  children: ReactNode;
};

/** In place of what can't be shown: why, and the next step. */
export function EmptyState({ icon, title, children }: Props) {
  return (
    <Box
      sx={{
        mt: 3,
        maxWidth: "56ch",
        "& > p": { m: 0, mb: 2 },
        "& > h2": { mt: 0, mb: 1 },
        overflowWrap: "anywhere",
      }}
    >
      {icon ? (
        <Box sx={{ mb: 1, lineHeight: 0, color: "text.secondary" }}>
          <Icon of={icon} size="large" />
        </Box>
      ) : null}
      {title ? <h2>{title}</h2> : null}
      {children}
    </Box>
  );
}
