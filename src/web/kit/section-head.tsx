import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

type Props = {
  id?: string;
  title: string;
  /** A line of context below the heading. */
  note?: string | undefined;
  /** Beside the heading, at the right. */
  actions?: ReactNode;
};

/** The head of a section: its `h2`, a line of context, and what narrows or adds to it. */
export function SectionHead({ id, title, note, actions }: Props) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 4, rowGap: 1, mb: 1.5 }}>
      <Box sx={{ flex: "1 1 auto", minWidth: 0 }}>
        <Typography variant="h2" id={id} sx={{ m: 0 }}>
          {title}
        </Typography>
        {note ? <Typography sx={{ m: 0, color: "text.secondary" }}>{note}</Typography> : null}
      </Box>
      {actions}
    </Box>
  );
}
