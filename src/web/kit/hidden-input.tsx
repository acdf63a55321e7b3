import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import type { ChangeEvent, Ref } from "react";

export type FileInputProps = { disabled: boolean; onChoose: (files: readonly File[]) => void };

type InputProps = FileInputProps & {
  ref: Ref<HTMLInputElement>;
  label: string;
  accept?: string;
  multiple?: boolean;
};

/** The browser's own picker, opened by a button. */
export function HiddenInput({ ref, label, disabled, onChoose, ...types }: InputProps) {
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(event.target.files ?? [])]);
    // Otherwise choosing the same file again fires no event.
    event.target.value = "";
  };
  return (
    <input
      ref={ref}
      type="file"
      {...types}
      aria-label={label}
      tabIndex={-1}
      disabled={disabled}
      onChange={onChange}
      style={visuallyHidden}
    />
  );
}
