import { Icon } from "#web/kit/icon.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { ChevronRight, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";

type Props = {
  title: string;
  documentTitle?: string;
  /** Where the page belongs, and what it is called there. */
  crumb?: { to: string; parent: string; here: string };
  /** One line of truth below the heading. */
  children?: ReactNode;
  /** Before the line: a dot, filled while something is connected and hollow while it is not, or a tick. */
  mark?: "on" | "off" | "done";
};

/** The head of a page: where it belongs, its `h1`, and one line that says how things stand. */
export function PageHead({ title, documentTitle, crumb, mark, children }: Props) {
  return (
    <Box data-head sx={{ mb: 3 }}>
      {crumb ? (
        <Box
          component="nav"
          aria-label={crumb.parent}
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 0.75,
            mb: 0.5,
            typography: "body2",
            color: "text.caption",
          }}
        >
          <TextLink to={crumb.to} style={{ color: "inherit" }}>
            {crumb.parent}
          </TextLink>
          <Icon of={ChevronRight} size="small" />
          <span style={{ overflowWrap: "anywhere" }}>{crumb.here}</span>
        </Box>
      ) : null}
      <PageTitle {...(documentTitle === undefined ? {} : { documentTitle })} flush>
        {title}
      </PageTitle>
      {children ? (
        <Box sx={{ display: "flex", gap: 1.25, mt: 1, color: "text.secondary" }}>
          {mark === "done" ? <Done /> : mark ? <Dot isOn={mark === "on"} /> : null}
          <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>{children}</Box>
        </Box>
      ) : null}
    </Box>
  );
}

function Done() {
  return (
    <Box component="span" sx={{ flex: "none", height: 18, mt: "3px", lineHeight: 0, color: "secondary.ink" }}>
      <Icon of={CircleCheck} />
    </Box>
  );
}

function Dot({ isOn }: { isOn: boolean }) {
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        flex: "none",
        boxSizing: "border-box",
        width: 8,
        height: 8,
        mt: 1,
        borderRadius: "50%",
        forcedColorAdjust: "none",
        ...(isOn
          ? { backgroundColor: "secondary.main" }
          : { border: "2px solid", borderColor: "line.control" }),
      }}
    />
  );
}
