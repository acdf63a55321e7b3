import { Icon } from "#web/kit/icon.tsx";
import { Head, type HeadProps, RowHead } from "#web/kit/row-head.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { styled } from "@mui/material/styles";
import { ExternalLink } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useSearchParams } from "react-router";

/** Rows that open in place, between thin lines. */
export const Rows = styled("div")(({ theme }) => ({
  borderTop: `1px solid ${(theme.vars ?? theme).palette.line.strong}`,
  "& > *": { borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}` },
}));

const Content = styled("div")({
  padding: "4px 0 28px",
  "&& > :not(* + *), & p:first-child": { marginTop: 0 },
  "& > :last-child": { marginBottom: 0 },
});

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
      <RowHead {...{ title, note, state, id, isOpen }} onToggle={toggle} />
      <Content role="region" id={id} aria-labelledby={`${id}-title`} hidden={!isOpen}>
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
