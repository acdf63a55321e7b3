import { styled } from "@mui/material/styles";
import { useId } from "react";
import { fieldLook } from "#web/kit/field-look.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";

const Select = styled("select")(({ theme }) => ({
  ...fieldLook(theme),
  maxWidth: "100%",
  padding: "0 8px",
  textOverflow: "ellipsis",
}));

type Props = {
  label: string;
  labelShown?: boolean;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

/** The browser's own choice list, with its label. */
export function SelectField({ label, labelShown = false, value, options, onChange }: Props) {
  const id = useId();
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: 8, minWidth: 0 }}>
      <label htmlFor={id} style={labelShown ? {} : visuallyHidden}>
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
