import Box, { type BoxProps } from "@mui/material/Box";
import { type ReactNode, useId } from "react";
import Typography from "@mui/material/Typography";

type Props = {
  /** Heading; a section with its own heading has a `label` instead. */
  title?: string;
  label?: string;
  /** A line of context below the heading. */
  note?: ReactNode;
  /** Shown to the right of the heading: filters, a search, a button. */
  actions?: ReactNode;
  printed?: boolean;
  sx?: Extract<BoxProps["sx"], object>;
  children: ReactNode;
};

/** A named section of a page: a heading and space, without a box. */
export function Card({ title, label, note, actions, printed = true, sx, children }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      {...(title ? { "aria-labelledby": id } : { "aria-label": label })}
      {...(printed ? {} : { "data-print": "never" })}
      sx={{
        mt: { xs: 5, sm: 6 },
        // The first section is closer to the page's head.
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

/** Text of a page below its title, at a readable width. */
export function Sheet({ children }: { children: ReactNode }) {
  return (
    <Card
      sx={{
        maxWidth: "48rem",
        "&& > :not(* + *)": { mt: 0 },
        "@media print": { maxWidth: "none" },
      }}
    >
      {children}
    </Card>
  );
}

type HeadProps = {
  id?: string;
  title: string;
  /** A line of context below the heading. */
  note?: ReactNode;
  /** Shown to the right of the heading. */
  actions?: ReactNode;
};

/** The head of a section: its `h2`, a line of context, and its filters and actions. */
export function SectionHead({ id, title, note, actions }: HeadProps) {
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
