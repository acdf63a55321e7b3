import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { styled, type Theme } from "@mui/material/styles";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { Icon } from "#web/kit/icon.tsx";
import { typeScale, radii } from "#web/theme/type-scale.ts";
import { Search } from "lucide-react";

const look = ({ theme }: { theme: Theme }) => ({
  ...fieldLook(theme),
  boxSizing: "border-box" as const,
  width: "100%",
  padding: "0 12px",
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.caption, opacity: 1 },
});

const Input = styled("input")(look);
const Area = styled("textarea")(look, { paddingTop: 9, paddingBottom: 9, resize: "vertical" });

/** Single-line text input with its label above. */
export function TextInput({
  label,
  labelAt = "above",
  ...input
}: LineProps & Omit<InputHTMLAttributes<HTMLInputElement>, "color">) {
  const id = useId();
  return (
    <Labelled id={id} label={label} labelAt={labelAt}>
      <Input id={id} {...input} />
    </Labelled>
  );
}

/** Multi-line text input with its label above. */
export function TextArea({
  label,
  ...area
}: { label: string } & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "color">) {
  const id = useId();
  return (
    <Labelled id={id} label={label} wide>
      <Area id={id} {...area} />
    </Labelled>
  );
}

type LineProps = { label: string; labelAt?: "above" | "hidden"; ref?: Ref<HTMLInputElement> };

type LabelledProps = Pick<LineProps, "label" | "labelAt"> & {
  id: string;
  wide?: boolean;
  children: ReactNode;
};

const aboveLook = {
  display: "block",
  marginBottom: 4,
  fontWeight: 700,
  fontSize: "0.875rem",
  lineHeight: 20 / 14,
} as const;

function Labelled({ id, label, labelAt = "above", wide = false, children }: LabelledProps) {
  return (
    <div style={wide ? {} : { flex: "1 1 16rem", maxWidth: "28rem" }}>
      <label htmlFor={id} style={labelAt === "above" ? aboveLook : visuallyHidden}>
        {label}
      </label>
      {children}
    </div>
  );
}

const SearchFrame = styled("span")(({ theme }) => ({
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

const SearchInput = styled("input")(({ theme }) => ({
  ...fieldLook(theme),
  ...typeScale.table,
  boxSizing: "border-box",
  width: "100%",
  padding: "0 12px 0 36px",
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.caption, opacity: 1 },
}));

type SearchProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  ref?: Ref<HTMLInputElement>;
  /** Makes the field as wide as a long placeholder. */
  isWide?: boolean;
  onEnter?: () => void;
};

/** Input that filters a list during typing. */
export function SearchField({ label, placeholder, value, onChange, ref, isWide, onEnter }: SearchProps) {
  return (
    <SearchFrame data-print="never" {...(isWide ? { style: { width: "min(100%, 26rem)" } } : {})}>
      <Icon of={Search} />
      <SearchInput
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={({ key }) => (key === "Enter" ? onEnter?.() : undefined)}
      />
    </SearchFrame>
  );
}

/** Style of every text and select field. */
export const fieldLook = (theme: Theme) => {
  const { palette } = theme.vars ?? theme;
  return {
    minHeight: 44,
    borderRadius: radii.control,
    border: "1px solid",
    borderColor: palette.line.control,
    font: "inherit",
    color: "inherit",
    backgroundColor: palette.background.default,
    "&:hover": { borderColor: palette.text.secondary },
    "&[aria-invalid='true']": {
      borderColor: palette.status.red.rule,
      boxShadow: `inset 0 0 0 1px ${palette.status.red.rule}`,
    },
    "&:disabled": {
      borderColor: palette.divider,
      color: palette.text.caption,
      backgroundColor: palette.background.sunken,
      cursor: "not-allowed",
    },
    // A phone zooms the page on smaller text when the field gets focus.
    [theme.breakpoints.down("sm")]: { fontSize: "1rem" },
  };
};
