import { Icon } from "#web/kit/icon.tsx";
import { focusRing } from "#web/theme/components.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode, Ref } from "react";

/** Name, one line about it, and state of a row that opens or leads to another page. */
export const Head = styled("div")(({ theme }) => ({
  position: "relative",
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) auto 18px",
  gap: "2px 16px",
  alignItems: "center",
  padding: "14px 0",
  "& :is(h3, [data-title])": { margin: 0, ...typeScale.lead },
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

export type HeadProps = {
  title: string;
  /** One line about what it is. */
  note: string;
  /** Shown at the right; nothing until it is known. */
  state?: ReactNode;
};

type Props = HeadProps & {
  /** Of the content; the title's, note's and state's begin with it. */
  id: string;
  /** A row among the sections of a page is no part of one, and has no heading. */
  as?: "h3" | "div";
  isOpen: boolean;
  onToggle: () => void;
  ref?: Ref<HTMLButtonElement> | undefined;
};

/** The head of a row that opens in place: the whole row is the control. */
export function RowHead({ title, note, state, id, as: Title = "h3", isOpen, onToggle, ref }: Props) {
  return (
    <Head>
      <div>
        <Title data-title>
          <button
            ref={ref}
            type="button"
            id={`${id}-title`}
            aria-expanded={isOpen}
            aria-controls={id}
            aria-describedby={`${id}-note ${id}-state`}
            onClick={onToggle}
          >
            {title}
          </button>
        </Title>
        <p data-note id={`${id}-note`}>
          {note}
        </p>
      </div>
      <div data-state id={`${id}-state`}>
        {state}
      </div>
      <Icon of={isOpen ? ChevronDown : ChevronRight} />
    </Head>
  );
}
