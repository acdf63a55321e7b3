import { resultWords } from "#features/labels/web/gs1/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { type FormEvent, useState } from "react";

const words = resultWords;

type Props = { isBusy: boolean; error: Error | null; onReprint: (labels: string) => void };

/** Form to reprint labels by their places. */
export function ReprintRange({ isBusy, error, onReprint }: Props) {
  const [labels, setLabels] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (labels.trim() !== "") onReprint(labels.trim());
  };
  return (
    <Box component="form" aria-label={words.ranges} onSubmit={submit} sx={{ mt: 3 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5 }}>
        <TextInput label={words.ranges} value={labels} onChange={({ target }) => setLabels(target.value)} />
        <BusyButton type="submit" label={words.reprint} disabled={labels.trim() === ""} isBusy={isBusy} />
      </Box>
      <FailedCall error={error} />
      <Box component="p" sx={{ mt: 1, mb: 0, typography: "caption", color: "text.caption" }}>
        {words.rangesHint}
      </Box>
    </Box>
  );
}
