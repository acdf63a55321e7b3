import { Icon } from "#web/kit/icon.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { ChevronRight, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { boot } from "#web/kit/boot.ts";
import Typography from "@mui/material/Typography";

type Props = {
  title: string;
  documentTitle?: string;
  /** Breadcrumb: the parent page, and the name of this one. */
  crumb?: { to: string; parent: string; here: string; onFollow?: () => void };
  /** One line of status below the heading. */
  children?: ReactNode;
  /** Mark before the line: a dot, filled if connected and hollow if not, or a check mark. */
  mark?: "on" | "off" | "done";
};

/** The head of a page: breadcrumb, `h1`, and one line of status. */
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
          <TextLink to={crumb.to} onClick={crumb.onFollow} style={{ color: "inherit" }}>
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

type TitleProps = {
  children: string;
  documentTitle?: string;
  /** Removes the space below, for a head followed by its own line. */
  flush?: boolean;
};

/** The page's only `h1`, and the document title, which ends with the product's name. */
export function PageTitle({ children, documentTitle, flush = false }: TitleProps) {
  const title = documentTitle ?? children;
  return (
    <>
      <title>{title.endsWith(boot.product) ? title : `${title} · ${boot.product}`}</title>
      <Typography variant="h1" tabIndex={-1} sx={{ m: 0, mb: flush ? 0 : 3 }}>
        {children}
      </Typography>
    </>
  );
}
