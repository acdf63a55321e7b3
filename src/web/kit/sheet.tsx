import { Card } from "#web/kit/card.tsx";
import type { ReactNode } from "react";

/** What a page has to say below its title; its text keeps a readable measure. */
export function Sheet({ children }: { children: ReactNode }) {
  return (
    <Card
      sx={{
        maxWidth: "48rem",
        "& > :first-child": { mt: 0 },
        "@media print": { maxWidth: "none" },
      }}
    >
      {children}
    </Card>
  );
}
