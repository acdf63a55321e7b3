import { styled } from "@mui/material/styles";
import { type InputHTMLAttributes, useId } from "react";

const Input = styled("input")(({ theme }) => ({
  minHeight: 44,
  width: "100%",
  padding: "0 12px",
  borderRadius: 8,
  border: "1px solid",
  borderColor: (theme.vars ?? theme).palette.text.secondary,
  font: "inherit",
  color: "inherit",
  backgroundColor: (theme.vars ?? theme).palette.background.paper,
  "&:disabled": { borderStyle: "dashed", cursor: "not-allowed" },
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.secondary, opacity: 1 },
}));

/** A line of text with its label above. */
export function TextInput({
  label,
  ...input
}: { label: string } & Omit<InputHTMLAttributes<HTMLInputElement>, "color">) {
  const id = useId();
  return (
    <div style={{ flex: "1 1 16rem", maxWidth: "28rem" }}>
      <label htmlFor={id} style={{ display: "block", marginBottom: 4, fontWeight: 700 }}>
        {label}
      </label>
      <Input id={id} {...input} />
    </div>
  );
}
