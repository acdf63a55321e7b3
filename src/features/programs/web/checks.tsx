import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Checkboxes of one question, in two columns where there is room. */
export const Checks = ({ legend, children }: { legend: string; children: ReactNode }) => (
  <Box component="fieldset" sx={{ mt: 1.5, mb: 1, mx: 0, p: 0, border: 0 }}>
    <Box component="legend" sx={{ p: 0, typography: "table", fontWeight: 700, fontSize: "0.875rem" }}>
      {legend}
    </Box>
    <Box
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
        columnGap: 3,
      }}
    >
      {children}
    </Box>
  </Box>
);
