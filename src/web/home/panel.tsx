import { span } from "#web/theme/grid.ts";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";

type Props = { title?: string; label?: string; wide?: boolean; children: ReactNode };

/** A panel of the landing page: named by its title, or by `label` when it brings its own heading. */
export function Panel({ title, label, wide = false, children }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      {...(title ? { "aria-labelledby": id } : { "aria-label": label })}
      sx={{
        ...span(wide ? {} : { md: 6 }),
        p: { xs: 2, sm: 4 },
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
      }}
    >
      {title ? (
        <Typography variant="h2" id={id} sx={{ mb: 2 }}>
          {title}
        </Typography>
      ) : null}
      {children}
    </Box>
  );
}
