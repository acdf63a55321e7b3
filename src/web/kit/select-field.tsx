import { styled } from "@mui/material/styles";
import { useId } from "react";
import { fieldLook } from "#web/kit/field-look.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";

const Select = styled("select")(({ theme }) => ({
  ...fieldLook(theme),
  maxWidth: "100%",
  padding: "0 32px 0 12px",
  textOverflow: "ellipsis",
  // The browser's own arrow sits on the edge; this is the mark of everything here that opens.
  appearance: "none",
  backgroundImage:
    "linear-gradient(45deg, transparent 50%, currentColor 50%), linear-gradient(135deg, currentColor 50%, transparent 50%)",
  backgroundSize: "5px 5px",
  backgroundPosition: "calc(100% - 17px) 50%, calc(100% - 12px) 50%",
  backgroundRepeat: "no-repeat",
  "@media (forced-colors: active)": { appearance: "auto", backgroundImage: "none" },
}));

type Props = {
  label: string;
  /** Where the label stands; it is heard in any case. */
  labelAt?: "hidden" | "beside" | "above";
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

const beside = { display: "inline-flex", alignItems: "center", gap: 8, minWidth: 0 } as const;
const frames = {
  hidden: beside,
  beside,
  above: { display: "inline-flex", flexDirection: "column", gap: 4, minWidth: 0 },
} as const;
const labels = { hidden: visuallyHidden, beside: {}, above: { fontWeight: 700 } } as const;

/** The browser's own choice list, with its label. */
export function SelectField({ label, labelAt = "hidden", value, options, onChange }: Props) {
  const id = useId();
  return (
    <span style={frames[labelAt]}>
      <label htmlFor={id} style={labels[labelAt]}>
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </span>
  );
}
