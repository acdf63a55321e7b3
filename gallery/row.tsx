import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Samples side by side. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 2 }}>{children}</Box>
  );
}
