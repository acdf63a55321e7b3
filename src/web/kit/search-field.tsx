import { fieldLook } from "#web/kit/field-look.ts";
import { Icon } from "#web/kit/icon.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { Search } from "lucide-react";

const Frame = styled("span")(({ theme }) => ({
  position: "relative",
  display: "inline-block",
  width: 256,
  [theme.breakpoints.down("sm")]: { width: "100%" },
  "& > svg": {
    position: "absolute",
    left: 10,
    top: "calc(50% - 9px)",
    color: (theme.vars ?? theme).palette.text.caption,
    pointerEvents: "none",
  },
}));

const Input = styled("input")(({ theme }) => ({
  ...fieldLook(theme),
  ...typeScale.table,
  boxSizing: "border-box",
  width: "100%",
  padding: "0 12px 0 36px",
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.caption, opacity: 1 },
}));

type Props = { label: string; placeholder: string; value: string; onChange: (text: string) => void };

/** A field that narrows a list while one types. */
export function SearchField({ label, placeholder, value, onChange }: Props) {
  return (
    <Frame data-print="never">
      <Icon of={Search} />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  );
}
