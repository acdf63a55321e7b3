import { formatCount } from "#web/kit/format.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";

/** All of them in sight, in as many rows as that takes. */
const Row = styled("div")({ display: "flex", flexWrap: "wrap", columnGap: 20 });

const Filter = styled("button")(({ theme }) => ({
  appearance: "none",
  minWidth: 24,
  minHeight: 36,
  padding: "2px 0 0",
  border: 0,
  borderBottom: "2px solid transparent",
  background: "none",
  font: "inherit",
  ...typeScale.table,
  color: (theme.vars ?? theme).palette.text.secondary,
  cursor: "pointer",
  whiteSpace: "nowrap",
  flex: "none",
  "html body &:focus-visible": { outlineOffset: "-3px" },
  "& > span": { marginLeft: 4, fontWeight: 400, color: (theme.vars ?? theme).palette.text.caption },
  "&:hover": { color: (theme.vars ?? theme).palette.text.primary },
  "&[aria-pressed='true']": {
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.primary,
    borderBottomColor: (theme.vars ?? theme).palette.text.primary,
  },
  // Forced colors show the transparent border, so its width marks the chosen filter.
  "@media (forced-colors: active)": {
    padding: "0 8px",
    border: "1px solid",
    "&[aria-pressed='true']": { borderBottomWidth: 5 },
  },
}));

type Props<V extends string> = {
  label: string;
  value: V;
  /** A count that isn't known yet, null, keeps its place. */
  options: readonly { value: V; label: string; count?: number | null }[];
  onChange: (value: V) => void;
};

/** Filters of a list, one of which is always chosen. */
export function Filters<V extends string>({ label, value, options, onChange }: Props<V>) {
  return (
    <Row role="group" aria-label={label}>
      {options.map((option) => (
        <Filter
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count === undefined ? null : (
            <span style={option.count === null ? { visibility: "hidden" } : undefined}>
              &nbsp;{formatCount(option.count ?? 0)}
            </span>
          )}
        </Filter>
      ))}
    </Row>
  );
}
