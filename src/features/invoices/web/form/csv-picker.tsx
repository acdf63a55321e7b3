import { formWords as words } from "#features/invoices/web/form/words.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button from "@mui/material/Button";
import { useRef } from "react";

type Props = { file: File | null; disabled: boolean; onChoose: (file: File | null) => void };

/** Takes a file of comma- or tab-separated text, for lists that come from another program. */
export function CsvPicker({ file, disabled, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values"
        aria-label={words.csvPicker}
        tabIndex={-1}
        disabled={disabled}
        style={visuallyHidden}
        onChange={(event) => {
          onChoose(event.target.files?.[0] ?? null);
          // Else the browser would not report the same file chosen again.
          event.target.value = "";
        }}
      />
      <Button variant="outlined" disabled={disabled} onClick={() => input.current?.click()}>
        {words.csv}
      </Button>
      {file ? (
        <span style={{ overflowWrap: "anywhere" }}>
          {words.csvChosen(file.name)}{" "}
          <Button
            color="inherit"
            disabled={disabled}
            aria-label={words.csvClear(file.name)}
            onClick={() => onChoose(null)}
          >
            ✕
          </Button>
        </span>
      ) : null}
    </>
  );
}
