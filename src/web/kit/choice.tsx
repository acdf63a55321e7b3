import { styled } from "@mui/material/styles";
import type { InputHTMLAttributes, ReactNode } from "react";

const Label = styled("label")({
  display: "flex",
  // Aligned with the first of several lines.
  alignItems: "flex-start",
  gap: 10,
  boxSizing: "border-box",
  paddingBlock: 10,
  width: "fit-content",
  minHeight: 44,
  cursor: "pointer",
  overflowWrap: "anywhere",
  "& > span": { minWidth: 0 },
  "& input": {
    width: 18,
    height: 18,
    margin: "3px 0",
    flexShrink: 0,
    accentColor: "var(--mui-palette-secondary-main)",
  },
  "&:has(:disabled)": { cursor: "default" },
});

type Props = { type: "radio" | "checkbox"; children: ReactNode } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  "type"
>;

/** A radio button or checkbox with its label; both are the click target. */
export function Choice({ children, ...input }: Props) {
  return (
    <Label>
      <input {...input} />
      <span>{children}</span>
    </Label>
  );
}
