import { styled } from "@mui/material/styles";
import { useId } from "react";
import { fieldLook } from "#web/kit/text-input.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { ChevronDown } from "lucide-react";

type Look = keyof typeof looks;

const Select = styled("select", { shouldForwardProp: (name) => name !== "look" })<{ look: Look }>(
  ({ theme, look }) => ({
    ...fieldLook(theme),
    ...looks[look],
    flex: 1,
    maxWidth: "100%",
    padding: "0 36px 0 12px",
    textOverflow: "ellipsis",
    appearance: "none",
  }),
);

/** Field sizes: in a form, in the bar, and among captions. */
const looks = {
  field: {},
  bar: {
    minHeight: 36,
    borderColor: "var(--mui-palette-line-strong)",
    fontSize: "0.875rem",
    fontWeight: 700,
    "@media (max-width: 599.95px)": { minHeight: 44 },
  },
  dense: { minHeight: 28, borderRadius: 4, borderColor: "var(--mui-palette-line-strong)" },
} as const;

/** Shows our chevron in place of the browser's own, which touches the edge. */
const WithChevron = styled("span")({
  position: "relative",
  display: "inline-flex",
  minWidth: 0,
  maxWidth: "100%",
  alignItems: "center",
  "& > svg": { position: "absolute", right: 12, pointerEvents: "none" },
});

type Props = {
  label: string;
  /** Position of the label, which is always available to screen readers. */
  labelAt?: "hidden" | "beside" | "above";
  look?: Look;
  value: string;
  options: readonly { value: string; label: string }[];
  disabled?: boolean;
  onChange: (value: string) => void;
};

const beside = {
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  maxWidth: "100%",
} as const;
const frames = {
  hidden: beside,
  beside,
  above: {
    display: "inline-flex",
    flexDirection: "column",
    gap: 4,
    minWidth: 0,
    maxWidth: "100%",
  },
} as const;
const labels = {
  hidden: visuallyHidden,
  beside: {},
  above: { fontWeight: 700, fontSize: "0.875rem", lineHeight: 20 / 14 },
} as const;

/** The browser's own select list, with its label. */
export function SelectField(props: Props) {
  const { label, labelAt = "hidden", look = "field", value, options, disabled, onChange } = props;
  const id = useId();
  return (
    <span style={frames[labelAt]}>
      <label htmlFor={id} style={labels[labelAt]}>
        {label}
      </label>
      <WithChevron>
        <Select
          id={id}
          look={look}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
        <Icon of={ChevronDown} size="small" />
      </WithChevron>
    </span>
  );
}
