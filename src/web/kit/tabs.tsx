import { styled } from "@mui/material/styles";
import { type KeyboardEvent, type ReactNode, useId } from "react";

const List = styled("div")(({ theme }) => ({
  display: "flex",
  columnGap: 24,
  overflowX: "auto",
  scrollbarWidth: "none",
  "@media (max-width: 359.95px)": { flexWrap: "wrap" },
  // Drawn below the mark of the selected tab, which a border would be under.
  boxShadow: `inset 0 -1px ${(theme.vars ?? theme).palette.divider}`,
}));

const Tab = styled("button")(({ theme }) => ({
  appearance: "none",
  display: "flex",
  alignItems: "center",
  flex: "none",
  minHeight: 44,
  padding: "3px 0 0",
  border: 0,
  borderBottom: "3px solid transparent",
  background: "none",
  font: "inherit",
  color: (theme.vars ?? theme).palette.text.secondary,
  cursor: "pointer",
  // Within the row, which cuts off what is beyond it.
  "html body &:focus-visible": { outlineOffset: "-3px" },
  "&:hover": { color: (theme.vars ?? theme).palette.text.primary },
  "&[aria-selected='true']": {
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.primary,
    borderBottomColor: (theme.vars ?? theme).palette.primary.main,
  },
  "@media (forced-colors: active)": {
    padding: "0 8px",
    border: "1px solid",
    "&[aria-selected='true']": { borderBottomWidth: 5 },
  },
}));

type Props<V extends string> = {
  label: string;
  value: V;
  tabs: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  /** Content of the selected tab. */
  children: ReactNode;
};

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Switches the content below. Arrow keys move between tabs and select at once; Tab moves into the content. They keep one row,
 * except on the narrowest screens.
 */
export function Tabs<V extends string>({ label, value, tabs, onChange, children }: Props<V>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = (at + step + tabs.length) % tabs.length;
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
    const chosen = tabs[next];
    if (chosen) onChange(chosen.value);
  };
  return (
    <>
      <List role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={id}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </Tab>
        ))}
      </List>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
