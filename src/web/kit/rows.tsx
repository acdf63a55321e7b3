import { Icon } from "#web/kit/icon.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { focusRing } from "#web/theme/components.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { ChevronDown, ChevronRight, ExternalLink } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useSearchParams } from "react-router";

/** Rows that open in place, between thin lines. */
export const Rows = styled("div")(({ theme }) => ({
  borderTop: `1px solid ${(theme.vars ?? theme).palette.line.strong}`,
  "& > *": { borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}` },
}));

const Head = styled("div")(({ theme }) => ({
  position: "relative",
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) auto 18px",
  gap: "2px 16px",
  alignItems: "center",
  padding: "14px 0",
  "& h3": { margin: 0, ...typeScale.lead },
  // The title's control covers the row, so that its name is the title alone.
  "& :is(button, a)": {
    appearance: "none",
    display: "inline-flex",
    alignItems: "center",
    minHeight: 24,
    padding: 0,
    border: 0,
    background: "none",
    color: "inherit",
    font: "inherit",
    textAlign: "left",
    textDecoration: "none",
    cursor: "pointer",
    "&::after": { content: '""', position: "absolute", inset: 0 },
  },
  "html body & :focus-visible": { outline: "none" },
  "& :focus-visible::after": focusRing,
  "& [data-note]": { margin: 0, ...typeScale.caption, color: (theme.vars ?? theme).palette.text.caption },
  "& [data-state]": {
    ...typeScale.table,
    textAlign: "right",
    color: (theme.vars ?? theme).palette.text.secondary,
  },
  "& > svg": { color: (theme.vars ?? theme).palette.text.caption },
  "&:hover :is(button, a)": {
    textDecoration: "underline",
    textUnderlineOffset: "3px",
    textDecorationThickness: "1px",
  },
  [theme.breakpoints.down("sm")]: {
    gridTemplateColumns: "minmax(0, 1fr) 18px",
    // Keeps its line while it isn't known, so that nothing moves when it is.
    "& [data-state]": { gridColumn: 1, minHeight: 20, textAlign: "left" },
    "& > svg": { gridColumn: 2, gridRow: 1 },
  },
}));

const Content = styled("div")({
  padding: "4px 0 28px",
  "&& > :not(* + *), & p:first-child": { marginTop: 0 },
  "& > :last-child": { marginBottom: 0 },
});

type HeadProps = {
  title: string;
  /** One line about what it is. */
  note: string;
  /** Shown at the right; nothing until it is known. */
  state?: ReactNode;
};

type OpenProps = HeadProps & {
  /** The row's address on its page: `?section=name`. */
  name: string;
  loading: string;
  /** The content, which may be a lazy part; rendered only while the row is open. */
  children: ReactNode;
};

/** A row that opens in place. The address opens it too, and names the row that was opened last. */
export function OpenRow({ name, title, note, state, loading, children }: OpenProps) {
  const [params, setParams] = useSearchParams();
  const asked = params.get("section");
  const [isOpen, setOpen] = useState(asked === name);
  const id = useId();
  const toggle = () => {
    setOpen(!isOpen);
    if (!isOpen) setParams({ section: name }, { replace: true });
    else if (asked === name) setParams({}, { replace: true });
  };
  return (
    <div>
      <Head>
        <div>
          <h3>
            <button
              type="button"
              id={`${id}-title`}
              aria-expanded={isOpen}
              aria-controls={id}
              aria-describedby={`${id}-note ${id}-state`}
              onClick={toggle}
            >
              {title}
            </button>
          </h3>
          <p data-note id={`${id}-note`}>
            {note}
          </p>
        </div>
        <div data-state id={`${id}-state`}>
          {state}
        </div>
        <Icon of={isOpen ? ChevronDown : ChevronRight} />
      </Head>
      <Content role="region" data-place id={id} aria-labelledby={`${id}-title`} hidden={!isOpen}>
        {isOpen ? <Suspense fallback={<Spinner label={loading} />}>{children}</Suspense> : null}
      </Content>
    </div>
  );
}

/** A row that leads to another page, which the server draws. */
export function LeavingRow({ title, note, state, href }: HeadProps & { href: string }) {
  return (
    <div>
      <Head>
        <div>
          <h3>
            <a href={href}>{title}</a>
          </h3>
          <p data-note>{note}</p>
        </div>
        <div data-state>{state}</div>
        <Icon of={ExternalLink} />
      </Head>
    </div>
  );
}
