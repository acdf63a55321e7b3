import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { type InputHTMLAttributes, useId, useState } from "react";

type Props = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "placeholder" | "maxLength"
> & {
  label: string;
  value: string;
  /** What a good text is, said below one that is not. */
  hint: string;
  isGood: (text: string) => boolean;
  onChange: (text: string) => void;
};

/** A field of a profile. What is not good yet is left out of the label, and gone when the field is left. */
export function DraftInput({ label, value, hint, isGood, onChange, ...input }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const id = useId();
  return (
    <div>
      <TextInput
        {...input}
        label={label}
        value={draft ?? value}
        {...(draft === null ? {} : { "aria-invalid": true, "aria-describedby": id })}
        onChange={({ target: { value: text } }) => {
          setDraft(isGood(text) ? null : text);
          if (isGood(text)) onChange(text);
        }}
        onBlur={() => setDraft(null)}
      />
      {draft === null ? null : (
        <Box id={id} component="p" sx={{ mt: 0.5, mb: 0, typography: "caption", color: "text.caption" }}>
          {hint}
        </Box>
      )}
    </div>
  );
}

type NumberProps = {
  label: string;
  value: number;
  range: { min: number; max: number };
  onChange: (value: number) => void;
};

/** A number of a profile, in its range. */
export const NumberInput = ({ label, value, range: { min, max }, onChange }: NumberProps) => (
  <DraftInput
    label={label}
    inputMode="decimal"
    value={String(value)}
    hint={words.range(min, max)}
    isGood={(text) => /^\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) >= min && Number(text) <= max}
    onChange={(text) => onChange(Number(text))}
  />
);
