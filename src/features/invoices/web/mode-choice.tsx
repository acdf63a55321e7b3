import type { UploadMode } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";

type Props = { mode: UploadMode; disabled: boolean; onChange: (mode: UploadMode) => void };

/** Whether good invoices of a file are posted when others in it are bad. */
export function ModeChoice({ mode, disabled, onChange }: Props) {
  return (
    <label style={{ display: "flex", alignItems: "center", gap: 8, minHeight: 44, maxWidth: "max-content" }}>
      <input
        type="checkbox"
        checked={mode === "file"}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked ? "file" : "invoice")}
        style={{ width: 24, height: 24, flex: "none", margin: 0 }}
      />
      <span>{uploadWords.card.allOrNothing}</span>
    </label>
  );
}
