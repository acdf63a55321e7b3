import { Icon } from "#web/kit/icon.tsx";
import MuiAccordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import { styled } from "@mui/material/styles";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";

const Section = styled(MuiAccordion)(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    background: "none",
    color: "inherit",
    borderBottom: `1px solid ${palette.divider}`,
    "&:first-of-type": { borderTop: `1px solid ${palette.divider}` },
    "&::before": { display: "none" },
    "& .MuiAccordionSummary-root": { padding: 0, minHeight: 56, background: "none" },
    "& .MuiAccordionSummary-content": {
      flexWrap: "wrap",
      alignItems: "baseline",
      columnGap: 12,
      margin: "16px 0",
      ...theme.typography.h3,
    },
    "& .MuiAccordionSummary-content > span": {
      fontSize: "0.875rem",
      fontWeight: 400,
      color: palette.text.caption,
    },
    "& .MuiAccordionSummary-expandIconWrapper": { color: "inherit" },
    "& .MuiAccordionSummary-expandIconWrapper.Mui-expanded": { transform: "rotate(90deg)" },
    "& .MuiAccordionDetails-root": { padding: "0 0 32px" },
  };
});

type Props<N extends string> = {
  sections: readonly { name: N; title: string; content: ReactNode }[];
  open: N;
  /** Shown beside the title of a closed section. */
  hint: string;
  /** Called with the section whose header was clicked, even if it is open. */
  onPick: (name: N) => void;
};

/** Sections of which one is open. The content of the others is not rendered. */
export function Accordion<N extends string>({ sections, open, hint, onPick }: Props<N>) {
  const id = useId();
  return (
    <div>
      {sections.map(({ name, title, content }) => {
        const isOpen = name === open;
        return (
          <Section
            key={name}
            expanded={isOpen}
            onChange={() => onPick(name)}
            disableGutters
            square
            elevation={0}
            slotProps={{ transition: { unmountOnExit: true } }}
          >
            <AccordionSummary
              id={`${id}-${name}`}
              aria-controls={`${id}-${name}-content`}
              expandIcon={<Icon of={ChevronRight} size="small" />}
            >
              {title}
              {isOpen ? null : <span>{hint}</span>}
            </AccordionSummary>
            <AccordionDetails>{content}</AccordionDetails>
          </Section>
        );
      })}
    </div>
  );
}
