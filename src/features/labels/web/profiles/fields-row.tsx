import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Fields side by side, as many as there is room for. */
export const FieldsRow = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      display: "grid",
      gap: 1.5,
      mb: 1.5,
      alignItems: "end",
      gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 9rem), 1fr))",
    }}
  >
    {children}
  </Box>
);
