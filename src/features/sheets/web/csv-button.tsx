import { type FileInputProps, HiddenInput } from "#web/kit/hidden-input.tsx";
import { fileWords as words } from "#features/sheets/web/words.ts";
import { linkStyles } from "#web/kit/text-link.tsx";
import Button from "@mui/material/Button";
import { useRef } from "react";

const asLink = {
  ...linkStyles,
  minWidth: 0,
  minHeight: 24,
  p: 0,
  font: "inherit",
  verticalAlign: "baseline",
} as const;

/** Opens a picker for CSV files, because the main picker (fixed by the specification) accepts workbooks only. */
export function CsvButton({ disabled, onChoose }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <HiddenInput
        ref={input}
        accept=".csv,.tsv,.tab,text/csv,text/tab-separated-values"
        label={words.csvPicker}
        disabled={disabled}
        onChoose={onChoose}
      />
      <Button
        variant="text"
        disabled={disabled}
        onClick={() => input.current?.click()}
        sx={{ ...asLink, textDecoration: "underline" }}
      >
        {words.csv}
      </Button>
    </>
  );
}
