import { fieldLook } from "#web/kit/field-look.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { styled, type Theme } from "@mui/material/styles";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from "react";

const look = ({ theme }: { theme: Theme }) => ({
  ...fieldLook(theme),
  boxSizing: "border-box" as const,
  width: "100%",
  padding: "0 12px",
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.caption, opacity: 1 },
});

const Input = styled("input")(look);
const Area = styled("textarea")(look, { paddingTop: 9, paddingBottom: 9, resize: "vertical" });

/** A line of text with its label above. */
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

/** Several lines of text with their label above. */
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
