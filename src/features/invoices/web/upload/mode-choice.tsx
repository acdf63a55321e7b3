import type { UploadMode } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { useId } from "react";

const words = uploadWords.card;

type Props = { mode: UploadMode; disabled: boolean; onChange: (mode: UploadMode) => void };

/** Whether good invoices of a file are posted when others in it are bad. */
export function ModeChoice({ mode, disabled, onChange }: Props) {
  const hint = useId();
  return (
    <div style={{ marginBottom: 16 }}>
      <Choice
        type="checkbox"
        checked={mode === "file"}
        disabled={disabled}
        aria-describedby={hint}
        onChange={(event) => onChange(event.target.checked ? "file" : "invoice")}
      >
        {words.allOrNothing}
      </Choice>
      <p id={hint} style={{ margin: "0 0 0 32px", maxWidth: "70ch", fontSize: "0.875rem" }}>
        {words.allOrNothingHint}
      </p>
    </div>
  );
}
