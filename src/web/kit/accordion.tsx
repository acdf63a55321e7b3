import { Icon } from "#web/kit/icon.tsx";
import { styled } from "@mui/material/styles";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";

const Section = styled("div")(({ theme }) => ({
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  "&:first-of-type": { borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > h3": { margin: 0 },
}));

const Header = styled("button")(({ theme }) => ({
  appearance: "none",
  display: "flex",
  flexWrap: "wrap",
  alignItems: "baseline",
  columnGap: 12,
  width: "100%",
  minHeight: 56,
  padding: "16px 0",
  border: 0,
  background: "none",
  color: "inherit",
  font: "inherit",
  textAlign: "left",
  cursor: "pointer",
  "& > span": {
    fontSize: "0.875rem",
    fontWeight: 400,
    color: (theme.vars ?? theme).palette.text.caption,
  },
  "& > svg": { marginLeft: "auto", alignSelf: "center" },
}));

type Props<N extends string> = {
  sections: readonly { name: N; title: string; content: ReactNode }[];
  open: N;
  /** Shown beside the title of a closed section. */
  hint: string;
  /** Called with the section whose header was clicked, even if it is open. */
  onPick: (name: N) => void;
};

/**
 * Sections, one of which is open. The content of the others is not rendered. Material UI's adds 6 kB to Settings, which then has
 * more than 40 kB with its payment form.
 */
export function Accordion<N extends string>({ sections, open, hint, onPick }: Props<N>) {
  const id = useId();
  return (
    <div>
      {sections.map(({ name, title, content }) => {
        const isOpen = name === open;
        return (
          <Section key={name}>
            <h3>
              <Header
                type="button"
                id={`${id}-${name}`}
                aria-expanded={isOpen}
                aria-controls={`${id}-${name}-content`}
                onClick={() => onPick(name)}
              >
                {title}
                {isOpen ? null : <span>{hint}</span>}
                <Icon of={isOpen ? ChevronDown : ChevronRight} size="small" />
              </Header>
            </h3>
            <div
              role="region"
              id={`${id}-${name}-content`}
              aria-labelledby={`${id}-${name}`}
              hidden={!isOpen}
              style={{ paddingBottom: isOpen ? 32 : 0 }}
            >
              {isOpen ? content : null}
            </div>
          </Section>
        );
      })}
    </div>
  );
}
