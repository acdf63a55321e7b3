import { SectionHead } from "#web/kit/section-head.tsx";
import Box, { type BoxProps } from "@mui/material/Box";
import { type ReactNode, useId } from "react";

type Props = {
  /** Its heading; a section that brings its own heading along has a `label` instead. */
  title?: string;
  label?: string;
  /** A line of context below the heading. */
  note?: string;
  /** Beside the heading, at the right: filters, a search, a button. */
  actions?: ReactNode;
  printed?: boolean;
  sx?: Extract<BoxProps["sx"], object>;
  children: ReactNode;
};

/** A named section of a page: a heading and air, no box around it. */
export function Card({ title, label, note, actions, printed = true, sx, children }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      {...(title ? { "aria-labelledby": id } : { "aria-label": label })}
      {...(printed ? {} : { "data-print": "never" })}
      sx={{
        mt: { xs: 5, sm: 6 },
        // The first below the page's head is nearer.
        "h1 + &, [data-head] + &": { mt: 3 },
        "& > :last-child": { mb: 0 },
        ...sx,
      }}
    >
      {title ? <SectionHead id={id} title={title} note={note} actions={actions} /> : null}
      {children}
    </Box>
  );
}
