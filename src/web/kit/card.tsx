import Box, { type BoxProps } from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";

type Props = {
  /** Its heading; a card that brings its own heading along has a `label` instead. */
  title?: string;
  label?: string;
  printed?: boolean;
  sx?: Extract<BoxProps["sx"], object>;
  children: ReactNode;
};

/** A named region of a page. */
export function Card({ title, label, printed = true, sx, children }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      {...(title ? { "aria-labelledby": id } : { "aria-label": label })}
      {...(printed ? {} : { "data-print": "never" })}
      sx={{
        p: { xs: 2, sm: 3 },
        mb: 3,
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        "& > :last-child": { mb: 0 },
        ...sx,
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
