import Box from "@mui/material/Box";
import type { ReactNode } from "react";

export const LIST = { m: 0, p: 0, listStyle: "none", outline: "none" };

type Props = { name: string; facts: readonly string[]; children?: ReactNode };

/** A line of a list: its name, what is known of it, and what can be done with it. */
export function ListRow({ name, facts, children }: Props) {
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        minHeight: 60,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
        <b>{name}</b>
        {facts.length > 0 ? (
          <Box sx={{ typography: "caption", color: "text.caption" }}>{facts.join(" · ")}</Box>
        ) : null}
      </Box>
      {children}
    </Box>
  );
}
