import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** One state of a component under its name. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ mb: 4 }}>
      <Box component="p" sx={{ mt: 0, mb: 1, fontSize: "0.875rem", color: "text.secondary" }}>
        {name}
      </Box>
      {children}
    </Box>
  );
}

/** Samples side by side. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 2 }}>{children}</Box>
  );
}
