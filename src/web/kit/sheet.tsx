import { Card } from "#web/kit/card.tsx";
import type { ReactNode } from "react";

/** The paper of a page that has one thing to say, below its title; its text keeps a readable measure. */
export function Sheet({ children }: { children: ReactNode }) {
  return (
    <Card
      sx={{
        maxWidth: "48rem",
        "& > :first-child": { mt: 0 },
        "@media print": { maxWidth: "none", p: 0, border: 0 },
      }}
    >
      {children}
    </Card>
  );
}
